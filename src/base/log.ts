/** Log levels and the logger that is handed down; what happens to a line is decided above (behaviour.md 5.6). */

/** One line per call, without prefix, time stamp or line break. */
export interface Logger {
  debug(message: string): void;
  info(message: string): void;
  /** Something is wrong with data or environment; fatal under -wpanic. */
  warn(message: string): void;
  fatal(message: string): void;
}

/** A logger that drops everything; for tests and for library use. */
export const silentLogger: Logger = { debug() {}, info() {}, warn() {}, fatal() {} };
