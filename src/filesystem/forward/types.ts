/**
 * The shapes in which the view takes and gives values. They fit those of the FUSE server, of which this folder knows nothing;
 * all are reused by the caller for the next request.
 */

/** Who asks. */
export interface Caller {
  readonly uid: number;
  readonly gid: number;
  /** Thread id; 0 if unknown. */
  readonly pid: number;
}

/** A plaintext name or text: `len` bytes from `off`, followed by a NUL byte. */
export interface NameBytes {
  readonly buf: Uint8Array;
  readonly off: number;
  readonly len: number;
}

/** What is told of an object found or made: its node, with one reference taken, and its attributes (STAT_FIELDS numbers). */
export interface Entry {
  node: number;
  generation: number;
  /** Seconds for which the kernel may rely on name and attributes (behaviour.md 6.2). */
  entryTimeout: number;
  attrTimeout: number;
  readonly attr: Float64Array;
}

/** A file or directory just opened. */
export interface Opened {
  handle: number;
}

/** Bits of `AttributeChange.valid`; the numbers of FATTR_* in linux/fuse.h. */
export const ChangePart = {
  Mode: 1,
  Uid: 2,
  Gid: 4,
  Size: 8,
  Atime: 16,
  Mtime: 32,
  Handle: 64,
  AtimeNow: 128,
  MtimeNow: 256,
} as const;

/** New attributes; only the parts named in `valid` count. */
export interface AttributeChange {
  readonly valid: number;
  readonly handle: number;
  readonly mode: number;
  readonly uid: number;
  readonly gid: number;
  readonly size: number;
  readonly atimeSec: number;
  readonly atimeNsec: number;
  readonly mtimeSec: number;
  readonly mtimeNsec: number;
}

/** Takes the entries of a listing until it is full; see the FUSE server's DirSink for the contract. */
export interface EntrySink {
  readonly isPlus: boolean;
  readonly plus: Entry;
  fits(len: number): boolean;
  add(inoLo: number, inoHi: number, nextLo: number, nextHi: number, type: number, name: Uint8Array, off: number, len: number): boolean;
  addPlus(inoLo: number, inoHi: number, nextLo: number, nextHi: number, type: number, name: Uint8Array, off: number, len: number): boolean;
}
