/** One rule for where a message goes, shared by the command line and by every worker thread (behaviour.md 5.6). */
import type { Logger } from './log.ts';

/** Colour of an info line on a terminal: green, yellow or grey. */
export type Tone = 'plain' | 'good' | 'caution' | 'aside';

/** A logger whose info lines may carry a tone. */
export interface Reporter extends Logger {
  info(message: string, tone?: Tone): void;
}

/** Bits of the control word that all threads of the process read before each line. */
export const ReportFlag = {
  /** -q: no info lines. */
  Quiet: 1,
  /** -d: debug lines. */
  Debug: 2,
  /** Lines go to syslog instead of stdout and stderr. */
  Syslog: 4,
  /** -wpanic: a warning ends the process with code 2. */
  WarningsAreFatal: 8,
  /** stdout and stderr are terminals and NO_COLOR is unset. */
  Colour: 16,
} as const;

/** Priorities of syslog(3). */
export const SyslogPriority = { Critical: 2, Warning: 4, Info: 6, Debug: 7 } as const;

/** The ways out that a reporter uses. */
export interface ReportSink {
  /** Writes to stdout (1) or stderr (2), at once. */
  write(fd: 1 | 2, text: string): void;
  syslog(priority: number, message: string): void;
  /** Ends the process with exit code 2, from any thread. */
  panic(): void;
}

const RESET = '\u001b[0m';
const TONES: Record<Tone, string> = { plain: '', good: '\u001b[32m', caution: '\u001b[33m', aside: '\u001b[2m' };
const WARN_COLOUR = '\u001b[33m';
const FATAL_COLOUR = '\u001b[31m';

/** Size of the control block, bytes. */
export const REPORT_CONTROL_BYTES = 4;

/**
 * Makes a reporter.
 * @param control one word of ReportFlag bits; in shared memory if several threads report
 */
export function createReporter(control: Int32Array, sink: ReportSink): Reporter {
  const emit = (fd: 1 | 2, priority: number, colour: string, message: string): void => {
    const flags = Atomics.load(control, 0);
    if ((flags & ReportFlag.Syslog) !== 0) {
      sink.syslog(priority, message);
    } else if ((flags & ReportFlag.Colour) !== 0 && colour !== '') {
      sink.write(fd, `${colour}${message}${RESET}\n`);
    } else {
      sink.write(fd, `${message}\n`);
    }
  };
  return {
    debug(message) {
      if ((Atomics.load(control, 0) & ReportFlag.Debug) !== 0) {
        emit(1, SyslogPriority.Debug, '', message);
      }
    },
    info(message, tone = 'plain') {
      if ((Atomics.load(control, 0) & ReportFlag.Quiet) === 0) {
        emit(1, SyslogPriority.Info, TONES[tone], message);
      }
    },
    warn(message) {
      emit(2, SyslogPriority.Warning, WARN_COLOUR, message);
      if ((Atomics.load(control, 0) & ReportFlag.WarningsAreFatal) !== 0) {
        sink.write(2, `-wpanic turns this warning into a panic: ${message}\n`);
        sink.panic();
      }
    },
    fatal(message) {
      emit(2, SyslogPriority.Critical, FATAL_COLOUR, message);
    },
  };
}
