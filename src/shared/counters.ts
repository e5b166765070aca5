/* Words. */
const USED = 0;
const NOTICES = 1;

/** Something told once per process by the directory half, whichever thread meets it; bits of one word. */
export const DirectoryNotice = {
  /** The backing filesystem does not tell file types in listings (behaviour.md 6.18). */
  UnknownTypes: 1,
} as const;
export type DirectoryNotice = (typeof DirectoryNotice)[keyof typeof DirectoryNotice];

/** Marks that all workers set and the main thread reads. */
export class Counters {
  /** Shared memory needed, bytes. */
  static readonly bytes = 64;

  readonly #words: Int32Array;

  constructor(memory: SharedArrayBuffer, offset: number) {
    this.#words = new Int32Array(memory, offset, Counters.bytes / 4);
  }

  /** Something below the root was addressed by a path (behaviour.md 5.7). */
  markUsed(): void {
    // Mostly set already; a plain look first keeps the cache line shared.
    if (this.#words[USED] === 0) Atomics.store(this.#words, USED, 1);
  }

  /** True if `markUsed` was called since the last time this was asked. */
  takeUsed(): boolean {
    return Atomics.exchange(this.#words, USED, 0) !== 0;
  }

  /** True for the first caller in the process, false for all later ones. */
  claimNotice(notice: DirectoryNotice): boolean {
    return (Atomics.or(this.#words, NOTICES, notice) & notice) === 0;
  }
}
