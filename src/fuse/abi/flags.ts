/** Flag words of the FUSE protocol, with the minor version that introduced them if after 7.9. Source: linux/fuse.h, protocol 7.38. */

/** fuse_setattr_in.valid: which parts of a SETATTR count. */
export const Fattr = {
  MODE: 1 << 0,
  UID: 1 << 1,
  GID: 1 << 2,
  SIZE: 1 << 3,
  ATIME: 1 << 4,
  MTIME: 1 << 5,
  FH: 1 << 6,
  /** 7.9 */
  ATIME_NOW: 1 << 7,
  /** 7.9 */
  MTIME_NOW: 1 << 8,
  LOCKOWNER: 1 << 9,
  /** 7.23; only sent with WRITEBACK_CACHE. */
  CTIME: 1 << 10,
  /** 7.33; only sent with HANDLE_KILLPRIV_V2. */
  KILL_SUIDGID: 1 << 11,
} as const;

/** fuse_open_out.open_flags. */
export const Fopen = {
  DIRECT_IO: 1 << 0,
  KEEP_CACHE: 1 << 1,
  /** 7.10 */
  NONSEEKABLE: 1 << 2,
  /** 7.28 */
  CACHE_DIR: 1 << 3,
  /** 7.31 */
  STREAM: 1 << 4,
  /** 7.35 */
  NOFLUSH: 1 << 5,
  /** 7.38 */
  PARALLEL_DIRECT_WRITES: 1 << 6,
} as const;

/** Low 32 capability bits of INIT. */
export const Init = {
  ASYNC_READ: 2 ** 0,
  POSIX_LOCKS: 2 ** 1,
  FILE_OPS: 2 ** 2,
  ATOMIC_O_TRUNC: 2 ** 3,
  EXPORT_SUPPORT: 2 ** 4,
  BIG_WRITES: 2 ** 5,
  DONT_MASK: 2 ** 6,
  SPLICE_WRITE: 2 ** 7,
  SPLICE_MOVE: 2 ** 8,
  SPLICE_READ: 2 ** 9,
  FLOCK_LOCKS: 2 ** 10,
  HAS_IOCTL_DIR: 2 ** 11,
  /** 7.20 */
  AUTO_INVAL_DATA: 2 ** 12,
  /** 7.21 */
  DO_READDIRPLUS: 2 ** 13,
  /** 7.21 */
  READDIRPLUS_AUTO: 2 ** 14,
  /** 7.22 */
  ASYNC_DIO: 2 ** 15,
  /** 7.23 */
  WRITEBACK_CACHE: 2 ** 16,
  /** 7.23 */
  NO_OPEN_SUPPORT: 2 ** 17,
  /** 7.25 */
  PARALLEL_DIROPS: 2 ** 18,
  /** 7.26 */
  HANDLE_KILLPRIV: 2 ** 19,
  /** 7.26 */
  POSIX_ACL: 2 ** 20,
  /** 7.27 */
  ABORT_ERROR: 2 ** 21,
  /** 7.28 */
  MAX_PAGES: 2 ** 22,
  /** 7.28 */
  CACHE_SYMLINKS: 2 ** 23,
  /** 7.29 */
  NO_OPENDIR_SUPPORT: 2 ** 24,
  /** 7.30 */
  EXPLICIT_INVAL_DATA: 2 ** 25,
  /** 7.31 */
  MAP_ALIGNMENT: 2 ** 26,
  /** 7.32 */
  SUBMOUNTS: 2 ** 27,
  /** 7.33 */
  HANDLE_KILLPRIV_V2: 2 ** 28,
  /** 7.33 */
  SETXATTR_EXT: 2 ** 29,
  /** 7.36 */
  INIT_EXT: 2 ** 30,
} as const;

/** fuse_getattr_in.getattr_flags: the handle is valid. */
export const GETATTR_FH = 1 << 0;
/** fuse_fsync_in.fsync_flags: data only, as fdatasync(2). */
export const FSYNC_FDATASYNC = 1 << 0;

/** fuse_write_in.write_flags. */
export const WriteFlag = {
  /** From the page cache; the handle is a guess. Only sent for mmap and with WRITEBACK_CACHE. */
  CACHE: 1 << 0,
  LOCKOWNER: 1 << 1,
  /** 7.31 */
  KILL_SUIDGID: 1 << 2,
} as const;
