import { Errno } from '../../base/errno.ts';
import type { Logger } from '../../base/log.ts';
import { quoteNameAt } from '../../base/quote.ts';
import type { NativeSys } from '../../native.ts';
import type { OpenFiles } from '../../shared/open-files.ts';
import { openat } from '../../sys/at.ts';
import {
  O_ACCMODE,
  O_APPEND,
  O_CLOEXEC,
  O_CREAT,
  O_DIRECT,
  O_EXCL,
  O_NOCTTY,
  O_NOFOLLOW,
  O_NONBLOCK,
  O_RDWR,
  O_TRUNC,
  O_WRONLY,
  S_IFMT,
  S_IFREG,
} from '../../sys/constants.ts';
import { close, fchmod } from '../../sys/files.ts';
import { getNofile } from '../../sys/process.ts';
import { fstat, STAT_FIELDS, Stat } from '../../sys/stat.ts';

/** What opening needs of the ForwardContext. */
export interface OpenContext {
  readonly log: Logger;
  readonly openFiles: OpenFiles;
}

/** The system calls of opening; a test may put its own in between. */
export type OpenSys = Pick<NativeSys, 'openat' | 'close' | 'fstat' | 'fchmod' | 'getNofile'>;

const realSys: OpenSys = { openat, close, fstat, fchmod, getNofile };

/** Owner may read. */
const S_IRUSR = 0o400;
const PERMISSION_BITS = 0o7777;

/**
 * The flags a backing file is opened with, for those of the user (behaviour.md 6.11): read-modify-write has to read what the user only
 * writes; the kernel has already turned O_APPEND into offsets; blocks are not aligned as O_DIRECT wants; creating and truncating are
 * requests of their own.
 */
export function backingFlags(flags: number): number {
  let out = flags & ~(O_APPEND | O_DIRECT | O_CREAT | O_EXCL | O_NOCTTY | O_TRUNC);
  if ((out & O_ACCMODE) === O_WRONLY) out = (out & ~O_ACCMODE) | O_RDWR;
  return out | O_NOFOLLOW | O_CLOEXEC;
}

/** Tells about a descriptor limit that was hit: `what` is "Open" or "Create", the name runs to its NUL byte. */
export function warnTooManyOpen(
  log: Logger,
  what: string,
  cName: Uint8Array,
  off: number,
  sys: Pick<NativeSys, 'getNofile'> = realSys,
): void {
  log.warn(
    `${what} ${quoteNameAt(cName, off, cName.indexOf(0, off) - off)}: too many open files. Current "ulimit -n": ${sys.getNofile()[0]}`,
  );
}

/**
 * Opens the backing file `cName` (NUL-terminated at `off`) in the directory `dirfd` for a user who asked for `flags`.
 * @returns descriptor, or a negated errno: −EPERM if a file that refused to be read says that its owner may read it
 */
export function openBacking(
  ctx: OpenContext,
  dirfd: number,
  cName: Uint8Array,
  off: number,
  flags: number,
  sys: OpenSys = realSys,
): number {
  ctx.openFiles.lockOpensShared();
  let fd: number;
  try {
    fd = sys.openat(dirfd, cName, off, backingFlags(flags), 0);
  } finally {
    ctx.openFiles.unlockOpensShared();
  }
  if (fd >= 0) return fd;
  if (fd === -Errno.EACCES && (flags & O_ACCMODE) === O_WRONLY) fd = openUnreadable(ctx, dirfd, cName, off, flags, sys);
  if (fd === -Errno.EMFILE || fd === -Errno.ENFILE) warnTooManyOpen(ctx.log, 'Open', cName, off, sys);
  return fd;
}

/**
 * For a file that its owner may write but not read (mode 0200): the right to read is granted for the length of one open. All other opens
 * of this mount wait meanwhile, so that nobody gets in by it.
 */
function openUnreadable(ctx: OpenContext, dirfd: number, cName: Uint8Array, off: number, flags: number, sys: OpenSys): number {
  ctx.openFiles.lockOpensExclusive();
  try {
    // O_NONBLOCK: should the name have become a FIFO meanwhile, this must not wait for its reader.
    const writeFd = sys.openat(dirfd, cName, off, O_WRONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC, 0);
    if (writeFd < 0) return writeFd;
    try {
      return reopenReadable(ctx, writeFd, dirfd, cName, off, flags, sys);
    } finally {
      sys.close(writeFd);
    }
  } finally {
    ctx.openFiles.unlockOpensExclusive();
  }
}

function reopenReadable(
  ctx: OpenContext,
  writeFd: number,
  dirfd: number,
  cName: Uint8Array,
  off: number,
  flags: number,
  sys: OpenSys,
): number {
  const before = new Float64Array(STAT_FIELDS);
  let result = sys.fstat(writeFd, before);
  if (result < 0) return result;
  const mode = before[Stat.mode]!;
  if ((mode & S_IFMT) !== S_IFREG) return -Errno.EACCES;
  if ((mode & S_IRUSR) !== 0) {
    ctx.log.warn(`Open: unexpected mode 0${(mode & PERMISSION_BITS).toString(8)} of a file that cannot be read`);
    return -Errno.EPERM;
  }
  result = sys.fchmod(writeFd, (mode & PERMISSION_BITS) | S_IRUSR);
  if (result < 0) {
    ctx.log.warn('Open: a write-only file cannot be made readable for a moment');
    return result;
  }
  const fd = sys.openat(dirfd, cName, off, backingFlags(flags), 0);
  if (sys.fchmod(writeFd, mode & PERMISSION_BITS) < 0) ctx.log.warn('Open: the mode of a write-only file could not be restored');
  if (fd < 0) return fd;
  const after = new Float64Array(STAT_FIELDS);
  result = sys.fstat(fd, after);
  const isSame =
    after[Stat.dev] === before[Stat.dev] && after[Stat.inoLo] === before[Stat.inoLo] && after[Stat.inoHi] === before[Stat.inoHi];
  if (result >= 0 && isSame) return fd;
  // Somebody replaced the name between the two opens: what is open now was never asked for.
  sys.close(fd);
  return result < 0 ? result : -Errno.ESTALE;
}
