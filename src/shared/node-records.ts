import { ChainIndex, scramble } from './chain-index.ts';
import { RecordPool } from './records.ts';

/* Words of a node record. The first two hold the lookup count as a double and double as link of the free list. */
const INO_LO = 2;
const INO_HI = 3;
const DEV = 4;
/** File type (bits of S_IFMT), INDEXED and CHECKED; 0 for a record not in use. */
const TYPE = 5;
/** Front of the ring of names, 0 if none is left. */
const NAMES = 6;
/** Name entries whose directory this is. */
const CHILDREN = 7;
const HASH = 8;
const CHAIN = 9;
const GENERATION = 10;
/** Changes each time the record is used for a new object, so that nothing kept elsewhere is mistaken for its successor's. */
const SERIAL = 11;
const STRIDE = 12;

const INDEXED = 1;
const CHECKED = 2;
const S_IFMT = 0o170000;

function hashIdentity(dev: number, inoLo: number, inoHi: number, type: number): number {
  return scramble(Math.imul(inoLo, 0x9e3779b1) ^ scramble(inoHi ^ Math.imul(dev, 0x85ebca6b) ^ type));
}

/**
 * The records of the node table and their index by identity (device, inode number, type): what one node is, apart from its names.
 * Nothing here locks.
 */
export class NodeRecords {
  readonly capacity: number;
  readonly #words: Int32Array;
  readonly #doubles: Float64Array;
  readonly #pool: RecordPool;
  readonly #index: ChainIndex;

  /** `byteOffset` is a multiple of 8. */
  constructor(sab: SharedArrayBuffer, byteOffset: number, capacity: number) {
    const bytes = NodeRecords.bytes(capacity);
    this.capacity = capacity;
    this.#words = new Int32Array(sab, byteOffset, bytes / 4);
    this.#doubles = new Float64Array(sab, byteOffset, bytes / 8);
    this.#pool = new RecordPool(this.#words, 0, STRIDE, capacity);
    this.#index = new ChainIndex(this.#words, RecordPool.words(STRIDE, capacity), this.#pool, HASH, CHAIN);
  }

  /** Bytes taken by `capacity` records (a multiple of 8). */
  static bytes(capacity: number): number {
    return Math.ceil((RecordPool.words(STRIDE, capacity) + ChainIndex.words(capacity)) / 2) * 8;
  }

  /** Records in use. */
  get used(): number {
    return this.#pool.used;
  }

  /** A node without names and references; 0 if there is no room. */
  create(dev: number, inoLo: number, inoHi: number, type: number, generation: number): number {
    const node = this.#pool.allocate();
    if (node === 0) return 0;
    const words = this.#words;
    const at = this.#at(node);
    this.#doubles[at / 2] = 0;
    words[at + INO_LO] = inoLo;
    words[at + INO_HI] = inoHi;
    words[at + DEV] = dev;
    words[at + TYPE] = type;
    words[at + NAMES] = 0;
    words[at + CHILDREN] = 0;
    words[at + GENERATION] = generation;
    words[at + SERIAL] = words[at + SERIAL]! + 1;
    return node;
  }

  /** Frees a node that is out of the index and has no names. */
  destroy(node: number): void {
    this.#words[this.#at(node) + TYPE] = 0;
    this.#pool.free(node);
  }

  isInUse(node: number): boolean {
    return this.#words[this.#at(node) + TYPE] !== 0;
  }

  /** True if neither references nor names in it keep the node. */
  isUnused(node: number): boolean {
    const at = this.#at(node);
    return this.#words[at + TYPE] !== 0 && this.#doubles[at / 2] === 0 && this.#words[at + CHILDREN] === 0;
  }

  /** Type bits (S_IFMT). */
  type(node: number): number {
    return this.#words[this.#at(node) + TYPE]! & S_IFMT;
  }

  generation(node: number): number {
    return this.#words[this.#at(node) + GENERATION]!;
  }

  serial(node: number): number {
    return this.#words[this.#at(node) + SERIAL]!;
  }

  isChecked(node: number): boolean {
    return (this.#words[this.#at(node) + TYPE]! & CHECKED) !== 0;
  }

  setChecked(node: number): void {
    this.#words[this.#at(node) + TYPE] = this.#words[this.#at(node) + TYPE]! | CHECKED;
  }

  /** Front of the ring of names, 0 if none is left. */
  names(node: number): number {
    return this.#words[this.#at(node) + NAMES]!;
  }

  setNames(node: number, front: number): void {
    this.#words[this.#at(node) + NAMES] = front;
  }

  /** Changes the count of references; it never falls below 0. */
  addLookups(node: number, count: number): void {
    const at = this.#at(node) / 2;
    this.#doubles[at] = Math.max(0, this.#doubles[at]! + count);
  }

  /** Changes the count of names that lie in a directory. */
  addChildren(node: number, count: number): void {
    const at = this.#at(node) + CHILDREN;
    this.#words[at] = this.#words[at]! + count;
  }

  /** Link of a node that is out of the index; free for the caller's use. */
  link(node: number): number {
    return this.#words[this.#at(node) + CHAIN]!;
  }

  setLink(node: number, next: number): void {
    this.#words[this.#at(node) + CHAIN] = next;
  }

  isIdentity(node: number, dev: number, inoLo: number, inoHi: number, type: number): boolean {
    const words = this.#words;
    const at = this.#at(node);
    return (
      words[at + INO_LO] === (inoLo | 0) &&
      words[at + INO_HI] === (inoHi | 0) &&
      words[at + DEV] === (dev | 0) &&
      (words[at + TYPE]! & S_IFMT) === type
    );
  }

  /** Node in the index with this identity, or 0. */
  find(dev: number, inoLo: number, inoHi: number, type: number): number {
    const hash = hashIdentity(dev, inoLo, inoHi, type);
    for (let node = this.#index.first(hash); node !== 0; node = this.#index.next(node)) {
      if (this.#words[this.#at(node) + HASH] === hash && this.isIdentity(node, dev, inoLo, inoHi, type)) return node;
    }
    return 0;
  }

  addToIndex(node: number): void {
    const words = this.#words;
    const at = this.#at(node);
    const type = words[at + TYPE]! & S_IFMT;
    this.#index.insert(node, hashIdentity(words[at + DEV]!, words[at + INO_LO]!, words[at + INO_HI]!, type));
    words[at + TYPE] = words[at + TYPE]! | INDEXED;
  }

  /** Takes a node out of the index if it is there. */
  removeFromIndex(node: number): void {
    const at = this.#at(node) + TYPE;
    if ((this.#words[at]! & INDEXED) === 0) return;
    this.#index.remove(node);
    this.#words[at] = this.#words[at]! & ~INDEXED;
  }

  #at(node: number): number {
    return this.#pool.base + node * STRIDE;
  }
}
