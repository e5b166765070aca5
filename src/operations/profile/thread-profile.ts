/**
 * Profiles of one thread with the profilers of the runtime: processor time in the format `.cpuprofile`, allocated memory in the format
 * `.heapprofile`. Both open in the developer tools of Chromium.
 */
import fs from 'node:fs';
import { Session } from 'node:inspector';
import { fsPath } from '../../base/byte-text.ts';

/** Absolute paths; empty means no such profile. */
export interface ProfileFiles {
  readonly cpu: string;
  readonly memory: string;
}

/** The files of a further thread lie beside those of the main thread. */
export function filesOfWorker(files: ProfileFiles, index: number): ProfileFiles {
  const named = (file: string): string => (file === '' ? '' : `${file}.worker${index}`);
  return { cpu: named(files.cpu), memory: named(files.memory) };
}

/** Measures the thread that makes it, until it is stopped. */
export class ThreadProfile {
  readonly #files: ProfileFiles;
  readonly #session = new Session();

  constructor(files: ProfileFiles) {
    this.#files = files;
    this.#session.connect();
    if (files.cpu !== '') {
      this.#session.post('Profiler.enable');
      this.#session.post('Profiler.start');
    }
    if (files.memory !== '') {
      this.#session.post('HeapProfiler.startSampling');
    }
  }

  /** Writes what memory is allocated now. */
  saveMemory(): void {
    if (this.#files.memory !== '') {
      this.#session.post('HeapProfiler.getSamplingProfile', (error, result) => save(this.#files.memory, error, result?.profile));
    }
  }

  /** Writes both and ends; a session of the own thread answers before `post` returns. */
  stop(): void {
    this.saveMemory();
    if (this.#files.cpu !== '') {
      this.#session.post('Profiler.stop', (error, result) => save(this.#files.cpu, error, result?.profile));
    }
    this.#session.disconnect();
  }
}

function save(file: string, error: Error | null, profile: unknown): void {
  if (error === null && profile !== undefined) {
    // The mask of a mounted process is 0.
    fs.writeFileSync(fsPath(file), JSON.stringify(profile), { mode: 0o600 });
  }
}
