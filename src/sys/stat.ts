/** Attributes of files and filesystems, into Float64Arrays (layouts `Stat` and `Statfs`). Source: stat(2), statfs(2). */
import { type NativeSys, native } from '../native.ts';

export { STAT_FIELDS, STATFS_FIELDS, Stat, Statfs } from '../native.ts';

/** Attributes of an open descriptor (O_PATH included). */
export const fstat: NativeSys['fstat'] = native.sys.fstat;
/** Attributes of a name in a directory; pass AT_SYMLINK_NOFOLLOW to stay on a symlink. */
export const fstatat: NativeSys['fstatat'] = native.sys.fstatat;
/** Figures and type of the filesystem below an open descriptor. */
export const fstatfs: NativeSys['fstatfs'] = native.sys.fstatfs;
