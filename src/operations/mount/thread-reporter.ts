/** The reporter of a thread that has the addon: writes by system call, so that no line waits for an event loop. */
import { bytesOfText } from '../../base/byte-text.ts';
import { createReporter, type Reporter } from '../../base/reporter.ts';
import { write } from '../../sys/files.ts';
import { exitNow } from '../../sys/process.ts';
import { syslog } from '../../sys/syslog.ts';

const EXIT_PANIC = 2;

/** Makes the reporter. @param control shared word of ReportFlag bits */
export function createThreadReporter(control: Int32Array): Reporter {
  return createReporter(control, {
    write: writeText,
    syslog,
    panic: () => exitNow(EXIT_PANIC),
  });
}

/** A reader that went away is no reason to fail. */
export function writeText(fd: 1 | 2, text: string): void {
  const bytes = bytesOfText(text);
  let at = 0;
  while (at < bytes.length) {
    const written = write(fd, bytes, at, bytes.length - at);
    if (written <= 0) {
      return;
    }
    at += written;
  }
}
