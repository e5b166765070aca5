/** Writes the structures of replies; nothing here allocates. Offsets are byte offsets into the reply, multiples of 8. */
import { Stat, Statfs } from '../native.ts';
import { Attr, AttrReply, EntryReply, OpenReply, OutHeader, StatfsReply } from './abi/structs.ts';
import type { Frame } from './frame.ts';
import type { EntryOut, OpenOut } from './operations.ts';

const TWO_32 = 4294967296;
const NANOSECONDS = 1e9;
/** About 136 years: more than any cache lives, and safe to convert on both sides. */
const LONGEST_TIMEOUT = 0xffffffff;

/** Writes a number below 2^53 in magnitude as 64 bits, two's complement. */
export function putU64(words: Uint32Array, off: number, value: number): void {
  const index = off >>> 2;
  words[index] = value;
  words[index + 1] = Math.floor(value / TWO_32);
}

/** Writes a time-out as seconds (64 bits) and nanoseconds (32 bits). */
function putTimeout(words: Uint32Array, secondsOff: number, nanosecondsOff: number, timeout: number): void {
  const bounded = timeout > 0 ? Math.min(timeout, LONGEST_TIMEOUT) : 0;
  const whole = Math.floor(bounded);
  words[secondsOff >>> 2] = whole;
  words[(secondsOff >>> 2) + 1] = 0;
  words[nanosecondsOff >>> 2] = Math.floor((bounded - whole) * NANOSECONDS);
}

/** struct fuse_out_header for the request in `frame`: `error` is 0 or a negated errno, `payload` the bytes behind the header. */
export function putHeader(frame: Frame, error: number, payload: number): void {
  const out = frame.out32;
  out[OutHeader.len >>> 2] = OutHeader.size + payload;
  out[OutHeader.error >>> 2] = error;
  // Echoed as it came, so that even an id beyond 2^53 gets its answer.
  out[OutHeader.unique >>> 2] = frame.in32[2]!;
  out[(OutHeader.unique >>> 2) + 1] = frame.in32[3]!;
}

/** struct fuse_attr from a stat result. */
export function putAttr(words: Uint32Array, off: number, stat: Float64Array): void {
  const at = off >>> 2;
  words[at + (Attr.ino >>> 2)] = stat[Stat.inoLo]!;
  words[at + (Attr.ino >>> 2) + 1] = stat[Stat.inoHi]!;
  putU64(words, off + Attr.fileSize, stat[Stat.size]!);
  putU64(words, off + Attr.blocks, stat[Stat.blocks]!);
  putU64(words, off + Attr.atime, stat[Stat.atimeSec]!);
  putU64(words, off + Attr.mtime, stat[Stat.mtimeSec]!);
  putU64(words, off + Attr.ctime, stat[Stat.ctimeSec]!);
  words[at + (Attr.atimensec >>> 2)] = stat[Stat.atimeNsec]!;
  words[at + (Attr.mtimensec >>> 2)] = stat[Stat.mtimeNsec]!;
  words[at + (Attr.ctimensec >>> 2)] = stat[Stat.ctimeNsec]!;
  words[at + (Attr.mode >>> 2)] = stat[Stat.mode]!;
  words[at + (Attr.nlink >>> 2)] = stat[Stat.nlink]!;
  words[at + (Attr.uid >>> 2)] = stat[Stat.uid]!;
  words[at + (Attr.gid >>> 2)] = stat[Stat.gid]!;
  words[at + (Attr.rdev >>> 2)] = stat[Stat.rdev]!;
  words[at + (Attr.blksize >>> 2)] = stat[Stat.blksize]!;
  words[at + (Attr.flags >>> 2)] = 0;
}

/** struct fuse_entry_out. Node 0 (a negative entry) carries no attributes. */
export function putEntry(words: Uint32Array, off: number, entry: EntryOut): void {
  putU64(words, off + EntryReply.nodeid, entry.node);
  putU64(words, off + EntryReply.generation, entry.generation);
  putTimeout(words, off + EntryReply.entryValid, off + EntryReply.entryValidNsec, entry.entryTimeout);
  putTimeout(words, off + EntryReply.attrValid, off + EntryReply.attrValidNsec, entry.attrTimeout);
  if (entry.node === 0) words.fill(0, (off + EntryReply.attr) >>> 2, (off + EntryReply.size) >>> 2);
  else putAttr(words, off + EntryReply.attr, entry.attr);
}

/** struct fuse_attr_out from `frame.attr`. @returns its size */
export function putAttrReply(frame: Frame): number {
  const words = frame.out32;
  const off = OutHeader.size;
  putTimeout(words, off + AttrReply.attrValid, off + AttrReply.attrValidNsec, frame.attr.attrTimeout);
  words[(off + AttrReply.attrValidNsec + 4) >>> 2] = 0;
  putAttr(words, off + AttrReply.attr, frame.attr.attr);
  return AttrReply.size;
}

/** struct fuse_open_out. @returns its size */
export function putOpen(words: Uint32Array, off: number, open: OpenOut): number {
  putU64(words, off + OpenReply.fh, open.handle);
  words[(off + OpenReply.flags) >>> 2] = open.flags;
  words[(off + OpenReply.flags + 4) >>> 2] = 0;
  return OpenReply.size;
}

/** struct fuse_statfs_out from `frame.statfs`. @returns its size */
export function putStatfs(frame: Frame): number {
  const words = frame.out32;
  const off = OutHeader.size;
  const statfs = frame.statfs;
  words.fill(0, off >>> 2, (off + StatfsReply.size) >>> 2);
  putU64(words, off + StatfsReply.blocks, statfs[Statfs.blocks]!);
  putU64(words, off + StatfsReply.bfree, statfs[Statfs.bfree]!);
  putU64(words, off + StatfsReply.bavail, statfs[Statfs.bavail]!);
  putU64(words, off + StatfsReply.files, statfs[Statfs.files]!);
  putU64(words, off + StatfsReply.ffree, statfs[Statfs.ffree]!);
  words[(off + StatfsReply.bsize) >>> 2] = statfs[Statfs.bsize]!;
  words[(off + StatfsReply.namelen) >>> 2] = statfs[Statfs.namelen]!;
  words[(off + StatfsReply.frsize) >>> 2] = statfs[Statfs.frsize]!;
  return StatfsReply.size;
}

/** A reply of one 32-bit number and four bytes of padding (fuse_write_out, fuse_getxattr_out). @returns its size */
export function putSize(frame: Frame, size: number): number {
  const words = frame.out32;
  words[OutHeader.size >>> 2] = size;
  words[(OutHeader.size >>> 2) + 1] = 0;
  return 8;
}
