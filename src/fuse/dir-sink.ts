/** Puts directory entries straight into the reply of READDIR and READDIRPLUS. */
import { STAT_FIELDS } from '../native.ts';
import { Dirent, EntryReply, OutHeader } from './abi/structs.ts';
import { putEntry } from './encode.ts';
import type { DirSink, EntryOut } from './operations.ts';

/** A DirSink over a reply buffer; `start` makes it ready for one request. */
export class ReplyDirSink implements DirSink {
  isPlus = false;
  readonly plus: EntryOut = { node: 0, generation: 0, entryTimeout: 0, attrTimeout: 0, attr: new Float64Array(STAT_FIELDS) };
  /** Bytes of entries so far. */
  used = 0;
  private limit = 0;
  private readonly bytes: Uint8Array;
  private readonly words: Uint32Array;

  constructor(bytes: Uint8Array, words: Uint32Array) {
    this.bytes = bytes;
    this.words = words;
  }

  /** Begins a reply of at most `limit` bytes of entries. */
  start(limit: number, isPlus: boolean): void {
    this.limit = limit;
    this.isPlus = isPlus;
    this.used = 0;
  }

  fits(len: number): boolean {
    return this.used + this.sizeOf(len) <= this.limit;
  }

  add(inoLo: number, inoHi: number, nextLo: number, nextHi: number, type: number, name: Uint8Array, off: number, len: number): boolean {
    if (this.isPlus) {
      const plus = this.plus;
      plus.node = 0;
      plus.generation = 0;
      plus.entryTimeout = 0;
      plus.attrTimeout = 0;
      return this.addPlus(inoLo, inoHi, nextLo, nextHi, type, name, off, len);
    }
    if (!this.fits(len)) return false;
    this.putDirent(OutHeader.size + this.used, inoLo, inoHi, nextLo, nextHi, type, name, off, len);
    this.used += this.sizeOf(len);
    return true;
  }

  addPlus(inoLo: number, inoHi: number, nextLo: number, nextHi: number, type: number, name: Uint8Array, off: number, len: number): boolean {
    if (!this.isPlus) return this.add(inoLo, inoHi, nextLo, nextHi, type, name, off, len);
    if (!this.fits(len)) return false;
    const at = OutHeader.size + this.used;
    putEntry(this.words, at, this.plus);
    this.putDirent(at + EntryReply.size, inoLo, inoHi, nextLo, nextHi, type, name, off, len);
    this.used += this.sizeOf(len);
    return true;
  }

  private sizeOf(len: number): number {
    return (this.isPlus ? EntryReply.size : 0) + ((Dirent.size + len + 7) & ~7);
  }

  private putDirent(
    at: number,
    inoLo: number,
    inoHi: number,
    nextLo: number,
    nextHi: number,
    type: number,
    name: Uint8Array,
    off: number,
    len: number,
  ): void {
    const { bytes, words } = this;
    const index = at >>> 2;
    words[index + (Dirent.ino >>> 2)] = inoLo;
    words[index + (Dirent.ino >>> 2) + 1] = inoHi;
    words[index + (Dirent.off >>> 2)] = nextLo;
    words[index + (Dirent.off >>> 2) + 1] = nextHi;
    words[index + (Dirent.namelen >>> 2)] = len;
    words[index + (Dirent.type >>> 2)] = type;
    let to = at + Dirent.size;
    for (let i = off; i < off + len; i++) bytes[to++] = name[i]!;
    // Padding leaves the process: it must not carry what an earlier reply held.
    while ((to & 7) !== 0) bytes[to++] = 0;
  }
}
