import { Errno } from '../../base/errno.ts';
import { ROOT } from '../../shared/nodes.ts';
import { AT_SYMLINK_NOFOLLOW, S_IFIFO, S_IFMT } from '../../sys/constants.ts';
import { fstat, fstatat, Stat } from '../../sys/stat.ts';
import type { ForwardContext } from './context.ts';

/**
 * Attributes of a node: from any open handle if it has one, so that deleted files answer too; else by name (behaviour.md 6.6).
 * @param handle - the one the kernel sent, −1 if none
 */
export function getattr(ctx: ForwardContext, node: number, handle: number, attr: Float64Array): number {
  if (handle >= 0 && ctx.handles.isValid(handle)) return fromDescriptor(ctx, ctx.handles.fd(handle), attr);
  if (node === ROOT) return fromDescriptor(ctx, ctx.options.rootFd, attr);
  if (ctx.handles.count() > 0) {
    const pinned = ctx.handles.pinAnyOfNode(node, false);
    if (pinned >= 0) {
      ctx.counters.markUsed();
      const result = fromDescriptor(ctx, ctx.handles.fd(pinned), attr);
      ctx.handles.unpin(pinned);
      return result;
    }
  }
  const result = byName(ctx, node, attr);
  if (result !== -Errno.ENOENT || ctx.nodes.type(node) !== S_IFIFO) return result;
  ctx.attributes.showDeletedFifo(attr);
  return 0;
}

function fromDescriptor(ctx: ForwardContext, fd: number, attr: Float64Array): number {
  const result = fstat(fd, attr);
  if (result < 0) return result;
  ctx.attributes.show(attr);
  return 0;
}

function byName(ctx: ForwardContext, node: number, attr: Float64Array): number {
  const { path } = ctx;
  let result = path.first(node);
  if (result < 0) return result;
  do result = fstatat(path.dirFd, path.name, 0, attr, AT_SYMLINK_NOFOLLOW);
  while (path.again(result));
  // Something else of another type took the name behind our back: to the kernel this node is gone.
  if (result === 0 && (attr[Stat.mode]! & S_IFMT) !== ctx.nodes.type(node)) result = -Errno.ENOENT;
  if (result === 0) ctx.attributes.showAt(attr, node, path.dirFd, path.name, 0);
  path.done();
  return result;
}
