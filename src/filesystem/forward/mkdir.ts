import { Errno, errnoName } from '../../base/errno.ts';
import { fchmodatNofollow, mkdirat, openat, unlinkat } from '../../sys/at.ts';
import { AT_REMOVEDIR, O_DIRECTORY, O_NOFOLLOW, O_PATH, S_ISGID } from '../../sys/constants.ts';
import { close } from '../../sys/files.ts';
import { fstat, Stat } from '../../sys/stat.ts';
import { randomDirIV } from '../../vault/names/random.ts';
import { DIR_IV_LEN } from '../../vault/names/rules.ts';
import type { ForwardContext } from './context.ts';
import { actAs, actAsDaemon } from './credentials.ts';
import { DIR_IV_PATH, writeDirIV } from './dir-iv-file.ts';
import { enter, referenceNode } from './entry.ts';
import { beginNew, endNew } from './new-object.ts';
import type { Caller, Entry, NameBytes } from './types.ts';

const PERMISSIONS = 0o7777;
/** What the daemon needs in a directory to put the IV file in. */
const OWNER_ALL = 0o700;

const iv = new Uint8Array(DIR_IV_LEN);

/** Makes a directory, with its IV file where the vault has such (behaviour.md 6.14). */
export function mkdir(ctx: ForwardContext, caller: Caller, parent: number, name: NameBytes, mode: number, out: Entry): number {
  const slot = beginNew(ctx, parent, name);
  if (slot < 0) return slot;
  const dirFd = ctx.dirs.fd(slot);
  const result = ctx.parameters.dirIV
    ? makeWithIV(ctx, caller, parent, dirFd, mode, out)
    : makePlain(ctx, caller, parent, dirFd, mode, out);
  return endNew(ctx, slot, ctx.name, result);
}

function mkdirAs(ctx: ForwardContext, caller: Caller, dirFd: number, mode: number): number {
  const acting = actAs(ctx, caller);
  if (acting < 0) return acting;
  try {
    return mkdirat(dirFd, ctx.name.buf, ctx.name.off, mode);
  } finally {
    actAsDaemon(ctx, acting);
  }
}

function makePlain(ctx: ForwardContext, caller: Caller, parent: number, dirFd: number, mode: number, out: Entry): number {
  let result = mkdirAs(ctx, caller, dirFd, mode & PERMISSIONS);
  if (result < 0) return result;
  result = enter(ctx, parent, dirFd, ctx.name, true, out);
  if (result < 0) unlinkat(dirFd, ctx.name.buf, ctx.name.off, AT_REMOVEDIR);
  return result;
}

/**
 * Between the creation of the directory and of its IV file the kernel keeps look-ups of this name away (it holds the parent), and readers
 * of IV files that come by another way wait (`beginIVChange`). A crash in between leaves a directory that can be removed (format.md 11).
 */
function makeWithIV(ctx: ForwardContext, caller: Caller, parent: number, dirFd: number, mode: number, out: Entry): number {
  const { buf, off, len } = ctx.name;
  let result: number;
  let fd = -1;
  ctx.dirs.beginIVChange();
  try {
    result = mkdirAs(ctx, caller, dirFd, (mode & PERMISSIONS) | OWNER_ALL);
    if (result < 0) return result;
    fd = openat(dirFd, buf, off, O_PATH | O_DIRECTORY | O_NOFOLLOW, 0);
    result = fd;
    if (fd >= 0) {
      randomDirIV(iv, 0);
      result = writeDirIV(fd, iv);
      if (result < 0 && result !== -Errno.ENOSPC && result !== -Errno.EDQUOT) {
        ctx.log.warn(`Mkdir: could not write gocryptfs.diriv: ${errnoName(result)}`);
      }
    }
  } finally {
    ctx.dirs.endIVChange();
  }
  if (result >= 0 && (mode & OWNER_ALL) !== OWNER_ALL) result = setFinalMode(dirFd, fd, buf, off, mode, out.attr);
  if (result >= 0) result = fstat(fd, out.attr);
  if (result >= 0) result = referenceNode(ctx, parent, buf, off, len, true, out);
  if (result < 0) {
    if (fd >= 0) {
      unlinkat(fd, DIR_IV_PATH, 0, 0);
      close(fd);
    }
    unlinkat(dirFd, buf, off, AT_REMOVEDIR);
    return result;
  }
  ctx.dirs.adopt(out.node, fd, iv);
  ctx.attributes.show(out.attr);
  return 0;
}

/** Takes the owner's extra permissions back, but not a setgid bit that the parent handed down. */
function setFinalMode(dirFd: number, fd: number, buf: Uint8Array, off: number, mode: number, stat: Float64Array): number {
  const result = fstat(fd, stat);
  if (result < 0) return result;
  return fchmodatNofollow(dirFd, buf, off, (mode & PERMISSIONS) | (stat[Stat.mode]! & S_ISGID));
}
