import { ChainIndex, scramble } from './chain-index.ts';
import { lockMutex, unlockMutex } from './mutex.ts';
import { RecordPool } from './records.ts';

/* Words of state. */
const MUTEX = 0;
const DEVICES = 1;
const STATE_WORDS = 2;
/** Number spaces beside that of CIPHERDIR: 15 bits, of which 0 is CIPHERDIR's. */
const MAX_DEVICES = 32766;

/* Words of a record of the counter space; its number is what is shown. */
const DEV = 0;
const INO_LO = 1;
const INO_HI = 2;
const HASH = 3;
const CHAIN = 4;
const STRIDE = 5;
const SPILL_CAPACITY = 1 << 18;

/** Inode numbers of up to 48 bits keep their value inside their space. */
const MAX_INO_HI = 0xffff;

/**
 * Shown inode numbers (behaviour.md 6.2): those of CIPHERDIR's device unchanged, those of the k-th other device as k·2^48 + number, and
 * a counter from 2^63 for what does not fit. Results are in `lo` and `hi` of this thread's view.
 */
export class InodeMap {
  lo = 0;
  hi = 0;
  readonly #words: Int32Array;
  readonly #rootDev: number;
  readonly #devices: number;
  readonly #spill: RecordPool;
  readonly #index: ChainIndex;
  /** The device asked for last and its space. */
  #lastDev: number;
  #lastSpace = 0;

  /** @param rootDev device of CIPHERDIR */
  constructor(memory: SharedArrayBuffer, offset: number, rootDev: number) {
    this.#words = new Int32Array(memory, offset, InodeMap.bytes / 4);
    this.#rootDev = rootDev;
    this.#lastDev = rootDev;
    this.#devices = STATE_WORDS;
    const poolAt = STATE_WORDS + MAX_DEVICES;
    this.#spill = new RecordPool(this.#words, poolAt, STRIDE, SPILL_CAPACITY);
    this.#index = new ChainIndex(this.#words, poolAt + RecordPool.words(STRIDE, SPILL_CAPACITY), this.#spill, HASH, CHAIN);
  }

  /** Shared memory needed, bytes. */
  static get bytes(): number {
    return (STATE_WORDS + MAX_DEVICES + RecordPool.words(STRIDE, SPILL_CAPACITY) + ChainIndex.words(SPILL_CAPACITY)) * 4;
  }

  /**
   * Puts the number to show for a backing object into `lo` and `hi`.
   * @returns true if this was the first number taken from the counter space: worth a warning
   */
  translate(dev: number, inoLo: number, inoHi: number): boolean {
    this.lo = inoLo;
    this.hi = inoHi;
    if (inoHi <= MAX_INO_HI) {
      if (dev === this.#rootDev) return false;
      const space = dev === this.#lastDev ? this.#lastSpace : this.#spaceOf(dev);
      if (space > 0) {
        this.hi = space * 0x10000 + inoHi;
        return false;
      }
    }
    return this.#spilled(dev, inoLo, inoHi);
  }

  #spaceOf(dev: number): number {
    const words = this.#words;
    lockMutex(words, MUTEX);
    const count = words[DEVICES]!;
    let space = 1;
    while (space <= count && words[this.#devices + space - 1] !== (dev | 0)) space++;
    if (space > MAX_DEVICES) {
      space = 0;
    } else if (space > count) {
      words[this.#devices + space - 1] = dev;
      words[DEVICES] = space;
    }
    unlockMutex(words, MUTEX);
    this.#lastDev = dev;
    this.#lastSpace = space;
    return space;
  }

  #spilled(dev: number, inoLo: number, inoHi: number): boolean {
    const words = this.#words;
    const hash = scramble(Math.imul(inoLo, 0x9e3779b1) ^ Math.imul(inoHi, 0x85ebca6b) ^ dev);
    lockMutex(words, MUTEX);
    let record = this.#index.first(hash);
    for (; record !== 0; record = this.#index.next(record)) {
      const at = this.#spill.base + record * STRIDE;
      if (words[at + INO_LO] === (inoLo | 0) && words[at + INO_HI] === (inoHi | 0) && words[at + DEV] === (dev | 0)) break;
    }
    let isFirst = false;
    if (record === 0) {
      record = this.#spill.allocate();
      if (record !== 0) {
        const at = this.#spill.base + record * STRIDE;
        words[at + DEV] = dev;
        words[at + INO_LO] = inoLo;
        words[at + INO_HI] = inoHi;
        this.#index.insert(record, hash);
        isFirst = record === 1;
      }
    }
    unlockMutex(words, MUTEX);
    this.hi = record === 0 ? (0x80000000 | inoHi) >>> 0 : 0x80000000;
    this.lo = record === 0 ? inoLo : record - 1;
    return isFirst;
  }
}
