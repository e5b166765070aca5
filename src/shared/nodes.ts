import { Mutex } from './mutex.ts';
import { NameIndex } from './name-index.ts';
import { NodeRecords } from './node-records.ts';
import { RenameClock } from './rename-clock.ts';

/* Words before the tables. */
const LOCK = 0;
const RENAMES = 1;
const GENERATIONS = RENAMES + RenameClock.WORDS;
const STATE_WORDS = 4;
const STATE_BYTES = STATE_WORDS * 4;

const S_IFDIR = 0o040000;

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

/**
 * The nodes the kernel knows, shared by all workers (behaviour.md 6.2): node number → lookup count, backing identity and the
 * names it is known under. A node lives while the kernel counts lookups of it or names of other nodes lie in it.
 * One mutex guards everything; it is never held across a system call. Results that do not fit a return value are fields of this view,
 * which belongs to one thread.
 */
export class Nodes {
  /** Directory of the name that `copyName` copied last. */
  parentOfName = 0;
  /** Whether renames ran while a name was resolved. */
  readonly renames: RenameClock;
  readonly #words: Int32Array;
  readonly #records: NodeRecords;
  readonly #names: NameIndex;
  readonly #mutex: Mutex;

  /** Attaches to `bytes(capacity)` bytes at `byteOffset` (a multiple of 8), all zero before the first thread attaches. */
  constructor(sab: SharedArrayBuffer, byteOffset: number, capacity: number) {
    this.#words = new Int32Array(sab, byteOffset, STATE_WORDS);
    this.#records = new NodeRecords(sab, byteOffset + STATE_BYTES, capacity);
    this.#names = new NameIndex(sab, byteOffset + STATE_BYTES + NodeRecords.bytes(capacity), capacity);
    this.#mutex = new Mutex(this.#words, LOCK);
    this.renames = new RenameClock(this.#words, RENAMES);
  }

  /** Bytes taken by a table for `capacity` nodes and as many names. */
  static bytes(capacity: number): number {
    return STATE_BYTES + NodeRecords.bytes(capacity) + NameIndex.bytes(capacity);
  }

  /** Makes the root; once, before any worker starts. */
  initialiseRoot(dev: number, inoLo: number, inoHi: number): void {
    const root = this.#records.create(dev, inoLo, inoHi, S_IFDIR, 1);
    if (root !== ROOT) throw new Error('the node table is not empty');
    this.#records.addToIndex(root);
  }

  /** Nodes in use, with the root. */
  get used(): number {
    return this.#records.used;
  }

  /** Name entries in use. */
  get namesUsed(): number {
    return this.#names.used;
  }

  /** Type bits (S_IFMT) of a node. */
  type(node: number): number {
    return this.#records.type(node);
  }

  /** True if the target of this symlink was found to decrypt; a symlink never changes. */
  isChecked(node: number): boolean {
    return this.#records.isChecked(node);
  }

  /** Notes that the target of this symlink decrypts. */
  setChecked(node: number): void {
    this.#mutex.lock();
    this.#records.setChecked(node);
    this.#mutex.unlock();
  }

  /** Generation the kernel was told. */
  generation(node: number): number {
    return this.#records.generation(node);
  }

  /** Number of the object among all that have used this node number. */
  serial(node: number): number {
    return this.#records.serial(node);
  }

  /** True if the node stands for this backing object. */
  isIdentity(node: number, dev: number, inoLo: number, inoHi: number, type: number): boolean {
    return this.#records.isIdentity(node, dev, inoLo, inoHi, type);
  }

  /** True if the number is that of a node in use; the kernel asks for no others. */
  isNode(node: number): boolean {
    return node >= ROOT && node <= this.#records.capacity && this.#records.isInUse(node);
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
    this.#records.addChildren(parent, 1);
    try {
      return this.#referenceLocked(parent, buf, off, len, dev, inoLo, inoHi, type, choice);
    } finally {
      this.#records.addChildren(parent, -1);
      this.#mutex.unlock();
    }
  }

  /** The kernel drops `count` references; the node and the directories that only it kept are freed. */
  forget(node: number, count: number): void {
    if (node <= ROOT || node > this.#records.capacity) return;
    this.#mutex.lock();
    try {
      this.#records.addLookups(node, -count);
      this.#freeIfUnused(node);
    } finally {
      this.#mutex.unlock();
    }
  }

  /**
   * Copies the name seen last and a NUL byte to dst, and notes its directory in `parentOfName`.
   * @returns its length, 0 if the node has no name
   */
  copyName(node: number, dst: Uint8Array, dstOff: number): number {
    this.#mutex.lock();
    const entry = this.#records.names(node);
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
    const entry = this.#records.names(node);
    const parent = entry === 0 ? 0 : this.#names.parent(entry);
    this.#mutex.unlock();
    return parent;
  }

  /** Token for the name seen last (0: none), to try the others of a node in turn with `rotateNames`. */
  frontName(node: number): number {
    return this.#records.names(node);
  }

  /** Moves the name seen last behind all others, because it was not found. @returns token of the new first one */
  rotateNames(node: number, from: number): number {
    this.#mutex.lock();
    if (from !== 0 && this.#records.names(node) === from) this.#records.setNames(node, this.#names.nextOfNode(from));
    const front = this.#records.names(node);
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
    try {
      const entry = this.#names.find(parent, buf, off, len);
      if (entry !== 0) this.#removeEntry(entry);
    } finally {
      this.#mutex.unlock();
    }
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
    try {
      const names = this.#names;
      const entry = names.find(parent, buf, off, len);
      const replaced = names.find(newParent, newBuf, newOff, newLen);
      if (replaced !== entry) {
        // Counted first, so that the directory stays while its old entry goes.
        this.#records.addChildren(newParent, 1);
        if (replaced !== 0) this.#removeEntry(replaced);
        if (entry !== 0 && names.rename(entry, newParent, newBuf, newOff, newLen)) {
          this.#records.addChildren(parent, -1);
          this.#freeIfUnused(parent);
        } else {
          this.#records.addChildren(newParent, -1);
          if (entry !== 0) this.#removeEntry(entry);
        }
      }
    } finally {
      this.#mutex.unlock();
    }
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
    let a = 0;
    let b = 0;
    try {
      a = this.#names.find(parent, buf, off, len);
      b = this.#names.find(newParent, newBuf, newOff, newLen);
      if (a !== 0 && b !== 0 && a !== b) this.#names.swapPlaces(a, b);
    } finally {
      this.#mutex.unlock();
    }
    // A name that nobody has looked at has no entry: the other one just moves.
    if (a === b || (a !== 0 && b !== 0)) return;
    if (a !== 0) this.moveName(parent, buf, off, len, newParent, newBuf, newOff, newLen);
    else this.moveName(newParent, newBuf, newOff, newLen, parent, buf, off, len);
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
    const records = this.#records;
    let entry = names.find(parent, buf, off, len);
    const holder = entry === 0 ? 0 : names.node(entry);
    let node = 0;
    if (choice === NodeChoice.Known) node = records.find(dev, inoLo, inoHi, type);
    else if (choice === NodeChoice.PerEntry && holder !== 0 && this.isIdentity(holder, dev, inoLo, inoHi, type)) node = holder;
    if (node === ROOT) return 0;
    if (node === 0) {
      node = records.create(dev, inoLo, inoHi, type, choice === NodeChoice.PerEntry ? this.#nextGeneration() : 1);
      if (node === 0) return 0;
      if (choice === NodeChoice.Fresh) this.#retireIdentity(dev, inoLo, inoHi, type);
      if (choice !== NodeChoice.PerEntry) records.addToIndex(node);
    }
    // The reference comes first: it keeps the node while an entry that kept it goes.
    records.addLookups(node, 1);
    if (entry !== 0 && holder !== node) {
      this.#removeEntry(entry);
      entry = 0;
    }
    if (entry === 0) {
      entry = names.create(parent, buf, off, len);
      if (entry === 0) {
        records.addLookups(node, -1);
        this.#freeIfUnused(node);
        return 0;
      }
      this.#records.addChildren(parent, 1);
      // A directory has one name only; older ones are leftovers of moves behind our back.
      if (type === S_IFDIR) while (records.names(node) !== 0) this.#removeEntry(records.names(node));
      records.setNames(node, names.attach(entry, node, records.names(node)));
    } else if (records.names(node) !== entry) {
      const front = names.detach(entry, records.names(node));
      records.setNames(node, names.attach(entry, node, front));
    }
    return node;
  }

  #nextGeneration(): number {
    const generation = (this.#words[GENERATIONS]! + 1) & 0x7fffffff;
    this.#words[GENERATIONS] = generation;
    return generation;
  }

  /** The object known under this identity is gone: its number belongs to a new one. */
  #retireIdentity(dev: number, inoLo: number, inoHi: number, type: number): void {
    const node = this.#records.find(dev, inoLo, inoHi, type);
    if (node !== 0) this.#records.removeFromIndex(node);
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
    this.#records.setNames(node, names.detach(entry, this.#records.names(node)));
    names.destroy(entry);
    this.#records.addChildren(parent, -1);
    return parent;
  }

  /** Frees a node without references and children, then the directories that this leaves unused, however deep. */
  #freeIfUnused(node: number): void {
    const records = this.#records;
    if (node === ROOT || !records.isUnused(node)) return;
    records.removeFromIndex(node);
    records.setLink(node, 0);
    // Nodes about to be freed are out of the index, so their link makes a list of them.
    let pending = node;
    while (pending !== 0) {
      const current = pending;
      pending = records.link(current);
      while (records.names(current) !== 0) {
        const parent = this.#dissolveEntry(records.names(current));
        if (parent === ROOT || !records.isUnused(parent)) continue;
        records.removeFromIndex(parent);
        records.setLink(parent, pending);
        pending = parent;
      }
      records.setLink(current, 0);
      records.destroy(current);
    }
  }
}
