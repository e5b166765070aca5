/** A mutual-exclusion lock over one word of shared memory; `Atomics` only, so any thread of the process can take it. */

/** Word values: free; held; held and at least one thread may be asleep on it. */
const FREE = 0;
const HELD = 1;
const CONTENDED = 2;

/** Critical sections behind these locks last well under a microsecond: look again a few times before going to sleep. */
const SPINS = 64;

/** Takes the lock word at `index` (an `Int32Array` index), sleeping until it is free. Not recursive. */
export function lockMutex(words: Int32Array, index: number): void {
  if (Atomics.compareExchange(words, index, FREE, HELD) === FREE) return;
  for (let spin = 0; spin < SPINS; spin++) {
    if (Atomics.load(words, index) === FREE && Atomics.compareExchange(words, index, FREE, HELD) === FREE) return;
  }
  // From here on the word says "contended" whoever holds it, so that the holder wakes a sleeper when it leaves.
  while (Atomics.exchange(words, index, CONTENDED) !== FREE) Atomics.wait(words, index, CONTENDED);
}

/** Gives the lock word at `index` back; only the thread that took it may call this. */
export function unlockMutex(words: Int32Array, index: number): void {
  if (Atomics.exchange(words, index, FREE) === CONTENDED) Atomics.notify(words, index, 1);
}

/** One lock word as an object, for structures that own a single lock. The word must start as 0. */
export class Mutex {
  /** Shared memory needed, bytes. */
  static readonly bytes = 4;

  private readonly words: Int32Array;
  private readonly index: number;

  /** @param index index of the lock word in `words` */
  constructor(words: Int32Array, index: number) {
    this.words = words;
    this.index = index;
  }

  /** Takes the lock, sleeping until it is free. */
  lock(): void {
    lockMutex(this.words, this.index);
  }

  /** Gives the lock back. */
  unlock(): void {
    unlockMutex(this.words, this.index);
  }
}
