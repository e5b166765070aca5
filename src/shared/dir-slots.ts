import { lockMutex, unlockMutex } from './mutex.ts';

/** Length of a directory IV, bytes (format.md 8.4). */
export const DIR_IV_LEN = 16;
/** Descriptors kept while nobody uses them; more exist only while more are in use at once. */
const KEPT = 16;
/** A descriptor or IV older than this is not used any more, ms (behaviour.md 6.1). */
export const DIR_MAX_AGE = 60_000;

/* Header, words. */
const MUTEX = 0;
const TICKS = 1;
const LIVE = 2;
/** Slots above this number were never used. */
const HIGH_WATER = 3;
/** Taken across system calls while a directory may be without its IV file. */
const IV_FILES = 4;
const HEADER_BYTES = 64;

/* Record, words from its start. */
const NODE = 0;
const SERIAL = 1;
const FD = 2;
const PINS = 3;
/** Tick of the last use. */
const USED = 4;
/** 1: not to be found any more, goes with its last pin. */
const DOOMED = 5;
const IV_STATE = 6;
/** Time of opening, ms since 1970, as a double in words 8 and 9; of reading the IV in words 10 and 11. */
const OPENED_DOUBLE = 4;
const IV_READ_DOUBLE = 5;
const IV_BYTE = 48;
const RECORD_BYTES = 64;
const RECORD_WORDS = RECORD_BYTES / 4;
const RECORD_DOUBLES = RECORD_BYTES / 8;

/** The slot of the root: its descriptor belongs to the mount and is never closed. */
export const ROOT_SLOT = 0;

/**
 * A bounded cache of open directories shared by all workers: node → O_PATH descriptor and directory IV. Whoever uses a slot pins it.
 * Nothing here makes a system call: a descriptor that falls out is left in `toClose` of this thread's view, and the caller closes it.
 */
export class DirSlots {
  /** Descriptor that the last call gave up, or −1. */
  toClose = -1;
  /** View of the IVs; `ivOffset` says where one lies. Only while the slot is pinned. */
  readonly ivs: Uint8Array;
  readonly #words: Int32Array;
  readonly #records: Int32Array;
  readonly #doubles: Float64Array;
  readonly #capacity: number;

  /** Attaches to `bytes(capacity)` bytes at `offset` (a multiple of 64), all zero before the first thread attaches. */
  constructor(memory: SharedArrayBuffer, offset: number, capacity: number) {
    const start = offset + HEADER_BYTES;
    this.#capacity = capacity;
    this.#words = new Int32Array(memory, offset, HEADER_BYTES / 4);
    this.#records = new Int32Array(memory, start, capacity * RECORD_WORDS);
    this.#doubles = new Float64Array(memory, start, capacity * RECORD_DOUBLES);
    this.ivs = new Uint8Array(memory, start, capacity * RECORD_BYTES);
  }

  /** Shared memory for at most `capacity` directories in use at once, bytes. */
  static bytes(capacity: number): number {
    return HEADER_BYTES + capacity * RECORD_BYTES;
  }

  /** Puts the root into its slot; once, before any worker starts. */
  initialiseRoot(node: number, serial: number, fd: number): void {
    this.#fill(ROOT_SLOT, node, serial, fd, 0);
    this.#words[HIGH_WATER] = 1;
  }

  /** Pins the slot of a directory. @returns it, or −1 if the directory is not open or its slot is too old */
  pin(node: number, serial: number, now: number): number {
    const records = this.#records;
    this.toClose = -1;
    lockMutex(this.#words, MUTEX);
    let slot = this.#find(node, serial);
    if (slot > ROOT_SLOT && this.#isOld(slot, now)) {
      this.#doom(slot);
      slot = -1;
    }
    if (slot >= 0) {
      Atomics.add(records, slot * RECORD_WORDS + PINS, 1);
      records[slot * RECORD_WORDS + USED] = this.#tick();
    }
    unlockMutex(this.#words, MUTEX);
    return slot;
  }

  /**
   * Takes over a freshly opened descriptor and pins its slot. If another thread was faster, its slot is used and `fd` becomes `toClose`;
   * else the directory used least recently may become `toClose`.
   */
  install(node: number, serial: number, fd: number, now: number): number {
    const records = this.#records;
    this.toClose = -1;
    lockMutex(this.#words, MUTEX);
    let slot = this.#find(node, serial);
    if (slot >= 0) {
      this.toClose = fd;
    } else {
      if (this.#words[LIVE]! >= KEPT) this.#evict();
      slot = this.#freeSlot();
      this.#fill(slot, node, serial, fd, now);
      Atomics.add(this.#words, LIVE, 1);
    }
    Atomics.add(records, slot * RECORD_WORDS + PINS, 1);
    records[slot * RECORD_WORDS + USED] = this.#tick();
    unlockMutex(this.#words, MUTEX);
    return slot;
  }

  /** Ends a pin. */
  unpin(slot: number): void {
    this.toClose = -1;
    const at = slot * RECORD_WORDS;
    if (Atomics.sub(this.#records, at + PINS, 1) !== 1 || slot === ROOT_SLOT) return;
    if (Atomics.load(this.#records, at + DOOMED) === 0 && Atomics.load(this.#words, LIVE) <= KEPT) return;
    lockMutex(this.#words, MUTEX);
    const unused = Atomics.load(this.#records, at + PINS) === 0 && this.#records[at + NODE] !== 0;
    if (unused && (this.#records[at + DOOMED] === 1 || this.#words[LIVE]! > KEPT)) this.#empty(slot);
    unlockMutex(this.#words, MUTEX);
  }

  /** Forgets a directory that is going to be removed or was. */
  drop(node: number): void {
    this.toClose = -1;
    lockMutex(this.#words, MUTEX);
    for (let slot = ROOT_SLOT + 1; slot < this.#words[HIGH_WATER]!; slot++) {
      const at = slot * RECORD_WORDS;
      if (this.#records[at + NODE] === node && this.#records[at + DOOMED] === 0) {
        this.#doom(slot);
        break;
      }
    }
    unlockMutex(this.#words, MUTEX);
  }

  /** Empties one unused slot older than `maxAge` ms, its descriptor in `toClose`. @returns false if there is none: done */
  trimOne(now: number, maxAge: number): boolean {
    this.toClose = -1;
    lockMutex(this.#words, MUTEX);
    for (let slot = ROOT_SLOT + 1; slot < this.#words[HIGH_WATER]! && this.toClose < 0; slot++) {
      if (this.#records[slot * RECORD_WORDS + NODE] === 0) continue;
      if (Math.abs(now - this.#doubles[slot * RECORD_DOUBLES + OPENED_DOUBLE]!) >= maxAge) this.#doom(slot);
    }
    unlockMutex(this.#words, MUTEX);
    return this.toClose >= 0;
  }

  /** The descriptor of a pinned slot. */
  fd(slot: number): number {
    return this.#records[slot * RECORD_WORDS + FD]!;
  }

  /** Where in `ivs` the IV of a pinned slot lies; only if `hasIV`. */
  ivOffset(slot: number): number {
    return slot * RECORD_BYTES + IV_BYTE;
  }

  /** True if the IV of a pinned slot is known and was read at most a minute ago. */
  hasIV(slot: number, now: number): boolean {
    if (Atomics.load(this.#records, slot * RECORD_WORDS + IV_STATE) === 0) return false;
    return Math.abs(now - this.#doubles[slot * RECORD_DOUBLES + IV_READ_DOUBLE]!) < DIR_MAX_AGE;
  }

  /** Stores the IV of a pinned slot. Bytes that are there already are not touched, since others may be reading them. */
  setIV(slot: number, src: Uint8Array, off: number, now: number): void {
    const to = this.ivOffset(slot);
    for (let i = 0; i < DIR_IV_LEN; i++) if (this.ivs[to + i] !== src[off + i]) this.ivs[to + i] = src[off + i]!;
    this.#doubles[slot * RECORD_DOUBLES + IV_READ_DOUBLE] = now;
    Atomics.store(this.#records, slot * RECORD_WORDS + IV_STATE, 1);
  }

  /** Directories open now, without the root. */
  live(): number {
    return Atomics.load(this.#words, LIVE);
  }

  /** Keeps others from relying on IV files while one is missing for a moment (mkdir, rmdir). Held across system calls. */
  lockIVFiles(): void {
    lockMutex(this.#words, IV_FILES);
  }

  /** Ends a `lockIVFiles`. */
  unlockIVFiles(): void {
    unlockMutex(this.#words, IV_FILES);
  }

  #tick(): number {
    return Atomics.add(this.#words, TICKS, 1);
  }

  #find(node: number, serial: number): number {
    const records = this.#records;
    const end = this.#words[HIGH_WATER]! * RECORD_WORDS;
    for (let at = 0; at < end; at += RECORD_WORDS) {
      if (records[at + NODE] === node && records[at + SERIAL] === serial && records[at + DOOMED] === 0) return at / RECORD_WORDS;
    }
    return -1;
  }

  #isOld(slot: number, now: number): boolean {
    return Math.abs(now - this.#doubles[slot * RECORD_DOUBLES + OPENED_DOUBLE]!) >= DIR_MAX_AGE;
  }

  #fill(slot: number, node: number, serial: number, fd: number, now: number): void {
    const records = this.#records;
    const at = slot * RECORD_WORDS;
    records[at + SERIAL] = serial;
    records[at + FD] = fd;
    records[at + DOOMED] = 0;
    records[at + IV_STATE] = 0;
    this.#doubles[slot * RECORD_DOUBLES + OPENED_DOUBLE] = now;
    records[at + NODE] = node;
  }

  #empty(slot: number): void {
    const at = slot * RECORD_WORDS;
    this.toClose = this.#records[at + FD]!;
    this.#records[at + NODE] = 0;
    this.#records[at + DOOMED] = 0;
    Atomics.sub(this.#words, LIVE, 1);
  }

  #doom(slot: number): void {
    const at = slot * RECORD_WORDS;
    // Marked before the pins are looked at: an `unpin` at the same moment sees the mark or is seen here.
    Atomics.store(this.#records, at + DOOMED, 1);
    if (Atomics.load(this.#records, at + PINS) === 0) this.#empty(slot);
  }

  /** Gives up the unpinned slot that was used least recently, if there is one. */
  #evict(): void {
    const records = this.#records;
    const now = this.#words[TICKS]!;
    let oldest = -1;
    let age = -1;
    for (let slot = ROOT_SLOT + 1; slot < this.#words[HIGH_WATER]!; slot++) {
      const at = slot * RECORD_WORDS;
      if (records[at + NODE] === 0 || Atomics.load(records, at + PINS) !== 0) continue;
      const unusedFor = (now - records[at + USED]!) >>> 0;
      if (unusedFor > age) {
        oldest = slot;
        age = unusedFor;
      }
    }
    if (oldest >= 0) this.#empty(oldest);
  }

  #freeSlot(): number {
    const high = this.#words[HIGH_WATER]!;
    for (let slot = ROOT_SLOT + 1; slot < high; slot++) {
      if (this.#records[slot * RECORD_WORDS + NODE] === 0) return slot;
    }
    if (high >= this.#capacity) throw new Error('more directories in use at once than there are slots');
    this.#words[HIGH_WATER] = high + 1;
    return high;
  }
}
