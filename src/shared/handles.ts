/**
 * The table of FUSE handles (`fh`) for open files and directories.
 *
 * A handle number is generation · 2^k + slot, a positive 31-bit integer; a stale number therefore names no handle instead of a
 * stranger's. Handles of one node are chained, so that fstat of a deleted file finds a descriptor (behaviour.md 6.6).
 * Zeroed memory is a valid empty table.
 */
import { Errno } from '../base/errno.ts';
import { lockMutex, unlockMutex } from './mutex.ts';

/** Header, words. */
const MUTEX = 0;
const FREE_HEAD = 1;
const HIGH_WATER = 2;
const IN_USE = 3;
const HEADER_BYTES = 64;

/** Record, words and doubles from its start; the mutex guards all but PINS and the directory fields. */
const RECORD_BYTES = 64;
const RECORD_WORDS = RECORD_BYTES / 4;
const RECORD_DOUBLES = RECORD_BYTES / 8;
const NODE_DOUBLE = 0;
const POSITION_LO = 2;
const POSITION_HI = 3;
/** The handle number while in use, else 0. */
const CURRENT = 4;
const GENERATION = 5;
const FD = 6;
const FILE = 7;
const FLAGS = 8;
/** Links are slot + 1, 0 at the end. Free slots use NEXT too. */
const NEXT = 9;
const PREVIOUS = 10;
const PINS = 11;
/** Counts on when the slot is used again. */
const FILLS = 12;

/** Access mode bits of open flags and their read-only value (asm-generic/fcntl.h). */
const O_ACCMODE = 3;
const O_RDONLY = 0;

function slotBitsFor(capacity: number): number {
  let bits = 4;
  while (2 ** bits < capacity) bits++;
  if (bits > 22) throw new RangeError(`${capacity} handles are more than the handle number can tell apart`);
  return bits;
}

/** Open handles of the mount. Reading a field of a handle that the kernel holds open needs no lock. */
export class Handles {
  /** Shared memory for `capacity` handles, bytes (a multiple of 64). */
  static bytes(capacity: number): number {
    return HEADER_BYTES + 2 ** slotBitsFor(capacity) * 4 + capacity * RECORD_BYTES;
  }

  private readonly capacity: number;
  private readonly slotMask: number;
  private readonly slotBits: number;
  private readonly lastGeneration: number;
  private readonly words: Int32Array;
  private readonly records: Int32Array;
  private readonly doubles: Float64Array;

  /** Attaches to `bytes(capacity)` bytes at `offset` (a multiple of 64), all zero before the first thread attaches. */
  constructor(memory: SharedArrayBuffer, offset: number, capacity: number) {
    this.capacity = capacity;
    this.slotBits = slotBitsFor(capacity);
    const heads = 2 ** this.slotBits;
    this.slotMask = heads - 1;
    this.lastGeneration = 2 ** (31 - this.slotBits) - 1;
    const start = offset + HEADER_BYTES + heads * 4;
    this.words = new Int32Array(memory, offset, HEADER_BYTES / 4 + heads);
    this.records = new Int32Array(memory, start, capacity * RECORD_WORDS);
    this.doubles = new Float64Array(memory, start, capacity * RECORD_DOUBLES);
  }

  private headOf(node: number): number {
    const mixed = Math.imul(node | 0, 0x9e3779b1);
    return HEADER_BYTES / 4 + ((mixed ^ (mixed >>> 15)) & this.slotMask);
  }

  /**
   * Registers an open descriptor.
   * @param file record of OpenFiles, −1 for directories
   * @param flags open flags as the caller of open asked for them; the access mode decides which handles can write
   * @returns handle, or −EMFILE when the table is full
   */
  add(fd: number, file: number, node: number, flags: number): number {
    const { words, records } = this;
    lockMutex(words, MUTEX);
    let slot: number;
    if (words[FREE_HEAD] !== 0) {
      slot = words[FREE_HEAD]! - 1;
      words[FREE_HEAD] = records[slot * RECORD_WORDS + NEXT]!;
    } else if (words[HIGH_WATER]! < this.capacity) {
      slot = words[HIGH_WATER]!;
      words[HIGH_WATER] = slot + 1;
    } else {
      unlockMutex(words, MUTEX);
      return -Errno.EMFILE;
    }
    const at = slot * RECORD_WORDS;
    const generation = records[at + GENERATION]! >= this.lastGeneration ? 1 : records[at + GENERATION]! + 1;
    const handle = (generation << this.slotBits) | slot;
    records[at + GENERATION] = generation;
    records[at + FD] = fd;
    records[at + FILE] = file;
    records[at + FLAGS] = flags;
    this.doubles[slot * RECORD_DOUBLES + NODE_DOUBLE] = node;
    records[at + POSITION_LO] = 0;
    records[at + POSITION_HI] = 0;
    const head = this.headOf(node);
    const next = words[head]!;
    records[at + NEXT] = next;
    records[at + PREVIOUS] = 0;
    if (next !== 0) records[(next - 1) * RECORD_WORDS + PREVIOUS] = slot + 1;
    words[head] = slot + 1;
    words[IN_USE] = words[IN_USE]! + 1;
    Atomics.store(records, at + CURRENT, handle);
    unlockMutex(words, MUTEX);
    return handle;
  }

  /** True if the number names a handle that is open now. */
  isValid(handle: number): boolean {
    const slot = handle & this.slotMask;
    return handle > 0 && slot < this.capacity && Atomics.load(this.records, slot * RECORD_WORDS + CURRENT) === handle;
  }

  /** The backing descriptor. */
  fd(handle: number): number {
    return this.records[(handle & this.slotMask) * RECORD_WORDS + FD]!;
  }

  /** The record of OpenFiles, −1 for a directory. */
  file(handle: number): number {
    return this.records[(handle & this.slotMask) * RECORD_WORDS + FILE]!;
  }

  /** The node it was opened on. */
  node(handle: number): number {
    return this.doubles[(handle & this.slotMask) * RECORD_DOUBLES + NODE_DOUBLE]!;
  }

  /** The open flags given to `add`. */
  flags(handle: number): number {
    return this.records[(handle & this.slotMask) * RECORD_WORDS + FLAGS]!;
  }

  /** True if it was opened for writing. */
  isWritable(handle: number): boolean {
    return (this.flags(handle) & O_ACCMODE) !== O_RDONLY;
  }

  /**
   * Low half of the position of a directory handle, unsigned: what the next readdir continues from, 0 at first. Directory cookies are
   * 63-bit numbers, too long for one double; their meaning is up to the reader.
   */
  positionLo(handle: number): number {
    return this.records[(handle & this.slotMask) * RECORD_WORDS + POSITION_LO]! >>> 0;
  }

  /** High half of the position of a directory handle, unsigned. */
  positionHi(handle: number): number {
    return this.records[(handle & this.slotMask) * RECORD_WORDS + POSITION_HI]! >>> 0;
  }

  /** Sets the position of a directory handle. */
  setPosition(handle: number, lo: number, hi: number): void {
    const at = (handle & this.slotMask) * RECORD_WORDS;
    this.records[at + POSITION_LO] = lo;
    this.records[at + POSITION_HI] = hi;
  }

  /** Counts a read of directory entries. @returns a number that no earlier read through this slot had (but for wrapping at 2^32) */
  countFill(handle: number): number {
    return Atomics.add(this.records, (handle & this.slotMask) * RECORD_WORDS + FILLS, 1) + 1;
  }

  /** True if `fill` is what the last `countFill` of this slot returned: no other thread has read entries since. */
  isLastFill(handle: number, fill: number): boolean {
    return Atomics.load(this.records, (handle & this.slotMask) * RECORD_WORDS + FILLS) === (fill | 0);
  }

  /**
   * Takes the handle out of the table and waits until nobody has it pinned. The descriptor and the open-file reference stay the caller's
   * to close: read them before. @returns false if the handle is stale
   */
  remove(handle: number): boolean {
    const { words, records } = this;
    const slot = handle & this.slotMask;
    const at = slot * RECORD_WORDS;
    lockMutex(words, MUTEX);
    if (!this.isValid(handle)) {
      unlockMutex(words, MUTEX);
      return false;
    }
    Atomics.store(records, at + CURRENT, 0);
    const next = records[at + NEXT]!;
    const previous = records[at + PREVIOUS]!;
    if (next !== 0) records[(next - 1) * RECORD_WORDS + PREVIOUS] = previous;
    if (previous !== 0) records[(previous - 1) * RECORD_WORDS + NEXT] = next;
    else words[this.headOf(this.doubles[slot * RECORD_DOUBLES + NODE_DOUBLE]!)] = next;
    words[IN_USE] = words[IN_USE]! - 1;
    if (Atomics.load(records, at + PINS) !== 0) {
      // Unlinked above, so no new pin can come; a pin lasts one fstat or so.
      unlockMutex(words, MUTEX);
      for (let pins = Atomics.load(records, at + PINS); pins !== 0; pins = Atomics.load(records, at + PINS)) {
        Atomics.wait(records, at + PINS, pins);
      }
      lockMutex(words, MUTEX);
    }
    records[at + NEXT] = words[FREE_HEAD]!;
    words[FREE_HEAD] = slot + 1;
    unlockMutex(words, MUTEX);
    return true;
  }

  private firstOfNode(node: number, needWritable: boolean): number {
    const records = this.records;
    let link = this.words[this.headOf(node)]!;
    while (link !== 0) {
      const at = (link - 1) * RECORD_WORDS;
      if (this.doubles[(link - 1) * RECORD_DOUBLES + NODE_DOUBLE] === node) {
        if (!needWritable || (records[at + FLAGS]! & O_ACCMODE) !== O_RDONLY) return records[at + CURRENT]!;
      }
      link = records[at + NEXT]!;
    }
    return -1;
  }

  /** Any open handle of a node, or −1. It may be gone a moment later: to use its descriptor, call `pinAnyOfNode`. */
  anyOfNode(node: number): number {
    lockMutex(this.words, MUTEX);
    const handle = this.firstOfNode(node, false);
    unlockMutex(this.words, MUTEX);
    return handle;
  }

  /**
   * Any open handle of a node, or −1, kept from being removed (its descriptor from being closed) until `unpin`, which must follow soon
   * and on the same thread before anything is removed there.
   */
  pinAnyOfNode(node: number, needWritable: boolean): number {
    lockMutex(this.words, MUTEX);
    const handle = this.firstOfNode(node, needWritable);
    if (handle > 0) Atomics.add(this.records, (handle & this.slotMask) * RECORD_WORDS + PINS, 1);
    unlockMutex(this.words, MUTEX);
    return handle;
  }

  /** Ends a `pinAnyOfNode`. */
  unpin(handle: number): void {
    const pins = (handle & this.slotMask) * RECORD_WORDS + PINS;
    if (Atomics.sub(this.records, pins, 1) === 1) Atomics.notify(this.records, pins);
  }

  /** Number of open handles, files and directories. */
  count(): number {
    return Atomics.load(this.words, IN_USE);
  }
}
