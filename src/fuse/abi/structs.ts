/**
 * Sizes and byte offsets of the structures on the wire, all little-endian. `In` offsets count from the start of the request body
 * (behind the 40-byte header), `Out` offsets from the start of the structure. Source: linux/fuse.h, protocol 7.38.
 */

/** Major protocol version spoken here. */
export const KERNEL_VERSION = 7;
/** Newest minor version whose structures are known here. */
export const KERNEL_MINOR = 38;
/** Oldest minor version served: max_pages and COPY_FILE_RANGE came with 7.28 (behaviour.md appendix C). */
export const OLDEST_MINOR = 28;

/** Most bytes that one READ or WRITE may move (behaviour.md 5.2). */
export const MAX_IO = 1 << 20;
/** MAX_IO in pages of 4096 bytes. */
export const MAX_PAGES = MAX_IO / 4096;
/** Bytes of a request buffer; the kernel refuses to fill one smaller than header + fuse_write_in + max_write. */
export const REQUEST_BUFFER = MAX_IO + 65536;
/** Longest symlink target that the kernel takes, without NUL: one page less one byte. */
export const MAX_SYMLINK = 4095;

/** struct fuse_in_header */
export const InHeader = { size: 40, len: 0, opcode: 4, unique: 8, nodeid: 16, uid: 24, gid: 28, pid: 32 } as const;
/** struct fuse_out_header */
export const OutHeader = { size: 16, len: 0, error: 4, unique: 8 } as const;

/** struct fuse_forget_in */
export const ForgetIn = { size: 8, nlookup: 0 } as const;
/** struct fuse_batch_forget_in, followed by `count` times struct fuse_forget_one */
export const BatchForgetIn = { size: 8, count: 0, entries: 8, entrySize: 16, entryNode: 0, entryNlookup: 8 } as const;
/** struct fuse_getattr_in */
export const GetattrIn = { size: 16, flags: 0, fh: 8 } as const;
/** struct fuse_setattr_in */
export const SetattrIn = {
  size: 88,
  valid: 0,
  fh: 8,
  fileSize: 16,
  atime: 32,
  mtime: 40,
  atimensec: 56,
  mtimensec: 60,
  mode: 68,
  uid: 76,
  gid: 80,
} as const;
/** struct fuse_mknod_in (7.12 and later), followed by the name */
export const MknodIn = { size: 16, mode: 0, rdev: 4, umask: 8 } as const;
/** struct fuse_mkdir_in, followed by the name */
export const MkdirIn = { size: 8, mode: 0, umask: 4 } as const;
/** struct fuse_rename_in, followed by the old and the new name */
export const RenameIn = { size: 8, newdir: 0 } as const;
/** struct fuse_rename2_in, followed by the old and the new name */
export const Rename2In = { size: 16, newdir: 0, flags: 8 } as const;
/** struct fuse_link_in, followed by the new name */
export const LinkIn = { size: 8, oldnodeid: 0 } as const;
/** struct fuse_open_in */
export const OpenIn = { size: 8, flags: 0 } as const;
/** struct fuse_create_in (7.12 and later), followed by the name */
export const CreateIn = { size: 16, flags: 0, mode: 4, umask: 8 } as const;
/** struct fuse_release_in */
export const ReleaseIn = { size: 24, fh: 0, flags: 8 } as const;
/** struct fuse_flush_in */
export const FlushIn = { size: 24, fh: 0 } as const;
/** struct fuse_read_in; READDIR and READDIRPLUS use it too */
export const ReadIn = { size: 40, fh: 0, offset: 8, count: 16 } as const;
/** struct fuse_write_in, followed by the data */
export const WriteIn = { size: 40, fh: 0, offset: 8, count: 16, flags: 20 } as const;
/** struct fuse_fsync_in */
export const FsyncIn = { size: 16, fh: 0, flags: 8 } as const;
/** struct fuse_setxattr_in without SETXATTR_EXT, followed by name and value */
export const SetxattrIn = { size: 8, valueSize: 0, flags: 4 } as const;
/** struct fuse_getxattr_in, for GETXATTR followed by the name */
export const GetxattrIn = { size: 8, valueSize: 0 } as const;
/** struct fuse_access_in */
export const AccessIn = { size: 8, mask: 0 } as const;
/** struct fuse_init_in; `size` is what every version sends, flags2 came with 7.36 */
export const InitIn = { size: 16, major: 0, minor: 4, maxReadahead: 8, flags: 12, flags2: 16 } as const;
/** struct fuse_interrupt_in */
export const InterruptIn = { size: 8 } as const;
/** struct fuse_ioctl_in */
export const IoctlIn = { size: 32, fh: 0, cmd: 12 } as const;
/** struct fuse_fallocate_in */
export const FallocateIn = { size: 32, fh: 0, offset: 8, length: 16, mode: 24 } as const;
/** struct fuse_lseek_in */
export const LseekIn = { size: 24, fh: 0, offset: 8, whence: 16 } as const;
/** struct fuse_copy_file_range_in */
export const CopyFileRangeIn = { size: 56, fhIn: 0, offIn: 8, nodeOut: 16, fhOut: 24, offOut: 32, len: 40, flags: 48 } as const;

/** struct fuse_attr */
export const Attr = {
  size: 88,
  ino: 0,
  fileSize: 8,
  blocks: 16,
  atime: 24,
  mtime: 32,
  ctime: 40,
  atimensec: 48,
  mtimensec: 52,
  ctimensec: 56,
  mode: 60,
  nlink: 64,
  uid: 68,
  gid: 72,
  rdev: 76,
  blksize: 80,
  flags: 84,
} as const;
/** struct fuse_entry_out (7.9 and later) */
export const EntryReply = {
  size: 128,
  nodeid: 0,
  generation: 8,
  entryValid: 16,
  attrValid: 24,
  entryValidNsec: 32,
  attrValidNsec: 36,
  attr: 40,
} as const;
/** struct fuse_attr_out (7.9 and later) */
export const AttrReply = { size: 104, attrValid: 0, attrValidNsec: 8, attr: 16 } as const;
/** struct fuse_open_out */
export const OpenReply = { size: 16, fh: 0, flags: 8 } as const;
/** struct fuse_statfs_out */
export const StatfsReply = { size: 80, blocks: 0, bfree: 8, bavail: 16, files: 24, ffree: 32, bsize: 40, namelen: 44, frsize: 48 } as const;
/** struct fuse_write_out and fuse_getxattr_out: one size and padding */
export const SizeReply = { size: 8, count: 0 } as const;
/** struct fuse_lseek_out */
export const LseekReply = { size: 8, offset: 0 } as const;
/** struct fuse_ioctl_out */
export const IoctlReply = { size: 16, result: 0 } as const;
/** struct fuse_init_out (7.23 and later) */
export const InitReply = {
  size: 64,
  major: 0,
  minor: 4,
  maxReadahead: 8,
  flags: 12,
  maxBackground: 16,
  congestionThreshold: 18,
  maxWrite: 20,
  timeGran: 24,
  maxPages: 28,
  mapAlignment: 30,
  flags2: 32,
} as const;
/** struct fuse_dirent, followed by the name and padding to 8 bytes; READDIRPLUS puts a fuse_entry_out before it */
export const Dirent = { size: 24, ino: 0, off: 8, namelen: 16, type: 20 } as const;
