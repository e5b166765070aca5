/**
 * File IDs and first nonces of a reverse view, shared by all workers: of files that are open, and of files with several names, which keep
 * those of one name until unmount (format.md 10.1, keyed by device and inode number). Zeroed memory is a valid empty table.
 */
import { ChainIndex, scramble } from './chain-index.ts';
import { lockMutex, unlockMutex } from './mutex.ts';
import { RecordPool } from './records.ts';

/** A file ID and the nonce of block 0 behind it, bytes. */
export const DERIVED_IDS_LEN = 32;

/* Words of state. */
const MUTEX = 0;
const STATE_WORDS = 1;

/* Words of a record; the first doubles as link of the free list. */
const INO_LO = 1;
const INO_HI = 2;
const DEV = 3;
const HASH = 4;
const CHAIN = 5;
/** 1: of a file with several names, kept until unmount. */
const KEPT = 6;
const VALUES = 7;
const STRIDE = VALUES + DERIVED_IDS_LEN / 4;

function hashIdentity(dev: number, inoLo: number, inoHi: number): number {
  return scramble(Math.imul(inoLo, 0x9e3779b1) ^ scramble(inoHi ^ Math.imul(dev, 0x85ebca6b)));
}

/** Records of derived values; a *record* is a number from 1 on. */
export class DerivedIDs {
  /** View of the values; `valueOffset` says where those of a record lie. They never change while the record is in use. */
  readonly values: Uint8Array;
  readonly #words: Int32Array;
  readonly #pool: RecordPool;
  readonly #index: ChainIndex;

  /** Attaches to `bytes(capacity)` bytes at `offset` (a multiple of 4), all zero before the first thread attaches. */
  constructor(memory: SharedArrayBuffer, offset: number, capacity: number) {
    const bytes = DerivedIDs.bytes(capacity);
    this.#words = new Int32Array(memory, offset, bytes / 4);
    this.values = new Uint8Array(memory, offset, bytes);
    this.#pool = new RecordPool(this.#words, STATE_WORDS, STRIDE, capacity);
    this.#index = new ChainIndex(this.#words, STATE_WORDS + RecordPool.words(STRIDE, capacity), this.#pool, HASH, CHAIN);
  }

  /** Shared memory for `capacity` records, bytes. */
  static bytes(capacity: number): number {
    return (STATE_WORDS + RecordPool.words(STRIDE, capacity) + ChainIndex.words(capacity)) * 4;
  }

  /** Where in `values` the file ID of a record lies; the nonce of block 0 follows it. */
  valueOffset(record: number): number {
    return (this.#pool.base + record * STRIDE + VALUES) * 4;
  }

  /** The record of a file with several names, or 0. */
  findLinked(dev: number, inoLo: number, inoHi: number): number {
    lockMutex(this.#words, MUTEX);
    const record = this.#find(dev, inoLo, inoHi);
    unlockMutex(this.#words, MUTEX);
    return record;
  }

  /** Keeps values for a file with several names, unless it has some. @returns its record, 0 if there is no room */
  addLinked(dev: number, inoLo: number, inoHi: number, values: Uint8Array): number {
    lockMutex(this.#words, MUTEX);
    let record = this.#find(dev, inoLo, inoHi);
    if (record === 0) {
      record = this.#create(values, 1);
      if (record !== 0) {
        const at = this.#pool.base + record * STRIDE;
        this.#words[at + DEV] = dev;
        this.#words[at + INO_LO] = inoLo;
        this.#words[at + INO_HI] = inoHi;
        this.#index.insert(record, hashIdentity(dev, inoLo, inoHi));
      }
    }
    unlockMutex(this.#words, MUTEX);
    return record;
  }

  /** Holds values for one open of a file. @returns a record to give back with `release`, 0 if there is no room */
  add(values: Uint8Array): number {
    lockMutex(this.#words, MUTEX);
    const record = this.#create(values, 0);
    unlockMutex(this.#words, MUTEX);
    return record;
  }

  /** Gives back a record of `add`; those of files with several names stay. */
  release(record: number): void {
    if (this.#words[this.#pool.base + record * STRIDE + KEPT] === 1) return;
    lockMutex(this.#words, MUTEX);
    this.#pool.free(record);
    unlockMutex(this.#words, MUTEX);
  }

  #create(values: Uint8Array, kept: number): number {
    const record = this.#pool.allocate();
    if (record === 0) return 0;
    this.#words[this.#pool.base + record * STRIDE + KEPT] = kept;
    const at = this.valueOffset(record);
    for (let i = 0; i < DERIVED_IDS_LEN; i++) this.values[at + i] = values[i]!;
    return record;
  }

  #find(dev: number, inoLo: number, inoHi: number): number {
    const words = this.#words;
    for (let record = this.#index.first(hashIdentity(dev, inoLo, inoHi)); record !== 0; record = this.#index.next(record)) {
      const at = this.#pool.base + record * STRIDE;
      if (words[at + INO_LO] === (inoLo | 0) && words[at + INO_HI] === (inoHi | 0) && words[at + DEV] === (dev | 0)) return record;
    }
    return 0;
  }
}
