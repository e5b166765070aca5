/** What the filesystem below CIPHERDIR demands of a mount (behaviour.md 5.1, 6.9). */

import { bytesOfText } from '../../base/byte-text.ts';
import { errnoName } from '../../base/errno.ts';
import { AegisError } from '../../base/errors.ts';
import type { Reporter } from '../../base/reporter.ts';
import { getFlags } from '../../sys/allocate.ts';
import { openat } from '../../sys/at.ts';
import { AT_FDCWD, O_CLOEXEC, O_DIRECTORY, O_PATH, O_RDONLY } from '../../sys/constants.ts';
import { close } from '../../sys/files.ts';
import { fstatfs, STATFS_FIELDS, Statfs } from '../../sys/stat.ts';
import { textOfErrnoName } from '../errno-text.ts';
import type { MountOptions } from './options.ts';

/** linux/magic.h. */
const BTRFS_SUPER_MAGIC = 0x9123683e;
/** Filesystems whose kernel code has nothing to do at close(2): ext2 to ext4, tmpfs, XFS, Btrfs, F2FS (linux/magic.h). */
const QUIET_AT_CLOSE: readonly number[] = [0xef53, 0x01021994, 0x58465342, BTRFS_SUPER_MAGIC, 0xf2f52010];
/** linux/statfs.h. */
const ST_RDONLY = 1;
/** linux/fs.h. */
const FS_NOCOW_FL = 0x0080_0000;

/** The opened root and what follows from where it lies. */
export interface Backing {
  /** O_PATH descriptor of CIPHERDIR; symlinks in its own path are followed. */
  readonly rootFd: number;
  readonly readOnly: boolean;
  readonly noPrealloc: boolean;
  /** close(2) may report a write that failed. Judged by the filesystem of CIPHERDIR itself. */
  readonly closeReportsErrors: boolean;
}

/** Opens CIPHERDIR and looks at its filesystem. @throws AegisError `cipherdir` or `usage` */
export function openBacking(options: MountOptions, log: Reporter): Backing {
  const path = bytesOfText(`${options.cipherdir}\0`);
  const rootFd = openat(AT_FDCWD, path, 0, O_PATH | O_DIRECTORY | O_CLOEXEC, 0);
  if (rootFd < 0) {
    throw new AegisError('cipherdir', `Invalid cipherdir: open ${options.cipherdir}: ${textOfErrnoName(errnoName(rootFd))}`);
  }
  const statfs = new Float64Array(STATFS_FIELDS);
  if (fstatfs(rootFd, statfs) < 0) {
    return { rootFd, readOnly: options.readOnly || options.reverse, noPrealloc: options.noPrealloc, closeReportsErrors: true };
  }
  return {
    rootFd,
    readOnly: mustBeReadOnly(options, ((statfs[Statfs.flags] ?? 0) & ST_RDONLY) !== 0, log),
    noPrealloc: options.noPrealloc || (isCopyOnWrite(path, statfs) && noteBtrfs(log)),
    closeReportsErrors: !QUIET_AT_CLOSE.includes(statfs[Statfs.type] ?? 0),
  };
}

function mustBeReadOnly(options: MountOptions, isOnReadOnly: boolean, log: Reporter): boolean {
  const chosen = options.readOnly || options.reverse;
  if (!isOnReadOnly || options.reverse) {
    return chosen;
  }
  if (options.readWrite) {
    const what = 'is on a read-only filesystem, refusing.';
    throw new AegisError('usage', `Writeable mount explicitly requested but cipherdir ${options.cipherdir} ${what}`);
  }
  if (!chosen) {
    log.info(`Cipherdir ${options.cipherdir} is on a read-only filesystem, mounting as read-only.`);
  }
  return true;
}

/** Preallocated blocks are of no use where every write goes to new ones. */
function isCopyOnWrite(path: Uint8Array, statfs: Float64Array): boolean {
  if (statfs[Statfs.type] !== BTRFS_SUPER_MAGIC) {
    return false;
  }
  const fd = openat(AT_FDCWD, path, 0, O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
  if (fd < 0) {
    return true;
  }
  const flags = getFlags(fd);
  close(fd);
  return flags < 0 || (flags & FS_NOCOW_FL) === 0;
}

function noteBtrfs(log: Reporter): true {
  const hint = 'Use "chattr +C" on an empty backing directory to switch copy-on-write off for new files.';
  log.info(`DetectQuirks: Btrfs detected, forcing -noprealloc. ${hint}`, 'caution');
  return true;
}
