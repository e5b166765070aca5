/**
 * Numbers of the Linux system-call interface, as plain constants so that bundles inline them.
 * The values are those of x86-64; `O_DIRECTORY`, `O_NOFOLLOW`, `O_DIRECT` and `O_LARGEFILE` differ on arm64 and are chosen by architecture.
 * Each group names its kernel header (linux-libc-dev 6.1).
 */

// asm-generic/fcntl.h overridden by arch/arm64/include/uapi/asm/fcntl.h.
const isArm = process.arch === 'arm64' || process.arch === 'arm';

/* Open flags: asm-generic/fcntl.h. */
export const O_RDONLY = 0;
export const O_WRONLY = 1;
export const O_RDWR = 2;
export const O_ACCMODE = 3;
export const O_CREAT = 0o100;
export const O_EXCL = 0o200;
export const O_NOCTTY = 0o400;
export const O_TRUNC = 0o1000;
export const O_APPEND = 0o2000;
export const O_NONBLOCK = 0o4000;
export const O_DSYNC = 0o10000;
export const O_ASYNC = 0o20000;
export const O_DIRECT = isArm ? 0o200000 : 0o40000;
export const O_LARGEFILE = isArm ? 0o400000 : 0o100000;
export const O_DIRECTORY = isArm ? 0o40000 : 0o200000;
export const O_NOFOLLOW = isArm ? 0o100000 : 0o400000;
export const O_NOATIME = 0o1000000;
export const O_CLOEXEC = 0o2000000;
export const O_SYNC = 0o4010000;
export const O_PATH = 0o10000000;
export const O_TMPFILE = 0o20000000 | O_DIRECTORY;

/* The at-family: linux/fcntl.h. */
export const AT_FDCWD = -100;
export const AT_SYMLINK_NOFOLLOW = 0x100;
export const AT_EACCESS = 0x200;
export const AT_REMOVEDIR = 0x200;
export const AT_SYMLINK_FOLLOW = 0x400;
export const AT_NO_AUTOMOUNT = 0x800;
export const AT_EMPTY_PATH = 0x1000;

/* File types and permission bits of st_mode: linux/stat.h. */
export const S_IFMT = 0o170000;
export const S_IFSOCK = 0o140000;
export const S_IFLNK = 0o120000;
export const S_IFREG = 0o100000;
export const S_IFBLK = 0o060000;
export const S_IFDIR = 0o040000;
export const S_IFCHR = 0o020000;
export const S_IFIFO = 0o010000;
export const S_ISUID = 0o4000;
export const S_ISGID = 0o2000;
export const S_ISVTX = 0o1000;

/* Directory entry types: include/linux/fs_types.h (as in dirent.h); equal to the file type shifted right by 12. */
export const DT_UNKNOWN = 0;
export const DT_FIFO = 1;
export const DT_CHR = 2;
export const DT_DIR = 4;
export const DT_BLK = 6;
export const DT_REG = 8;
export const DT_LNK = 10;
export const DT_SOCK = 12;
/** Overlayfs and union mounts show a whiteout so. */
export const DT_WHT = 14;

/* Offsets of the fields of linux_dirent64 as getdents64 returns it: include/linux/dirent.h. */
export const DIRENT_INO = 0;
export const DIRENT_OFF = 8;
export const DIRENT_RECLEN = 16;
export const DIRENT_TYPE = 18;
export const DIRENT_NAME = 19;

/* lseek(2): linux/fs.h. */
export const SEEK_SET = 0;
export const SEEK_CUR = 1;
export const SEEK_END = 2;
export const SEEK_DATA = 3;
export const SEEK_HOLE = 4;

/* fallocate(2): linux/falloc.h. */
export const FALLOC_FL_KEEP_SIZE = 0x01;
export const FALLOC_FL_PUNCH_HOLE = 0x02;
export const FALLOC_FL_NO_HIDE_STALE = 0x04;
export const FALLOC_FL_COLLAPSE_RANGE = 0x08;
export const FALLOC_FL_ZERO_RANGE = 0x10;
export const FALLOC_FL_INSERT_RANGE = 0x20;
export const FALLOC_FL_UNSHARE_RANGE = 0x40;

/* renameat2(2): linux/fs.h. */
export const RENAME_NOREPLACE = 1;
export const RENAME_EXCHANGE = 2;
export const RENAME_WHITEOUT = 4;

/* Nanosecond values with a meaning of their own in utimensat(2): linux/stat.h. */
export const UTIME_NOW = 0x3fffffff;
export const UTIME_OMIT = 0x3ffffffe;

/* access(2): linux/unistd.h. */
export const F_OK = 0;
export const X_OK = 1;
export const W_OK = 2;
export const R_OK = 4;

/* flock(2): asm-generic/fcntl.h. */
export const LOCK_SH = 1;
export const LOCK_EX = 2;
export const LOCK_NB = 4;
export const LOCK_UN = 8;

/* setxattr(2): linux/xattr.h. */
export const XATTR_CREATE = 1;
export const XATTR_REPLACE = 2;
/** Longest attribute name, longest value and longest list the kernel handles: linux/limits.h. */
export const XATTR_NAME_MAX = 255;
export const XATTR_SIZE_MAX = 65536;
export const XATTR_LIST_MAX = 65536;

/* Limits: linux/limits.h. */
export const NAME_MAX = 255;
/** With the terminating NUL. */
export const PATH_MAX = 4096;

/* mount(2): linux/mount.h. */
export const MS_RDONLY = 1;
export const MS_NOSUID = 2;
export const MS_NODEV = 4;
export const MS_NOEXEC = 8;
export const MS_SYNCHRONOUS = 16;
export const MS_REMOUNT = 32;
export const MS_MANDLOCK = 64;
export const MS_DIRSYNC = 128;
export const MS_NOSYMFOLLOW = 256;
export const MS_NOATIME = 1024;
export const MS_NODIRATIME = 2048;
export const MS_BIND = 4096;
export const MS_REC = 16384;
export const MS_PRIVATE = 1 << 18;
export const MS_RELATIME = 1 << 21;
export const MS_STRICTATIME = 1 << 24;
export const MS_LAZYTIME = 1 << 25;

/* umount2(2): include/linux/fs.h. */
export const MNT_FORCE = 1;
export const MNT_DETACH = 2;
export const UMOUNT_NOFOLLOW = 8;

/* Filesystem magic numbers of statfs(2): linux/magic.h; XFS and FUSE from their own kernel sources. */
export const BTRFS_SUPER_MAGIC = 0x9123683e;
export const TMPFS_MAGIC = 0x01021994;
export const EXT4_SUPER_MAGIC = 0xef53;
export const NFS_SUPER_MAGIC = 0x6969;
export const FUSE_SUPER_MAGIC = 0x65735546;
export const XFS_SUPER_MAGIC = 0x58465342;

/* Flags of the statfs result: include/linux/statfs.h. */
export const ST_RDONLY = 1;

/* ioctl FS_IOC_GETFLAGS: linux/fs.h. */
export const FS_IMMUTABLE_FL = 0x10;
export const FS_APPEND_FL = 0x20;
export const FS_NOCOW_FL = 0x00800000;

/* Signals: asm-generic/signal.h. */
export const SIGINT = 2;
export const SIGUSR1 = 10;
export const SIGTERM = 15;

/* Syslog priorities: sys/syslog.h. */
export const LOG_CRIT = 2;
export const LOG_ERR = 3;
export const LOG_WARNING = 4;
export const LOG_NOTICE = 5;
export const LOG_INFO = 6;
export const LOG_DEBUG = 7;
