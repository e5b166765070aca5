import { Errno } from '../../base/errno.ts';
import { renameat2 } from '../../sys/at.ts';
import { AT_SYMLINK_NOFOLLOW, RENAME_EXCHANGE, RENAME_NOREPLACE, RENAME_WHITEOUT, S_IFDIR } from '../../sys/constants.ts';
import { fstatat } from '../../sys/stat.ts';
import { pinChild } from './child-name.ts';
import type { ForwardContext } from './context.ts';
import { createNameFile, removeNameFile } from './long-name-file.ts';
import { removeDirectory } from './rmdir.ts';
import type { NameBytes } from './types.ts';

/** Renames, exchanges, or leaves a whiteout behind (behaviour.md 6.15). */
export function rename(ctx: ForwardContext, parent: number, name: NameBytes, newParent: number, newName: NameBytes, flags: number): number {
  if (!isKnown(flags)) {
    ctx.log.warn(`rejectRenameFlags: unknown flag combination 0x${flags.toString(16)}`);
    return -Errno.EINVAL;
  }
  const slot = pinChild(ctx, parent, name, ctx.name);
  if (slot < 0) return slot;
  const newSlot = pinChild(ctx, newParent, newName, ctx.newName);
  if (newSlot < 0) {
    ctx.dirs.unpin(slot);
    return newSlot;
  }
  ctx.nodes.renames.begin();
  try {
    return move(ctx, parent, ctx.dirs.fd(slot), newParent, ctx.dirs.fd(newSlot), flags);
  } finally {
    ctx.nodes.renames.end();
    ctx.dirs.unpin(newSlot);
    ctx.dirs.unpin(slot);
  }
}

function isKnown(flags: number): boolean {
  const known = RENAME_NOREPLACE | RENAME_EXCHANGE | RENAME_WHITEOUT;
  return (flags & ~known) === 0 && ((flags & RENAME_EXCHANGE) === 0 || flags === RENAME_EXCHANGE);
}

function move(ctx: ForwardContext, parent: number, dirFd: number, newParent: number, newDirFd: number, flags: number): number {
  const from = ctx.name;
  const to = ctx.newName;
  let madeNameFile = false;
  if (to.isLong) {
    const made = createNameFile(ctx, newDirFd, to);
    if (made < 0 && made !== -Errno.EEXIST) return made;
    madeNameFile = made === 0;
  }
  let result = renameat2(dirFd, from.buf, from.off, newDirFd, to.buf, to.off, flags);
  const isTaken = result === -Errno.ENOTEMPTY || result === -Errno.EEXIST;
  if (isTaken && ctx.parameters.dirIV && (flags & RENAME_NOREPLACE) === 0) {
    // The IV file keeps even an empty directory from being replaced. Its `.name` file stays: the name is about to be used again.
    const removed = removeDirectory(ctx, newDirFd, to);
    if (removed === 0) result = renameat2(dirFd, from.buf, from.off, newDirFd, to.buf, to.off, flags);
    else if (removed !== -Errno.ENOTDIR && removed !== -Errno.ENOENT) result = removed;
  }
  if (result < 0) {
    if (madeNameFile) removeNameFile(ctx, newDirFd, to);
    return result;
  }
  if ((flags & RENAME_EXCHANGE) !== 0) {
    ctx.nodes.exchangeNames(parent, from.buf, from.off, from.len, newParent, to.buf, to.off, to.len);
    return 0;
  }
  const keepsOldName = (flags & RENAME_WHITEOUT) !== 0 || isStillThere(ctx, dirFd);
  if (from.isLong && !keepsOldName) removeNameFile(ctx, dirFd, from);
  const replaced = ctx.nodes.find(newParent, to.buf, to.off, to.len);
  if (replaced !== 0 && ctx.nodes.type(replaced) === S_IFDIR) ctx.dirs.drop(replaced);
  ctx.nodes.moveName(parent, from.buf, from.off, from.len, newParent, to.buf, to.off, to.len);
  return 0;
}

/** True if a long name outlived its rename: renaming one hard link to another of the same file does nothing (rename(2)). */
function isStillThere(ctx: ForwardContext, dirFd: number): boolean {
  return ctx.name.isLong && fstatat(dirFd, ctx.name.buf, ctx.name.off, ctx.stat, AT_SYMLINK_NOFOLLOW) === 0;
}
