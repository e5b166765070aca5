/**
 * The nodes of the pass-through filesystem: one O_PATH descriptor each, in memory that all workers share. A held descriptor keeps the
 * inode from being reused, so (device, inode) names a node for as long as it lives.
 */
import { Stat } from '../../src/native.ts';
import { lockMutex, unlockMutex } from '../../src/shared/mutex.ts';

const MAX_NODES = 1 << 18;
const BUCKETS = 1 << 16;

const Word = { lock: 0, used: 1, free: 2, buckets: 16, records: 16 + BUCKETS } as const;
/** Fields of a record. `next` chains a bucket or the free list; 0 ends it, which is never a record. */
const Field = { fd: 0, lookups: 1, inoLo: 2, inoHi: 3, dev: 4, next: 5 } as const;
const RECORD = 8;

export class NodeTable {
  /** Bytes of shared memory; pages that are never touched cost nothing. */
  static readonly bytes = (Word.records + MAX_NODES * RECORD) * 4;
  private readonly words: Int32Array;

  constructor(memory: SharedArrayBuffer) {
    this.words = new Int32Array(memory);
  }

  /** Makes node 1, which is never forgotten, of the root's descriptor. */
  addRoot(fd: number, stat: Float64Array): void {
    this.insert(fd, stat);
    this.words[this.at(1) + Field.lookups] = 1;
  }

  fd(node: number): number {
    return this.words[this.at(node) + Field.fd]!;
  }

  /** Takes a reference on the node of this file. @returns the node, or 0 if it has none yet */
  find(stat: Float64Array): number {
    const { words } = this;
    lockMutex(words, Word.lock);
    const node = this.search(stat);
    if (node !== 0) words[this.at(node) + Field.lookups]! += 1;
    unlockMutex(words, Word.lock);
    return node;
  }

  /**
   * Makes a node with one reference for this file, or takes one if another worker was faster.
   * @returns the node; `fd` belongs to the table now if fd(node) === fd
   */
  insert(fd: number, stat: Float64Array): number {
    const { words } = this;
    lockMutex(words, Word.lock);
    let node = this.search(stat);
    if (node === 0) {
      node = words[Word.free]!;
      if (node !== 0) words[Word.free] = words[this.at(node) + Field.next]!;
      else node = ++words[Word.used]!;
      const at = this.at(node);
      const bucket = this.bucket(stat);
      words[at + Field.fd] = fd;
      words[at + Field.lookups] = 0;
      words[at + Field.inoLo] = stat[Stat.inoLo]!;
      words[at + Field.inoHi] = stat[Stat.inoHi]!;
      words[at + Field.dev] = stat[Stat.dev]!;
      words[at + Field.next] = words[bucket]!;
      words[bucket] = node;
    }
    words[this.at(node) + Field.lookups]! += 1;
    unlockMutex(words, Word.lock);
    return node;
  }

  /** Drops references. @returns the descriptor to close if none is left, else −1 */
  forget(node: number, count: number): number {
    const { words } = this;
    const at = this.at(node);
    let fd = -1;
    lockMutex(words, Word.lock);
    words[at + Field.lookups]! -= count;
    if (words[at + Field.lookups]! <= 0 && node !== 1) {
      let link = this.bucketOf(words[at + Field.inoLo]! >>> 0, words[at + Field.dev]! >>> 0);
      while (words[link] !== node) link = this.at(words[link]!) + Field.next;
      words[link] = words[at + Field.next]!;
      fd = words[at + Field.fd]!;
      words[at + Field.next] = words[Word.free]!;
      words[Word.free] = node;
    }
    unlockMutex(words, Word.lock);
    return fd;
  }

  private at(node: number): number {
    if (node < 1 || node >= MAX_NODES) throw new RangeError(`node ${node}`);
    return Word.records + node * RECORD;
  }

  private search(stat: Float64Array): number {
    const { words } = this;
    let node = words[this.bucket(stat)]!;
    while (node !== 0) {
      const at = this.at(node);
      const isSame =
        words[at + Field.inoLo]! >>> 0 === stat[Stat.inoLo] &&
        words[at + Field.inoHi]! >>> 0 === stat[Stat.inoHi] &&
        words[at + Field.dev]! >>> 0 === stat[Stat.dev];
      if (isSame) return node;
      node = words[at + Field.next]!;
    }
    return 0;
  }

  private bucket(stat: Float64Array): number {
    return this.bucketOf(stat[Stat.inoLo]!, stat[Stat.dev]!);
  }

  private bucketOf(inoLo: number, dev: number): number {
    return Word.buckets + ((Math.imul(inoLo, 0x9e3779b1) ^ dev) >>> 16);
  }
}
