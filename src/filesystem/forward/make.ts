import { linkat, mknodat, symlinkat, unlinkat } from '../../sys/at.ts';
import type { ForwardContext } from './context.ts';
import { actAs, actAsDaemon } from './credentials.ts';
import { enter } from './entry.ts';
import { beginNew, endNew } from './new-object.ts';
import type { Caller, Entry, NameBytes } from './types.ts';

/** Makes a FIFO, socket, device node or empty regular file (behaviour.md 6.16). */
export function mknod(
  ctx: ForwardContext,
  caller: Caller,
  parent: number,
  name: NameBytes,
  mode: number,
  rdev: number,
  out: Entry,
): number {
  const slot = beginNew(ctx, parent, name);
  if (slot < 0) return slot;
  const dirFd = ctx.dirs.fd(slot);
  let result = actAs(ctx, caller);
  if (result >= 0) {
    const acting = result;
    try {
      result = mknodat(dirFd, ctx.name.buf, ctx.name.off, mode, rdev);
    } finally {
      actAsDaemon(ctx, acting);
    }
  }
  if (result === 0) result = enterMade(ctx, parent, dirFd, true, out);
  return endNew(ctx, slot, ctx.name, result);
}

/** Makes a symlink (behaviour.md 6.16). */
export function symlink(ctx: ForwardContext, caller: Caller, parent: number, name: NameBytes, target: NameBytes, out: Entry): number {
  const slot = beginNew(ctx, parent, name);
  if (slot < 0) return slot;
  const dirFd = ctx.dirs.fd(slot);
  const stored = ctx.symlinks.encryptTarget(target.buf, target.off, target.len);
  let result = actAs(ctx, caller);
  if (result >= 0) {
    const acting = result;
    try {
      result = symlinkat(stored, 0, dirFd, ctx.name.buf, ctx.name.off);
    } finally {
      actAsDaemon(ctx, acting);
    }
  }
  if (result === 0) result = enterMade(ctx, parent, dirFd, true, out);
  return endNew(ctx, slot, ctx.name, result);
}

/** Gives an object one more name (behaviour.md 6.16). */
export function link(ctx: ForwardContext, node: number, parent: number, name: NameBytes, out: Entry): number {
  const slot = beginNew(ctx, parent, name);
  if (slot < 0) return slot;
  const dirFd = ctx.dirs.fd(slot);
  const { path } = ctx;
  let result = path.first(node);
  if (result === 0) {
    do result = linkat(path.dirFd, path.name, 0, dirFd, ctx.name.buf, ctx.name.off, 0);
    while (path.again(result));
    path.done();
  }
  if (result === 0) result = enterMade(ctx, parent, dirFd, false, out);
  return endNew(ctx, slot, ctx.name, result);
}

/** Fills in the reply for what was just made under `ctx.name`; takes it back if that fails. */
function enterMade(ctx: ForwardContext, parent: number, dirFd: number, isNew: boolean, out: Entry): number {
  const result = enter(ctx, parent, dirFd, ctx.name, isNew, out);
  if (result < 0) unlinkat(dirFd, ctx.name.buf, ctx.name.off, 0);
  return result;
}
