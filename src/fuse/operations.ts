/**
 * What a filesystem implements to be served over FUSE. This interface knows nothing of vaults, devices or threads.
 *
 * Conventions
 * - Every operation returns 0 or a positive count for success, a negated errno for failure. It must not throw for expected failures.
 * - Arguments (`Request`, `Name`, the `out` objects) are reused for the next request: copy what must outlive the call.
 * - Node ids and handles are numbers below 2^53. The root is node 1.
 * - Attributes are Float64Arrays in the layout `Stat` of src/native.ts: a filesystem can pass the array on to fstatat(2) and patch it.
 * Source: linux/fuse.h (protocol 7.38, linux-libc-dev 6.1).
 */

export const ROOT_NODE = 1;

/** Who asks, for whom: the header of the request being served. */
export interface Request {
  /** Id of the request; 0 is never used. */
  unique: number;
  node: number;
  uid: number;
  gid: number;
  /** Thread id of the caller, 0 if it lies outside the server's pid namespace. */
  pid: number;
}

/** A name inside a buffer: `len` bytes from `off`, followed by a NUL byte. Never empty, never holds '/'. */
export interface Name {
  buf: Uint8Array;
  off: number;
  len: number;
}

/** Reply of LOOKUP, MKNOD, MKDIR, SYMLINK, LINK and the first half of CREATE. */
export interface EntryOut {
  /** 0 with return value 0 is a negative entry that the kernel may cache for entryTimeout. */
  node: number;
  generation: number;
  /** Seconds, fractions allowed. */
  entryTimeout: number;
  attrTimeout: number;
  readonly attr: Float64Array;
}

/** Reply of GETATTR and SETATTR. */
export interface AttrOut {
  attrTimeout: number;
  readonly attr: Float64Array;
}

/** Reply of OPEN, OPENDIR and the second half of CREATE. */
export interface OpenOut {
  handle: number;
  /** FOPEN_* flags (abi/flags.ts). */
  flags: number;
}

/** Arguments of SETATTR; only the parts named in `valid` (FATTR_*) count. */
export interface SetAttr {
  valid: number;
  handle: number;
  mode: number;
  uid: number;
  gid: number;
  size: number;
  atimeSec: number;
  atimeNsec: number;
  mtimeSec: number;
  mtimeNsec: number;
}

/** Takes directory entries until the reply is full. */
export interface DirSink {
  /** True for READDIRPLUS: `plus` then points to the entry to fill with a lookup result before `addPlus`. */
  readonly isPlus: boolean;
  readonly plus: EntryOut;
  /**
   * Adds a plain entry. `nextLo` and `nextHi` are the halves of the cookie that continues *behind* this entry (filesystems use up to
   * 63 bits, more than a number holds); `type` is a DT_* value.
   * @returns false if it did not fit: stop, and start there at the next call
   */
  add(inoLo: number, inoHi: number, nextLo: number, nextHi: number, type: number, name: Uint8Array, off: number, len: number): boolean;
  /** True if an entry with a name of `len` bytes still fits; ask before taking a node reference for `addPlus`. */
  fits(len: number): boolean;
  /** Adds `plus` (node 0: listed without attributes, no reference is taken) under this name. */
  addPlus(inoLo: number, inoHi: number, nextLo: number, nextHi: number, type: number, name: Uint8Array, off: number, len: number): boolean;
}

export interface Operations {
  lookup(req: Request, name: Name, out: EntryOut): number;
  /** The kernel drops `count` references of `node`. No reply. */
  forget(node: number, count: number): void;
  /** `handle` is −1 if the kernel sent none. */
  getattr(req: Request, handle: number, out: AttrOut): number;
  setattr(req: Request, set: SetAttr, out: AttrOut): number;
  /** The target, without NUL, to dst. @returns its length */
  readlink(req: Request, dst: Uint8Array, dstOff: number, dstLen: number): number;
  /** `umask` is informational: the kernel has applied it to `mode` already (DONT_MASK is not negotiated). */
  mknod(req: Request, name: Name, mode: number, rdev: number, umask: number, out: EntryOut): number;
  mkdir(req: Request, name: Name, mode: number, umask: number, out: EntryOut): number;
  unlink(req: Request, name: Name): number;
  rmdir(req: Request, name: Name): number;
  symlink(req: Request, name: Name, target: Name, out: EntryOut): number;
  rename(req: Request, name: Name, newParent: number, newName: Name, flags: number): number;
  link(req: Request, node: number, name: Name, out: EntryOut): number;
  open(req: Request, flags: number, out: OpenOut): number;
  create(req: Request, name: Name, flags: number, mode: number, umask: number, entry: EntryOut, open: OpenOut): number;
  /** @returns bytes placed at dst[dstOff…] */
  read(req: Request, handle: number, offset: number, size: number, dst: Uint8Array, dstOff: number): number;
  /** @returns bytes taken */
  write(req: Request, handle: number, offset: number, src: Uint8Array, srcOff: number, len: number, writeFlags: number): number;
  statfs(req: Request, out: Float64Array): number;
  release(req: Request, handle: number, flags: number): number;
  flush(req: Request, handle: number): number;
  fsync(req: Request, handle: number, dataOnly: boolean): number;
  opendir(req: Request, flags: number, out: OpenOut): number;
  /** Entries from a cookie on (two halves, both 0: the beginning) into `sink`. */
  readdir(req: Request, handle: number, cookieLo: number, cookieHi: number, sink: DirSink): number;
  releasedir(req: Request, handle: number): number;
  fsyncdir(req: Request, handle: number, dataOnly: boolean): number;
  setxattr(req: Request, name: Name, value: Uint8Array, valueOff: number, valueLen: number, flags: number): number;
  /** size 0: only the needed size is returned. −ERANGE if it does not fit. */
  getxattr(req: Request, name: Name, dst: Uint8Array, dstOff: number, size: number): number;
  /** NUL-terminated names one behind the other. */
  listxattr(req: Request, dst: Uint8Array, dstOff: number, size: number): number;
  removexattr(req: Request, name: Name): number;
  access(req: Request, mask: number): number;
  fallocate(req: Request, handle: number, offset: number, len: number, mode: number): number;
  /** @returns the new offset */
  lseek(req: Request, handle: number, offset: number, whence: number): number;
  copyFileRange(
    req: Request,
    handleIn: number,
    offIn: number,
    nodeOut: number,
    handleOut: number,
    offOut: number,
    len: number,
    flags: number,
  ): number;
  ioctl(req: Request, handle: number, cmd: number): number;
  /** The session ends: called once, after this worker's last request. */
  destroy(): void;
}
