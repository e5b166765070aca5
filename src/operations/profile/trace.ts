/** The execution trace of the whole process: a JSON file for chrome://tracing and Perfetto. */
import fs from 'node:fs';
import { Session } from 'node:inspector';
import { fsPath } from '../../base/byte-text.ts';

const CATEGORIES = ['node', 'node.async_hooks', 'node.threadpoolwork.sync', 'v8'];

/** Collects events until it is stopped. */
export class ExecutionTrace {
  readonly #file: string;
  readonly #session = new Session();
  readonly #events: unknown[] = [];

  constructor(file: string) {
    this.#file = file;
    this.#session.connect();
    this.#session.on('NodeTracing.dataCollected', ({ params }) => {
      this.#events.push(...params.value);
    });
    this.#session.post('NodeTracing.start', { traceConfig: { includedCategories: CATEGORIES } });
  }

  /** Resolves when the file is written. */
  stop(): Promise<void> {
    return new Promise((resolve) => {
      this.#session.once('NodeTracing.tracingComplete', () => {
        fs.writeFileSync(fsPath(this.#file), JSON.stringify({ traceEvents: this.#events }));
        this.#session.disconnect();
        resolve();
      });
      this.#session.post('NodeTracing.stop');
    });
  }
}
