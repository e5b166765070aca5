import { Errno } from '../../base/errno.ts';
import { ROOT } from '../../shared/nodes.ts';
import { fstat, Stat } from '../../sys/stat.ts';
import type { Entry, NameBytes } from '../forward/types.ts';
import type { ReverseContext } from './context.ts';
import { enterTarget } from './entry.ts';
import { newTarget, resolveName } from './resolve.ts';

const target = newTarget();

/** Finds a name in a directory of the view. @returns 0 with a reference taken; −ENOENT, −EPERM if excluded, or another negated errno */
export function lookup(ctx: ReverseContext, parent: number, name: NameBytes, out: Entry): number {
  ctx.counters.markUsed();
  let result = lookupOnce(ctx, parent, name, out);
  if (result === -Errno.ENOENT && dropIfRemoved(ctx, parent)) result = lookupOnce(ctx, parent, name, out);
  return result;
}

function lookupOnce(ctx: ReverseContext, parent: number, name: NameBytes, out: Entry): number {
  const slot = ctx.dirs.pin(parent);
  if (slot < 0) return slot;
  const dirFd = ctx.dirs.fd(slot);
  const dir = ctx.paths.of(parent);
  let result = dir === null ? -Errno.ENOENT : resolveName(ctx, dir, dirFd, name, target);
  if (dir !== null && result === 0) result = enterTarget(ctx, dir, dirFd, target.kind, target.plain, 0, target.len, out);
  ctx.dirs.unpin(slot);
  return result;
}

/**
 * Forgets the descriptor of a directory that was removed. A new one may stand in its place and even have the same inode number, and so be
 * the same node: then a second try finds it.
 * @returns true if that was so
 */
export function dropIfRemoved(ctx: ReverseContext, node: number): boolean {
  if (node === ROOT || node === 0) return false;
  const slot = ctx.dirs.pin(node);
  if (slot < 0) return false;
  const isRemoved = fstat(ctx.dirs.fd(slot), ctx.stat) === 0 && ctx.stat[Stat.nlink] === 0;
  if (isRemoved) ctx.dirs.drop(node);
  ctx.dirs.unpin(slot);
  return isRemoved;
}
