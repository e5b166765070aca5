import { ChainIndex, scramble } from './chain-index.ts';
import { Mutex } from './mutex.ts';
import { NameIndex } from './name-index.ts';
import { RecordPool } from './records.ts';

/* Words of a node record. The first two hold the lookup count as a double and double as link of the free list. */
const INO_LO = 2;
const INO_HI = 3;
const DEV = 4;
/** File type (bits of S_IFMT), INDEXED and CHECKED. */
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
const S_IFDIR = 0o040000;

/* Words before the tables. */
const LOCK = 0;
const RENAMES_RUNNING = 1;
const RENAME_EPOCH = 2;
const GENERATIONS = 3;
const STATE_WORDS = 4;

/** The number of the root; the kernel's FUSE_ROOT_ID. */
export const ROOT = 1;

/** How `reference` chooses the node of an object. */
export const NodeChoice = {
  /** LOOKUP and LINK: the node known for this device, inode number and type, whatever its name. */
  Known: 0,
  /** CREATE, MKDIR, MKNOD, SYMLINK: always a new one; it takes the place of a known one. */
  Fresh: 1,
  /** -sharedstorage: the one this very entry had if it is still the same object, else a new one. */
  PerEntry: 2,
} as const;
export type NodeChoice = (typeof NodeChoice)[keyof typeof NodeChoice];

function hashIdentity(dev: number, inoLo: number, inoHi: number, type: number): number {
  return scramble(Math.imul(inoLo, 0x9e3779b1) ^ scramble(inoHi ^ Math.imul(dev, 0x85ebca6b) ^ type));
}

/**
 * The nodes the kernel knows, shared by all workers (behaviour.md 6.2): node number → lookup count, backing identity and the
 * names it is known under. A node lives while the kernel counts lookups of it or names of other nodes lie in it.
 * One mutex guards everything; it is never held across a system call. Results that do not fit a return value are fields of this view,
 * which belongs to one thread.
 */
export class Nodes {
  readonly capacity: number;
  /** Directory of the name that `copyName` copied last. */
  parentOfName = 0;
  readonly #words: Int32Array;
  readonly #doubles: Float64Array;
  readonly #pool: RecordPool;
  readonly #index: ChainIndex;
  readonly #names: NameIndex;
  readonly #mutex: Mutex;

  constructor(sab: SharedArrayBuffer, byteOffset: number, capacity: number) {
    const tableBytes = Nodes.#tableBytes(capacity);
    this.capacity = capacity;
    this.#words = new Int32Array(sab, byteOffset, tableBytes / 4);
    this.#doubles = new Float64Array(sab, byteOffset, tableBytes / 8);
    this.#pool = new RecordPool(this.#words, STATE_WORDS, STRIDE, capacity);
    this.#index = new ChainIndex(this.#words, STATE_WORDS + RecordPool.words(STRIDE, capacity), this.#pool, HASH, CHAIN);
    this.#names = new NameIndex(sab, byteOffset + tableBytes, capacity);
    this.#mutex = new Mutex(this.#words, LOCK);
  }

  static #tableBytes(capacity: number): number {
    return Math.ceil((STATE_WORDS + RecordPool.words(STRIDE, capacity) + ChainIndex.words(capacity)) / 2) * 8;
  }

  /** Bytes taken by a table for `capacity` nodes and as many names. */
  static bytes(capacity: number): number {
    return Nodes.#tableBytes(capacity) + NameIndex.bytes(capacity);
  }

  /** Makes the root; once, before any worker starts. */
  initialiseRoot(dev: number, inoLo: number, inoHi: number): void {
    const root = this.#newNode(dev, inoLo, inoHi, S_IFDIR, 1);
    if (root !== ROOT) throw new Error('the node table is not empty');
    this.#addToIndex(root);
  }

  /** Nodes in use, with the root. */
  get used(): number {
    return this.#pool.used;
  }

  /** Name entries in use. */
  get namesUsed(): number {
    return this.#names.used;
  }

  /** Type bits (S_IFMT) of a node. */
  type(node: number): number {
    return this.#words[this.#at(node) + TYPE]! & S_IFMT;
  }

  /** True if the target of this symlink was found to decrypt; a symlink never changes. */
  isChecked(node: number): boolean {
    return (this.#words[this.#at(node) + TYPE]! & CHECKED) !== 0;
  }

  /** Notes that the target of this symlink decrypts. */
  setChecked(node: number): void {
    this.#mutex.lock();
    this.#words[this.#at(node) + TYPE] = this.#words[this.#at(node) + TYPE]! | CHECKED;
    this.#mutex.unlock();
  }

  /** Generation the kernel was told. */
  generation(node: number): number {
    return this.#words[this.#at(node) + GENERATION]!;
  }

  /** Number of the object among all that have used this node number. */
  serial(node: number): number {
    return this.#words[this.#at(node) + SERIAL]!;
  }

  /** True if the node stands for this backing object. */
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

  /** True if the number is that of a node in use; the kernel asks for no others. */
  isNode(node: number): boolean {
    return node >= ROOT && node <= this.capacity && this.#words[this.#at(node) + TYPE] !== 0;
  }

  /**
   * Finds or makes the node of an object just seen under a name, and takes one reference for the kernel.
   * @param type - type bits of its mode (S_IFMT)
   * @returns the node, or 0 if the table is full (or the object is the root itself, seen again further down through a bind mount)
   */
  reference(
    parent: number,
    buf: Uint8Array,
    off: number,
    len: number,
    dev: number,
    inoLo: number,
    inoHi: number,
    type: number,
    choice: NodeChoice,
  ): number {
    this.#mutex.lock();
    // Counted as one child more, so that the directory stays while an old entry of it goes.
    this.#addChild(parent, 1);
    const node = this.#referenceLocked(parent, buf, off, len, dev, inoLo, inoHi, type, choice);
    this.#addChild(parent, -1);
    this.#mutex.unlock();
    return node;
  }

  /** The kernel drops `count` references; the node and the directories that only it kept are freed. */
  forget(node: number, count: number): void {
    if (node <= ROOT || node > this.capacity) return;
    this.#mutex.lock();
    const lookups = this.#at(node) / 2;
    const left = this.#doubles[lookups]! - count;
    this.#doubles[lookups] = Math.max(0, left);
    this.#freeIfUnused(node);
    this.#mutex.unlock();
  }

  /**
   * Copies the name seen last and a NUL byte to dst, and notes its directory in `parentOfName`.
   * @returns its length, 0 if the node has no name
   */
  copyName(node: number, dst: Uint8Array, dstOff: number): number {
    this.#mutex.lock();
    const entry = this.#words[this.#at(node) + NAMES]!;
    let len = 0;
    if (entry !== 0) {
      len = this.#names.copy(entry, dst, dstOff);
      this.parentOfName = this.#names.parent(entry);
    }
    this.#mutex.unlock();
    return len;
  }

  /** Directory of the name seen last; 0 if the node has none (or is the root). */
  parent(node: number): number {
    this.#mutex.lock();
    const entry = this.#words[this.#at(node) + NAMES]!;
    const parent = entry === 0 ? 0 : this.#names.parent(entry);
    this.#mutex.unlock();
    return parent;
  }

  /** Token for the name seen last (0: none), to try the others of a node in turn with `rotateNames`. */
  frontName(node: number): number {
    return this.#words[this.#at(node) + NAMES]!;
  }

  /** Moves the name seen last behind all others, because it was not found. @returns token of the new first one */
  rotateNames(node: number, from: number): number {
    this.#mutex.lock();
    const at = this.#at(node);
    if (this.#words[at + NAMES] === from && from !== 0) this.#words[at + NAMES] = this.#names.nextOfNode(from);
    const front = this.#words[at + NAMES]!;
    this.#mutex.unlock();
    return front;
  }

  /** Node known under a name, or 0. */
  find(parent: number, buf: Uint8Array, off: number, len: number): number {
    this.#mutex.lock();
    const entry = this.#names.find(parent, buf, off, len);
    const node = entry === 0 ? 0 : this.#names.node(entry);
    this.#mutex.unlock();
    return node;
  }

  /** Forgets a name that was removed. */
  dropName(parent: number, buf: Uint8Array, off: number, len: number): void {
    this.#mutex.lock();
    const entry = this.#names.find(parent, buf, off, len);
    if (entry !== 0) this.#removeEntry(entry);
    this.#mutex.unlock();
  }

  /** Announces a rename: between here and `endRename` a node may be missing under the name recorded for it. */
  beginRename(): void {
    Atomics.add(this.#words, RENAMES_RUNNING, 1);
  }

  /** The tables agree with the backing directories again. */
  endRename(): void {
    Atomics.add(this.#words, RENAME_EPOCH, 1);
    Atomics.sub(this.#words, RENAMES_RUNNING, 1);
  }

  /** Count of renames done; taken before names are resolved. */
  renameEpoch(): number {
    return Atomics.load(this.#words, RENAME_EPOCH);
  }

  /** True if no rename ended since `epoch` was taken and none is running. */
  isQuietSince(epoch: number): boolean {
    return Atomics.load(this.#words, RENAMES_RUNNING) === 0 && Atomics.load(this.#words, RENAME_EPOCH) === epoch;
  }

  /**
   * True if a name resolved after `epoch` may be missing only because a rename ran at the same time: resolve it again.
   * Waits for up to a millisecond while one is running.
   */
  mayHaveMoved(epoch: number): boolean {
    if (this.isQuietSince(epoch)) return false;
    if (Atomics.load(this.#words, RENAME_EPOCH) !== epoch) return true;
    Atomics.wait(this.#words, RENAME_EPOCH, epoch, 1);
    return true;
  }

  /** Records a rename: the entry moves, and the name it replaced is forgotten. */
  moveName(
    parent: number,
    buf: Uint8Array,
    off: number,
    len: number,
    newParent: number,
    newBuf: Uint8Array,
    newOff: number,
    newLen: number,
  ): void {
    this.#mutex.lock();
    const names = this.#names;
    const entry = names.find(parent, buf, off, len);
    const replaced = names.find(newParent, newBuf, newOff, newLen);
    if (replaced !== entry) {
      // Counted first, so that the directory stays while its old entry goes.
      this.#addChild(newParent, 1);
      if (replaced !== 0) this.#removeEntry(replaced);
      if (entry !== 0 && names.rename(entry, newParent, newBuf, newOff, newLen)) {
        this.#addChild(parent, -1);
        this.#freeIfUnused(parent);
      } else {
        this.#addChild(newParent, -1);
        if (entry !== 0) this.#removeEntry(entry);
      }
    }
    this.#mutex.unlock();
  }

  /** Records an exchange of two names. */
  exchangeNames(
    parent: number,
    buf: Uint8Array,
    off: number,
    len: number,
    newParent: number,
    newBuf: Uint8Array,
    newOff: number,
    newLen: number,
  ): void {
    this.#mutex.lock();
    const a = this.#names.find(parent, buf, off, len);
    const b = this.#names.find(newParent, newBuf, newOff, newLen);
    const bothKnown = a !== 0 && b !== 0 && a !== b;
    if (bothKnown) this.#names.swapPlaces(a, b);
    this.#mutex.unlock();
    if (bothKnown || a === b) return;
    if (a !== 0) this.moveName(parent, buf, off, len, newParent, newBuf, newOff, newLen);
    else this.moveName(newParent, newBuf, newOff, newLen, parent, buf, off, len);
  }

  #at(node: number): number {
    return this.#pool.base + node * STRIDE;
  }

  #addChild(parent: number, count: number): void {
    const at = this.#at(parent) + CHILDREN;
    this.#words[at] = this.#words[at]! + count;
  }

  #referenceLocked(
    parent: number,
    buf: Uint8Array,
    off: number,
    len: number,
    dev: number,
    inoLo: number,
    inoHi: number,
    type: number,
    choice: NodeChoice,
  ): number {
    const names = this.#names;
    let entry = names.find(parent, buf, off, len);
    const holder = entry === 0 ? 0 : names.node(entry);
    let node = 0;
    if (choice === NodeChoice.Known) node = this.#findIdentity(dev, inoLo, inoHi, type);
    else if (choice === NodeChoice.PerEntry && holder !== 0 && this.isIdentity(holder, dev, inoLo, inoHi, type)) node = holder;
    if (node === ROOT) return 0;
    if (node === 0) {
      node = this.#newNode(dev, inoLo, inoHi, type, choice === NodeChoice.PerEntry ? this.#nextGeneration() : 1);
      if (node === 0) return 0;
      if (choice === NodeChoice.Fresh) this.#retireIdentity(dev, inoLo, inoHi, type);
      if (choice !== NodeChoice.PerEntry) this.#addToIndex(node);
    }
    // The reference comes first: it keeps the node while an entry that kept it goes.
    const lookups = this.#at(node) / 2;
    this.#doubles[lookups] = this.#doubles[lookups]! + 1;
    if (entry !== 0 && holder !== node) {
      this.#removeEntry(entry);
      entry = 0;
    }
    if (entry === 0) {
      entry = names.create(parent, buf, off, len);
      if (entry === 0) {
        this.#doubles[lookups] = this.#doubles[lookups]! - 1;
        this.#freeIfUnused(node);
        return 0;
      }
      this.#addChild(parent, 1);
      // A directory has one name only; older ones are leftovers of moves behind our back.
      if (type === S_IFDIR) while (this.#words[this.#at(node) + NAMES] !== 0) this.#removeEntry(this.#words[this.#at(node) + NAMES]!);
      this.#words[this.#at(node) + NAMES] = names.attach(entry, node, this.#words[this.#at(node) + NAMES]!);
    } else if (this.#words[this.#at(node) + NAMES] !== entry) {
      const front = names.detach(entry, this.#words[this.#at(node) + NAMES]!);
      this.#words[this.#at(node) + NAMES] = names.attach(entry, node, front);
    }
    return node;
  }

  #nextGeneration(): number {
    const generation = (this.#words[GENERATIONS]! + 1) & 0x7fffffff;
    this.#words[GENERATIONS] = generation;
    return generation;
  }

  #newNode(dev: number, inoLo: number, inoHi: number, type: number, generation: number): number {
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

  #findIdentity(dev: number, inoLo: number, inoHi: number, type: number): number {
    const hash = hashIdentity(dev, inoLo, inoHi, type);
    for (let node = this.#index.first(hash); node !== 0; node = this.#index.next(node)) {
      if (this.#words[this.#at(node) + HASH] === hash && this.isIdentity(node, dev, inoLo, inoHi, type)) return node;
    }
    return 0;
  }

  /** The object known under this identity is gone: its number belongs to a new one. */
  #retireIdentity(dev: number, inoLo: number, inoHi: number, type: number): void {
    const node = this.#findIdentity(dev, inoLo, inoHi, type);
    if (node !== 0) this.#removeFromIndex(node);
  }

  #addToIndex(node: number): void {
    const words = this.#words;
    const at = this.#at(node);
    const type = words[at + TYPE]!;
    this.#index.insert(node, hashIdentity(words[at + DEV]!, words[at + INO_LO]!, words[at + INO_HI]!, type));
    words[at + TYPE] = type | INDEXED;
  }

  #removeFromIndex(node: number): void {
    const at = this.#at(node) + TYPE;
    if ((this.#words[at]! & INDEXED) === 0) return;
    this.#index.remove(node);
    this.#words[at] = this.#words[at]! & ~INDEXED;
  }

  /** Removes an entry with what hangs on it: its node's name, its directory's child count, and the directory if nothing else kept it. */
  #removeEntry(entry: number): void {
    const parent = this.#dissolveEntry(entry);
    this.#freeIfUnused(parent);
  }

  /** Removes an entry. @returns its directory, which has one child less and may now be unused */
  #dissolveEntry(entry: number): number {
    const names = this.#names;
    const node = names.node(entry);
    const parent = names.parent(entry);
    this.#words[this.#at(node) + NAMES] = names.detach(entry, this.#words[this.#at(node) + NAMES]!);
    names.destroy(entry);
    this.#addChild(parent, -1);
    return parent;
  }

  #isUnused(node: number): boolean {
    const at = this.#at(node);
    return node !== ROOT && this.#words[at + TYPE] !== 0 && this.#doubles[at / 2] === 0 && this.#words[at + CHILDREN] === 0;
  }

  /** Frees a node without references and children, then the directories that this leaves unused, however deep. */
  #freeIfUnused(node: number): void {
    if (!this.#isUnused(node)) return;
    const words = this.#words;
    this.#removeFromIndex(node);
    words[this.#at(node) + CHAIN] = 0;
    // Nodes about to be freed are out of the index, so their chain word links them.
    let pending = node;
    while (pending !== 0) {
      const at = this.#at(pending);
      const current = pending;
      pending = words[at + CHAIN]!;
      while (words[at + NAMES] !== 0) {
        const parent = this.#dissolveEntry(words[at + NAMES]!);
        if (this.#isUnused(parent)) {
          this.#removeFromIndex(parent);
          words[this.#at(parent) + CHAIN] = pending;
          pending = parent;
        }
      }
      words[at + TYPE] = 0;
      words[at + CHAIN] = 0;
      this.#pool.free(current);
    }
  }
}
