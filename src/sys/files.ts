/** Calls on an open descriptor. `read`, `write`, `pollIn` and `flock` may return −EINTR; `close` and `dup2` are never repeated. */
import { type NativeSys, native } from '../native.ts';

/** Closes; after an error too the descriptor is gone. */
export const close: NativeSys['close'] = native.sys.close;
/** A second descriptor of the same open file, close-on-exec. */
export const dup: NativeSys['dup'] = native.sys.dup;
/** Puts a copy in place of `to`, which then survives exec. */
export const dup2: NativeSys['dup2'] = native.sys.dup2;
/** Sets or clears close-on-exec. */
export const setCloexec: NativeSys['setCloexec'] = native.sys.setCloexec;
/** Reads at the file position; for devices, pipes and terminals. */
export const read: NativeSys['read'] = native.sys.read;
/** Writes at the file position; may write less than asked. */
export const write: NativeSys['write'] = native.sys.write;
/** Reads at an offset in bytes; 0 at the end of the file. */
export const pread: NativeSys['pread'] = native.sys.pread;
/** Reads only what the page cache holds: −EAGAIN if it would have to wait, −EOPNOTSUPP if the filesystem cannot tell. */
export const preadNowait: NativeSys['preadNowait'] = native.sys.preadNowait;
/** Writes at an offset in bytes; may write less than asked. */
export const pwrite: NativeSys['pwrite'] = native.sys.pwrite;
/** Changes the mode of an open file. */
export const fchmod: NativeSys['fchmod'] = native.sys.fchmod;
/** Changes the owner of an open file; −1 leaves an id unchanged. */
export const fchown: NativeSys['fchown'] = native.sys.fchown;
/** Sets access and modification time of an open file. */
export const futimens: NativeSys['futimens'] = native.sys.futimens;
/** Waits until data and attributes are on the disk. */
export const fsync: NativeSys['fsync'] = native.sys.fsync;
/** Waits until the data are on the disk. */
export const fdatasync: NativeSys['fdatasync'] = native.sys.fdatasync;
/** Waits until the whole filesystem is on the disk. */
export const syncfs: NativeSys['syncfs'] = native.sys.syncfs;
/** Takes or drops an advisory lock (LOCK_*); −EAGAIN with LOCK_NB. */
export const flock: NativeSys['flock'] = native.sys.flock;
/** Reads raw directory records (DIRENT_* offsets); 0 at the end. */
export const getdents64: NativeSys['getdents64'] = native.sys.getdents64;
/** Puts a directory at a cookie found in a record. */
export const seekdir: NativeSys['seekdir'] = native.sys.seekdir;
/** Waits for input; timeout in milliseconds, −1 for ever. 1 also for an error or hang-up, which the next read reports. */
export const pollIn: NativeSys['pollIn'] = native.sys.pollIn;
