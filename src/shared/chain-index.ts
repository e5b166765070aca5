import type { RecordPool } from './records.ts';

/** Spreads the bits of a 32-bit value so that its low bits depend on all of them (the finaliser of MurmurHash3, public domain). */
export function scramble(value: number): number {
  let h = value;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/**
 * A hash index over the records of a pool, with the chains running through two words of each record (hash, next).
 * It grows by linear hashing, one bucket at a time as records come, so that no insertion ever has to move them all
 * and memory stays in proportion to the number of records. Nothing here locks.
 */
export class ChainIndex {
  /** Words of state before the buckets: buckets in use, records. */
  static readonly STATE_WORDS = 2;

  readonly #words: Int32Array;
  readonly #state: number;
  readonly #buckets: number;
  readonly #maxBuckets: number;
  readonly #recordBase: number;
  readonly #stride: number;
  readonly #hashField: number;
  readonly #nextField: number;

  constructor(words: Int32Array, wordOffset: number, pool: RecordPool, hashField: number, nextField: number) {
    this.#words = words;
    this.#state = wordOffset;
    this.#buckets = wordOffset + ChainIndex.STATE_WORDS;
    this.#maxBuckets = pool.capacity;
    this.#recordBase = pool.base;
    this.#stride = pool.stride;
    this.#hashField = hashField;
    this.#nextField = nextField;
  }

  /** Words taken by an index over `capacity` records. */
  static words(capacity: number): number {
    return ChainIndex.STATE_WORDS + capacity;
  }

  #bucketOf(hash: number): number {
    const count = this.#words[this.#state]!;
    if (count < 2) return this.#buckets;
    const low = 1 << (31 - Math.clz32(count));
    const wide = hash & (2 * low - 1);
    return this.#buckets + (wide < count ? wide : hash & (low - 1));
  }

  /** First record that may have this hash, or 0; compare, then go on with `next`. */
  first(hash: number): number {
    return this.#words[this.#bucketOf(hash)]!;
  }

  /** Record behind `record` in its chain, or 0. */
  next(record: number): number {
    return this.#words[this.#recordBase + record * this.#stride + this.#nextField]!;
  }

  /** Adds a record under `hash`, in front of all others of the chain. */
  insert(record: number, hash: number): void {
    const words = this.#words;
    const state = this.#state;
    if (words[state] === 0) words[state] = 1;
    words[state + 1] = words[state + 1]! + 1;
    if (words[state + 1]! > words[state]! && words[state]! < this.#maxBuckets) this.#split();
    const at = this.#recordBase + record * this.#stride;
    const bucket = this.#bucketOf(hash);
    words[at + this.#hashField] = hash;
    words[at + this.#nextField] = words[bucket]!;
    words[bucket] = record;
  }

  /** Takes out a record that is in the index. */
  remove(record: number): void {
    const words = this.#words;
    const at = this.#recordBase + record * this.#stride;
    let link = this.#bucketOf(words[at + this.#hashField]!);
    while (words[link] !== record) {
      if (words[link] === 0) throw new Error(`record ${record} is not in its chain`);
      link = this.#recordBase + words[link]! * this.#stride + this.#nextField;
    }
    words[link] = words[at + this.#nextField]!;
    words[at + this.#nextField] = 0;
    words[this.#state + 1] = words[this.#state + 1]! - 1;
  }

  /** Adds one bucket and moves the records that belong there out of the one bucket they can be in. */
  #split(): void {
    const words = this.#words;
    const added = words[this.#state]!;
    const low = 1 << (31 - Math.clz32(added));
    const mask = 2 * low - 1;
    words[this.#state] = added + 1;
    let link = this.#buckets + added - low;
    let target = this.#buckets + added;
    let record = words[link]!;
    while (record !== 0) {
      const at = this.#recordBase + record * this.#stride;
      const next = words[at + this.#nextField]!;
      if ((words[at + this.#hashField]! & mask) === added) {
        words[link] = next;
        words[target] = record;
        target = at + this.#nextField;
      } else {
        link = at + this.#nextField;
      }
      record = next;
    }
    words[target] = 0;
  }
}
