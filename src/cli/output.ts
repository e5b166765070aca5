/** stdout and stderr of the command line, written at once and in order. */

import fs from 'node:fs';
import { createRequire } from 'node:module';
import { bytesOfText } from '../base/byte-text.ts';
import { createReporter, type Reporter, ReportFlag } from '../base/reporter.ts';
import { Exit } from './exit-codes.ts';

/** Writes all of a text to a descriptor; a reader that went away is not an error. */
export function writeAll(fd: number, text: string): void {
  const bytes = bytesOfText(text);
  let at = 0;
  while (at < bytes.length) {
    try {
      at += fs.writeSync(fd, bytes, at);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') {
        return;
      }
      // Somebody made the descriptor non-blocking.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5);
    }
  }
}

/** What a long-running operation brings along once it has loaded the addon. */
export interface ProcessCalls {
  syslog(priority: number, message: string): void;
  exitNow(code: number): void;
}

/** Where the messages of the main thread go. */
export interface Output {
  readonly log: Reporter;
  /** The control word of ReportFlag bits, in shared memory, so that worker threads can follow it. */
  readonly control: Int32Array;
  /** Replaces the calls that work without the addon. */
  connect(calls: ProcessCalls): void;
  /** Ends the process; once the addon is connected, at once, whatever other threads do. */
  exit(code: number): void;
}

/** Starts reporting on stdout and stderr. */
export function createOutput(): Output {
  const control = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  let calls: ProcessCalls = { syslog: () => {}, exitNow: (code) => process.exit(code) };
  const log = createReporter(control, {
    write: writeAll,
    syslog: (priority, message) => calls.syslog(priority, message),
    panic: () => calls.exitNow(Exit.Internal),
  });
  const output: Output = {
    log,
    control,
    connect(given) {
      calls = given;
    },
    exit: (code) => calls.exitNow(code),
  };
  if (process.env.NO_COLOR === undefined && isTerminal(1) && isTerminal(2)) {
    setFlag(output, ReportFlag.Colour);
  }
  return output;
}

/** Asks the runtime's terminal module only if the answer can be yes: loading it takes longer than parsing a command line. */
export function isTerminal(fd: number): boolean {
  try {
    if (!fs.fstatSync(fd).isCharacterDevice()) {
      return false;
    }
  } catch {
    return false;
  }
  const tty = createRequire(import.meta.url)('node:tty') as typeof import('node:tty');
  return tty.isatty(fd);
}

/** Switches a bit of the control word on. */
export function setFlag(output: Output, flag: number): void {
  Atomics.or(output.control, 0, flag);
}
