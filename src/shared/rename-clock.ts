/* Words. */
const RUNNING = 0;
const EPOCH = 1;

/**
 * Tells whether a rename may be the reason that something was not found: between the system call and the change of the table an object
 * is missing under the name recorded for it. Lock-free.
 */
export class RenameClock {
  /** Words of shared memory taken. */
  static readonly WORDS = 2;

  readonly #words: Int32Array;
  readonly #running: number;
  readonly #epoch: number;

  constructor(words: Int32Array, index: number) {
    this.#words = words;
    this.#running = index + RUNNING;
    this.#epoch = index + EPOCH;
  }

  /** Announces a rename. */
  begin(): void {
    Atomics.add(this.#words, this.#running, 1);
  }

  /** Ends a `begin`: the table agrees with the backing directories again. */
  end(): void {
    Atomics.add(this.#words, this.#epoch, 1);
    Atomics.sub(this.#words, this.#running, 1);
  }

  /** Count of renames done; to be taken before names are resolved. */
  epoch(): number {
    return Atomics.load(this.#words, this.#epoch);
  }

  /** True if no rename ended since `epoch` was taken and none is running. */
  isQuietSince(epoch: number): boolean {
    return Atomics.load(this.#words, this.#running) === 0 && Atomics.load(this.#words, this.#epoch) === epoch;
  }

  /**
   * True if a name resolved after `epoch` may be missing only because a rename ran at the same time: resolve it again.
   * Waits for up to a millisecond while one is running.
   */
  mayHaveMoved(epoch: number): boolean {
    if (this.isQuietSince(epoch)) return false;
    if (Atomics.load(this.#words, this.#epoch) === epoch) Atomics.wait(this.#words, this.#epoch, epoch, 1);
    return true;
  }
}
