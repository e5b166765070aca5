/**
 * The table of open backing files, keyed by (device, inode), so that all handles, all hard links and a truncate by path meet
 * the same file ID, size and content lock (behaviour.md 6.8).
 *
 * Layout: header, hash heads, records of one cache line. Zeroed memory is a valid empty table; untouched records cost no memory.
 */
import { Errno } from '../base/errno.ts';
import { lockMutex, unlockMutex } from './mutex.ts';
import { lockExclusive, lockShared, unlockExclusive, unlockShared } from './rwlock.ts';

/** Header, words. */
const MUTEX = 0;
const FREE_HEAD = 1;
const HIGH_WATER = 2;
const IN_USE = 3;
const OPEN_LOCK = 4;
const NOTICES = 7;
const HEADER_BYTES = 64;

/** Record, bytes and words from its start. The table mutex guards key, references and chain; the content lock guards the rest. */
const RECORD_BYTES = 64;
const RECORD_WORDS = RECORD_BYTES / 4;
const RECORD_DOUBLES = RECORD_BYTES / 8;
const DEV_DOUBLE = 0;
const SIZE_DOUBLE = 1;
const ID_BYTE = 16;
const INO_LO = 8;
const INO_HI = 9;
const REFS = 10;
const NEXT = 11;
const LOCK = 12;
/** Low bits: state of the file ID; SIZE_KNOWN: the size field is right. */
const STATE = 15;

const ID_MASK = 3;
const ID_NONE = 0;
const ID_STORING = 1;
const ID_VALID = 2;
const SIZE_KNOWN = 4;

/** Length of a file ID, bytes (format.md 7.2). */
const FILE_ID_LEN = 16;

/** Something that is told to the user once per process, whichever thread meets it. */
export const Notice = {
  /** The backing filesystem has no fallocate (behaviour.md 6.9). */
  NoPreallocation: 1,
  /** A fallocate mode other than 0 and KEEP_SIZE was asked for (behaviour.md 6.12). */
  FallocateMode: 2,
} as const;
export type Notice = (typeof Notice)[keyof typeof Notice];

function headsFor(capacity: number): number {
  let heads = 16;
  while (heads < capacity) heads *= 2;
  return heads;
}

/** Open backing files; a *file* is the index of a record, valid from `acquire` to the matching `release`. */
export class OpenFiles {
  /** Shared memory for `capacity` files, bytes (a multiple of 64). */
  static bytes(capacity: number): number {
    return HEADER_BYTES + headsFor(capacity) * 4 + capacity * RECORD_BYTES;
  }

  /** View of the file IDs; `fileIDOffset` says where one lies. Only under the content lock, and only while `fileIDValid`. */
  readonly ids: Uint8Array;
  private readonly capacity: number;
  private readonly headMask: number;
  private readonly words: Int32Array;
  private readonly records: Int32Array;
  private readonly doubles: Float64Array;

  /** Attaches to `bytes(capacity)` bytes at `offset` (a multiple of 64), all zero before the first thread attaches. */
  constructor(memory: SharedArrayBuffer, offset: number, capacity: number) {
    const heads = headsFor(capacity);
    const start = offset + HEADER_BYTES + heads * 4;
    this.capacity = capacity;
    this.headMask = heads - 1;
    this.words = new Int32Array(memory, offset, HEADER_BYTES / 4 + heads);
    this.records = new Int32Array(memory, start, capacity * RECORD_WORDS);
    this.doubles = new Float64Array(memory, start, capacity * RECORD_DOUBLES);
    this.ids = new Uint8Array(memory, start, capacity * RECORD_BYTES);
  }

  private headOf(dev: number, inoLo: number, inoHi: number): number {
    const mixed = Math.imul((inoLo | 0) ^ Math.imul(inoHi | 0, 0x85ebca6b) ^ Math.imul(dev | 0, 0xc2b2ae35), 0x9e3779b1);
    return HEADER_BYTES / 4 + ((mixed ^ (mixed >>> 15)) & this.headMask);
  }

  private lookup(head: number, dev: number, inoLo: number, inoHi: number): number {
    const records = this.records;
    let link = this.words[head]!;
    while (link !== 0) {
      const at = (link - 1) * RECORD_WORDS;
      if (
        records[at + INO_LO] === (inoLo | 0) &&
        records[at + INO_HI] === (inoHi | 0) &&
        this.doubles[(link - 1) * RECORD_DOUBLES] === dev
      ) {
        return link - 1;
      }
      link = records[at + NEXT]!;
    }
    return -1;
  }

  /** Finds or makes the record of a backing file and takes one reference. @returns file, or −ENFILE when the table is full */
  acquire(dev: number, inoLo: number, inoHi: number): number {
    const { words, records } = this;
    const head = this.headOf(dev, inoLo, inoHi);
    lockMutex(words, MUTEX);
    let file = this.lookup(head, dev, inoLo, inoHi);
    if (file < 0) {
      if (words[FREE_HEAD] !== 0) {
        file = words[FREE_HEAD]! - 1;
        words[FREE_HEAD] = records[file * RECORD_WORDS + NEXT]!;
      } else if (words[HIGH_WATER]! < this.capacity) {
        file = words[HIGH_WATER]!;
        words[HIGH_WATER] = file + 1;
      } else {
        unlockMutex(words, MUTEX);
        return -Errno.ENFILE;
      }
      const at = file * RECORD_WORDS;
      records[at + INO_LO] = inoLo;
      records[at + INO_HI] = inoHi;
      records[at + REFS] = 0;
      Atomics.store(records, at + STATE, 0);
      this.doubles[file * RECORD_DOUBLES + DEV_DOUBLE] = dev;
      records[at + NEXT] = words[head]!;
      words[head] = file + 1;
      words[IN_USE] = words[IN_USE]! + 1;
    }
    records[file * RECORD_WORDS + REFS] = records[file * RECORD_WORDS + REFS]! + 1;
    unlockMutex(words, MUTEX);
    return file;
  }

  /** Drops one reference; the last one forgets everything about the file. */
  release(file: number): void {
    const { words, records } = this;
    const at = file * RECORD_WORDS;
    lockMutex(words, MUTEX);
    const refs = records[at + REFS]! - 1;
    records[at + REFS] = refs;
    if (refs < 0) {
      records[at + REFS] = 0;
      unlockMutex(words, MUTEX);
      throw new Error(`open file ${file} released more often than acquired`);
    }
    if (refs === 0) {
      const head = this.headOf(this.doubles[file * RECORD_DOUBLES + DEV_DOUBLE]!, records[at + INO_LO]!, records[at + INO_HI]!);
      if (words[head] === file + 1) {
        words[head] = records[at + NEXT]!;
      } else {
        let link = words[head]!;
        while (records[(link - 1) * RECORD_WORDS + NEXT] !== file + 1) link = records[(link - 1) * RECORD_WORDS + NEXT]!;
        records[(link - 1) * RECORD_WORDS + NEXT] = records[at + NEXT]!;
      }
      this.ids.fill(0, file * RECORD_BYTES + ID_BYTE, file * RECORD_BYTES + ID_BYTE + FILE_ID_LEN);
      records[at + NEXT] = words[FREE_HEAD]!;
      words[FREE_HEAD] = file + 1;
      words[IN_USE] = words[IN_USE]! - 1;
    }
    unlockMutex(words, MUTEX);
  }

  /** Looks a backing file up without taking a reference: only a hint, unless the caller holds one. @returns file, or −1 */
  find(dev: number, inoLo: number, inoHi: number): number {
    const head = this.headOf(dev, inoLo, inoHi);
    lockMutex(this.words, MUTEX);
    const file = this.lookup(head, dev, inoLo, inoHi);
    unlockMutex(this.words, MUTEX);
    return file;
  }

  /** Number of backing files that are open. */
  count(): number {
    return Atomics.load(this.words, IN_USE);
  }

  /** Low half of the backing inode number, unsigned. */
  inoLo(file: number): number {
    return this.records[file * RECORD_WORDS + INO_LO]! >>> 0;
  }

  /** High half of the backing inode number, unsigned. */
  inoHi(file: number): number {
    return this.records[file * RECORD_WORDS + INO_HI]! >>> 0;
  }

  /** Takes the content lock together with other readers. Not recursive. */
  lockShared(file: number): void {
    lockShared(this.records, file * RECORD_WORDS + LOCK);
  }

  /** Ends a `lockShared`. */
  unlockShared(file: number): void {
    unlockShared(this.records, file * RECORD_WORDS + LOCK);
  }

  /** Takes the content lock alone. Not recursive. */
  lockExclusive(file: number): void {
    lockExclusive(this.records, file * RECORD_WORDS + LOCK);
  }

  /** Ends a `lockExclusive`. */
  unlockExclusive(file: number): void {
    unlockExclusive(this.records, file * RECORD_WORDS + LOCK);
  }

  /** True if the file ID is known. */
  fileIDValid(file: number): boolean {
    return (Atomics.load(this.records, file * RECORD_WORDS + STATE) & ID_MASK) === ID_VALID;
  }

  /** Where in `ids` the file ID lies. */
  fileIDOffset(file: number): number {
    return file * RECORD_BYTES + ID_BYTE;
  }

  /** Copies the file ID (16 bytes) to `dst`. @returns false if it is not known */
  copyFileID(file: number, dst: Uint8Array, dstOff: number): boolean {
    if (!this.fileIDValid(file)) return false;
    const from = file * RECORD_BYTES + ID_BYTE;
    for (let i = 0; i < FILE_ID_LEN; i++) dst[dstOff + i] = this.ids[from + i]!;
    return true;
  }

  /** Stores the file ID; needs the content lock, shared is enough: of several readers one stores, the others find it done. */
  setFileID(file: number, src: Uint8Array, srcOff: number): void {
    const state = file * RECORD_WORDS + STATE;
    for (;;) {
      const old = Atomics.load(this.records, state);
      if ((old & ID_MASK) !== ID_NONE) return;
      if (Atomics.compareExchange(this.records, state, old, old | ID_STORING) === old) break;
    }
    const to = file * RECORD_BYTES + ID_BYTE;
    for (let i = 0; i < FILE_ID_LEN; i++) this.ids[to + i] = src[srcOff + i]!;
    // STORING (1) becomes VALID (2) whatever happens to the size bit meanwhile.
    Atomics.xor(this.records, state, ID_STORING | ID_VALID);
  }

  /** Forgets the file ID; needs the exclusive content lock. */
  forgetFileID(file: number): void {
    Atomics.and(this.records, file * RECORD_WORDS + STATE, ~ID_MASK);
  }

  /** Ciphertext size as this mount last left or saw it, bytes; −1 if unknown. Needs the content lock. */
  cipherSize(file: number): number {
    if ((Atomics.load(this.records, file * RECORD_WORDS + STATE) & SIZE_KNOWN) === 0) return -1;
    return this.doubles[file * RECORD_DOUBLES + SIZE_DOUBLE]!;
  }

  /** Stores the ciphertext size (bytes); needs the exclusive content lock. */
  setCipherSize(file: number, size: number): void {
    this.doubles[file * RECORD_DOUBLES + SIZE_DOUBLE] = size;
    Atomics.or(this.records, file * RECORD_WORDS + STATE, SIZE_KNOWN);
  }

  /** Makes the ciphertext size unknown; safe at any time. */
  forgetCipherSize(file: number): void {
    Atomics.and(this.records, file * RECORD_WORDS + STATE, ~SIZE_KNOWN);
  }

  /**
   * Tells what a stat saw, bytes; safe at any time, no lock needed. The stat may be older than the last write, so a different size is
   * never believed: it only makes the cached one unknown, and the next write asks the file itself.
   */
  noteCipherSize(file: number, size: number): void {
    const known = this.cipherSize(file);
    if (known >= 0 && known !== size) this.forgetCipherSize(file);
  }

  /** Lock around every open of a backing file: shared by ordinary opens (behaviour.md 6.11, mode 0200). */
  lockOpensShared(): void {
    lockShared(this.words, OPEN_LOCK);
  }

  /** Ends a `lockOpensShared`. */
  unlockOpensShared(): void {
    unlockShared(this.words, OPEN_LOCK);
  }

  /** Keeps every other open away while a file's mode is not what it should be. */
  lockOpensExclusive(): void {
    lockExclusive(this.words, OPEN_LOCK);
  }

  /** Ends a `lockOpensExclusive`. */
  unlockOpensExclusive(): void {
    unlockExclusive(this.words, OPEN_LOCK);
  }

  /** True for the first caller in the process, false for all later ones. */
  claimNotice(notice: Notice): boolean {
    return (Atomics.or(this.words, NOTICES, notice) & notice) === 0;
  }

  /** True once `claimNotice(notice)` was called by any thread. */
  noticed(notice: Notice): boolean {
    return (Atomics.load(this.words, NOTICES) & notice) !== 0;
  }
}
