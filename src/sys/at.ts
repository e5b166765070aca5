/** Calls on a name relative to a directory descriptor. None follows a symlink in the last component unless a flag asks for it. */
import { type NativeSys, native } from '../native.ts';

/** Opens or creates; close-on-exec is always set. −ELOOP for a symlink with O_NOFOLLOW. */
export const openat: NativeSys['openat'] = native.sys.openat;
/** Creates a directory. */
export const mkdirat: NativeSys['mkdirat'] = native.sys.mkdirat;
/** Creates a file, FIFO, socket or device node; `rdev` in the 32-bit encoding of stat. */
export const mknodat: NativeSys['mknodat'] = native.sys.mknodat;
/** Creates a symlink with the given target. */
export const symlinkat: NativeSys['symlinkat'] = native.sys.symlinkat;
/** Reads the target, without NUL; a result that fills the buffer may be cut. */
export const readlinkat: NativeSys['readlinkat'] = native.sys.readlinkat;
/** Creates a hard link; a symlink itself is linked unless AT_SYMLINK_FOLLOW is given. */
export const linkat: NativeSys['linkat'] = native.sys.linkat;
/** Removes a name; AT_REMOVEDIR for an empty directory. */
export const unlinkat: NativeSys['unlinkat'] = native.sys.unlinkat;
/** Renames, with RENAME_* flags. */
export const renameat2: NativeSys['renameat2'] = native.sys.renameat2;
/** Changes the mode of anything but a symlink (−ELOOP). */
export const fchmodatNofollow: NativeSys['fchmodatNofollow'] = native.sys.fchmodatNofollow;
/** Changes the owner, of a symlink itself too; −1 leaves an id unchanged. */
export const fchownatNofollow: NativeSys['fchownatNofollow'] = native.sys.fchownatNofollow;
/** Sets access and modification time, seconds and nanoseconds (UTIME_NOW, UTIME_OMIT). */
export const utimensat: NativeSys['utimensat'] = native.sys.utimensat;
/** Tests access with the real ids, or the effective ones (AT_EACCESS). */
export const faccessat: NativeSys['faccessat'] = native.sys.faccessat;
