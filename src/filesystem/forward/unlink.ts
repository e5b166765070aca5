import { errnoName } from '../../base/errno.ts';
import { unlinkat } from '../../sys/at.ts';
import { pinChild } from './child-name.ts';
import type { ForwardContext } from './context.ts';
import { removeNameFile } from './long-name-file.ts';
import type { NameBytes } from './types.ts';

/** Removes a name of anything but a directory, then its `.name` file (behaviour.md 6.16). */
export function unlink(ctx: ForwardContext, parent: number, name: NameBytes): number {
  const slot = pinChild(ctx, parent, name, ctx.name);
  if (slot < 0) return slot;
  const dirFd = ctx.dirs.fd(slot);
  const { buf, off, len, isLong } = ctx.name;
  let result = unlinkat(dirFd, buf, off, 0);
  if (result === 0) {
    ctx.nodes.dropName(parent, buf, off, len);
    if (isLong) {
      result = removeNameFile(ctx, dirFd, ctx.name);
      if (result < 0) ctx.log.warn(`Unlink: could not delete .name file: ${errnoName(result)}`);
    }
  }
  ctx.dirs.unpin(slot);
  return result;
}
