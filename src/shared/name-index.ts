import { Arena } from './arena.ts';
import { ChainIndex, scramble } from './chain-index.ts';
import { RecordPool } from './records.ts';

/* Words of a name entry. The first doubles as link of the free list. */
const NODE = 0;
const PARENT = 1;
const POSITION = 2;
const LENGTH = 3;
const HASH = 4;
const CHAIN = 5;
/** Ring of the names of one node. */
const NEXT = 6;
const PREVIOUS = 7;
const STRIDE = 8;

/** Average room for a name in the arena, bytes: encrypted names of up to 63 plaintext bytes have 22 to 86. */
const ARENA_PER_ENTRY = 112;

function hashName(parent: number, buf: Uint8Array, off: number, len: number): number {
  let h = Math.imul(parent, 0x9e3779b1);
  for (let i = off; i < off + len; i++) h = Math.imul(h ^ buf[i]!, 0x01000193);
  return scramble(h);
}

/**
 * Name entries: (directory node, on-disk name) → node. The entries of one node form a ring whose front is the name seen last.
 * Nothing here locks.
 */
export class NameIndex {
  readonly arena: Arena;
  readonly #words: Int32Array;
  readonly #pool: RecordPool;
  readonly #index: ChainIndex;

  constructor(sab: SharedArrayBuffer, byteOffset: number, capacity: number) {
    const poolWords = RecordPool.words(STRIDE, capacity);
    const indexWords = ChainIndex.words(capacity);
    this.#words = new Int32Array(sab, byteOffset, poolWords + indexWords);
    this.#pool = new RecordPool(this.#words, 0, STRIDE, capacity);
    this.#index = new ChainIndex(this.#words, poolWords, this.#pool, HASH, CHAIN);
    this.arena = new Arena(sab, byteOffset + NameIndex.#tableBytes(capacity), capacity * ARENA_PER_ENTRY);
  }

  static #tableBytes(capacity: number): number {
    return Math.ceil((RecordPool.words(STRIDE, capacity) + ChainIndex.words(capacity)) / 2) * 8;
  }

  /** Bytes taken by `capacity` entries with their names. */
  static bytes(capacity: number): number {
    return NameIndex.#tableBytes(capacity) + Arena.bytes(capacity * ARENA_PER_ENTRY);
  }

  /** Entries in use. */
  get used(): number {
    return this.#pool.used;
  }

  /** Entry of a name in a directory, or 0. */
  find(parent: number, buf: Uint8Array, off: number, len: number): number {
    const words = this.#words;
    const hash = hashName(parent, buf, off, len);
    for (let entry = this.#index.first(hash); entry !== 0; entry = this.#index.next(entry)) {
      const at = this.#pool.base + entry * STRIDE;
      if (words[at + HASH] !== hash || words[at + PARENT] !== parent || words[at + LENGTH] !== len) continue;
      if (this.arena.equals(words[at + POSITION]!, buf, off, len)) return entry;
    }
    return 0;
  }

  /** Node an entry names. */
  node(entry: number): number {
    return this.#words[this.#pool.base + entry * STRIDE + NODE]!;
  }

  /** Directory an entry lies in. */
  parent(entry: number): number {
    return this.#words[this.#pool.base + entry * STRIDE + PARENT]!;
  }

  /** Entry behind this one in the ring of its node. */
  nextOfNode(entry: number): number {
    return this.#words[this.#pool.base + entry * STRIDE + NEXT]!;
  }

  /** Copies the on-disk name and a NUL byte to dst. @returns its length */
  copy(entry: number, dst: Uint8Array, dstOff: number): number {
    const at = this.#pool.base + entry * STRIDE;
    const len = this.#words[at + LENGTH]!;
    const bytes = this.arena.bytes;
    const from = Arena.byteOffset(this.#words[at + POSITION]!);
    for (let i = 0; i < len; i++) dst[dstOff + i] = bytes[from + i]!;
    dst[dstOff + len] = 0;
    return len;
  }

  /** Makes an entry that belongs to no node yet. @returns it, or 0 if there is no room */
  create(parent: number, buf: Uint8Array, off: number, len: number): number {
    const entry = this.#pool.allocate();
    if (entry === 0) return 0;
    const position = this.arena.store(buf, off, len);
    if (position === 0) {
      this.#pool.free(entry);
      return 0;
    }
    const words = this.#words;
    const at = this.#pool.base + entry * STRIDE;
    words[at + NODE] = 0;
    words[at + PARENT] = parent;
    words[at + POSITION] = position;
    words[at + LENGTH] = len;
    words[at + NEXT] = entry;
    words[at + PREVIOUS] = entry;
    this.#index.insert(entry, hashName(parent, buf, off, len));
    return entry;
  }

  /** Removes an entry that belongs to no node. */
  destroy(entry: number): void {
    const at = this.#pool.base + entry * STRIDE;
    this.#index.remove(entry);
    this.arena.release(this.#words[at + POSITION]!, this.#words[at + LENGTH]!);
    this.#pool.free(entry);
  }

  /** Gives an entry another directory and name; node and place in the ring stay. @returns false if there is no room: nothing has changed */
  rename(entry: number, parent: number, buf: Uint8Array, off: number, len: number): boolean {
    const position = this.arena.store(buf, off, len);
    if (position === 0) return false;
    const words = this.#words;
    const at = this.#pool.base + entry * STRIDE;
    this.#index.remove(entry);
    this.arena.release(words[at + POSITION]!, words[at + LENGTH]!);
    words[at + PARENT] = parent;
    words[at + POSITION] = position;
    words[at + LENGTH] = len;
    this.#index.insert(entry, hashName(parent, buf, off, len));
    return true;
  }

  /** Lets two entries change nodes' places in the tree: swaps directory and name. */
  swapPlaces(a: number, b: number): void {
    const words = this.#words;
    const atA = this.#pool.base + a * STRIDE;
    const atB = this.#pool.base + b * STRIDE;
    const hashA = words[atA + HASH]!;
    const hashB = words[atB + HASH]!;
    this.#index.remove(a);
    this.#index.remove(b);
    for (let field = PARENT; field <= LENGTH; field++) {
      const value = words[atA + field]!;
      words[atA + field] = words[atB + field]!;
      words[atB + field] = value;
    }
    this.#index.insert(a, hashB);
    this.#index.insert(b, hashA);
  }

  /** Puts an entry without node at the front of the ring that starts at `front` (0: none). @returns the new front */
  attach(entry: number, node: number, front: number): number {
    const words = this.#words;
    const at = this.#pool.base + entry * STRIDE;
    words[at + NODE] = node;
    if (front === 0) {
      words[at + NEXT] = entry;
      words[at + PREVIOUS] = entry;
      return entry;
    }
    const atFront = this.#pool.base + front * STRIDE;
    const last = words[atFront + PREVIOUS]!;
    words[at + NEXT] = front;
    words[at + PREVIOUS] = last;
    words[atFront + PREVIOUS] = entry;
    words[this.#pool.base + last * STRIDE + NEXT] = entry;
    return entry;
  }

  /** Takes an entry out of the ring of its node. @returns the new front, 0 if it was the only one */
  detach(entry: number, front: number): number {
    const words = this.#words;
    const at = this.#pool.base + entry * STRIDE;
    words[at + NODE] = 0;
    const next = words[at + NEXT]!;
    if (next === entry) return 0;
    const previous = words[at + PREVIOUS]!;
    words[this.#pool.base + previous * STRIDE + NEXT] = next;
    words[this.#pool.base + next * STRIDE + PREVIOUS] = previous;
    words[at + NEXT] = entry;
    words[at + PREVIOUS] = entry;
    return front === entry ? next : front;
  }
}
