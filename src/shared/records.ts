/**
 * A pool of equally large records inside shared memory. Records are numbered from 1; 0 means "none". Nothing here locks:
 * the owner of the table holds its mutex around every call.
 */
export class RecordPool {
  /** Words of pool state that lie before the records: free-list head, highest number ever used, records in use. */
  static readonly STATE_WORDS = 4;

  /** Word index of record 0 (which is never used), so that record r starts at `base + r * stride`. */
  readonly base: number;
  /** Words per record. */
  readonly stride: number;
  readonly capacity: number;
  readonly #words: Int32Array;
  readonly #state: number;

  constructor(words: Int32Array, wordOffset: number, stride: number, capacity: number) {
    this.#words = words;
    this.#state = wordOffset;
    this.base = wordOffset + RecordPool.STATE_WORDS;
    this.stride = stride;
    this.capacity = capacity;
  }

  /** Words taken by the state, record 0 and `capacity` records. */
  static words(stride: number, capacity: number): number {
    return RecordPool.STATE_WORDS + (capacity + 1) * stride;
  }

  /** A record whose words hold what they held when it was freed (0 at first), or 0 if the pool is full. */
  allocate(): number {
    const words = this.#words;
    const state = this.#state;
    let record = words[state]!;
    if (record !== 0) {
      words[state] = words[this.base + record * this.stride]!;
    } else {
      if (words[state + 1] === this.capacity) return 0;
      record = words[state + 1]! + 1;
      words[state + 1] = record;
    }
    words[state + 2] = words[state + 2]! + 1;
    return record;
  }

  /** Gives a record back; its first word becomes the link of the free list. */
  free(record: number): void {
    const words = this.#words;
    const state = this.#state;
    words[this.base + record * this.stride] = words[state]!;
    words[state] = record;
    words[state + 2] = words[state + 2]! - 1;
  }

  /** Records in use. */
  get used(): number {
    return this.#words[this.#state + 2]!;
  }
}
