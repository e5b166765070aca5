/** One line on the terminal that tells how far a long operation has come; nothing of it stays. */
import { type Reporter, ReportFlag } from '../../base/reporter.ts';
import { isTerminal, type Output, writeAll } from '../output.ts';

const STDERR = 2;
/** Carriage return, and "erase to the end of the line" of ECMA-48. */
const ERASE = '\r\u001b[K';
const INTERVAL_MS = 200;
const UNITS = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];

/** Shows progress on stderr if that is a terminal, and keeps out of the way of other lines. */
export class ProgressLine {
  /** Like the reporter of the output; erases the line before each message. */
  readonly log: Reporter;
  readonly #isWanted: boolean;
  readonly #startedAt = performance.now();
  #shownAt = 0;
  #isShown = false;

  constructor(output: Output) {
    this.#isWanted = isTerminal(STDERR) && (Atomics.load(output.control, 0) & ReportFlag.Quiet) === 0;
    const { log } = output;
    this.log = {
      debug: (message) => this.aside(() => log.debug(message)),
      info: (message, tone) => this.aside(() => log.info(message, tone)),
      warn: (message) => this.aside(() => log.warn(message)),
      fatal: (message) => this.aside(() => log.fatal(message)),
    };
  }

  /** Runs something that prints. */
  aside(print: () => void): void {
    this.erase();
    print();
  }

  /** Shows how many entries and bytes are done, and the rate; a few times a second at most. */
  show(entries: number, bytes: number): void {
    const now = performance.now();
    if (!this.#isWanted || now - this.#shownAt < INTERVAL_MS) {
      return;
    }
    this.#shownAt = now;
    this.#isShown = true;
    const seconds = Math.max(0.001, (now - this.#startedAt) / 1000);
    const rate = `${Math.round(entries / seconds)} entries/s, ${inUnits(bytes / seconds)}/s`;
    writeAll(STDERR, `${ERASE}${entries} entries, ${inUnits(bytes)} checked (${rate})`);
  }

  /** Takes the line away. */
  erase(): void {
    if (this.#isShown) {
      this.#isShown = false;
      writeAll(STDERR, ERASE);
    }
  }
}

function inUnits(bytes: number): string {
  let value = bytes;
  let at = 0;
  while (value >= 1024 && at < UNITS.length - 1) {
    value /= 1024;
    at += 1;
  }
  return `${value.toFixed(at === 0 ? 0 : 1)} ${UNITS[at]}`;
}
