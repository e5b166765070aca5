/** Size and space of an open file. */
import { type NativeSys, native } from '../native.ts';

/** Sets the size in bytes. */
export const ftruncate: NativeSys['ftruncate'] = native.sys.ftruncate;
/** Reserves, punches or shifts a range (FALLOC_FL_*); −EOPNOTSUPP if the filesystem cannot. */
export const fallocate: NativeSys['fallocate'] = native.sys.fallocate;
/** Copies between two files inside the kernel; returns bytes copied, 0 at the end. */
export const copyFileRange: NativeSys['copyFileRange'] = native.sys.copyFileRange;
/** Inode flags (FS_*_FL); −ENOTTY or −EOPNOTSUPP if the filesystem has none. */
export const getFlags: NativeSys['getFlags'] = native.sys.getFlags;
