import { Errno } from '../../base/errno.ts';
import { ROOT } from '../../shared/nodes.ts';
import { AT_SYMLINK_NOFOLLOW, S_IFMT } from '../../sys/constants.ts';
import { fstat, fstatat, Stat } from '../../sys/stat.ts';
import type { ReverseContext } from './context.ts';
import { OpenKind } from './open.ts';
import { findPlace, findPlaceAgain, newPlace } from './place.ts';
import { NAME_FILE_PREFIX_LEN, ViewKind } from './view-names.ts';

const place = newPlace();

/** Attributes of a node: of the open file if it has one, else by name (behaviour.md 7). */
export function getattr(ctx: ReverseContext, node: number, attr: Float64Array): number {
  const { handles } = ctx;
  if (node === ROOT) {
    const result = fstat(ctx.options.rootFd, attr);
    if (result === 0) ctx.attributes.showReal(attr);
    return result;
  }
  if (handles.count() > 0) {
    const pinned = handles.pinAnyOfNode(node, false);
    if (pinned >= 0) {
      ctx.counters.markUsed();
      const kind = handles.file(pinned);
      const result = kind === OpenKind.Virtual ? 1 : fstat(handles.fd(pinned), attr);
      handles.unpin(pinned);
      if (result === 0) {
        if (kind === OpenKind.Conf) ctx.attributes.showConf(attr);
        else ctx.attributes.showReal(attr);
      }
      if (result <= 0) return result;
    }
  }
  return byName(ctx, node, attr);
}

function byName(ctx: ReverseContext, node: number, attr: Float64Array): number {
  let result = findPlace(ctx, node, place);
  if (result < 0) return result;
  result = statPlace(ctx, attr);
  if (result === -Errno.ENOENT) {
    if (!findPlaceAgain(ctx, node, place)) return result;
    result = statPlace(ctx, attr);
  }
  if (result === 0) result = show(ctx, node, attr);
  ctx.path.done();
  return result;
}

function statPlace(ctx: ReverseContext, attr: Float64Array): number {
  const { path } = ctx;
  if (place.kind === ViewKind.DirIV) return fstat(path.dirFd, attr);
  return fstatat(path.dirFd, path.name, place.kind === ViewKind.NameFile ? NAME_FILE_PREFIX_LEN : 0, attr, AT_SYMLINK_NOFOLLOW);
}

function show(ctx: ReverseContext, node: number, attr: Float64Array): number {
  switch (place.kind) {
    case ViewKind.DirIV:
      ctx.attributes.showDirIV(attr);
      return 0;
    case ViewKind.NameFile:
      ctx.attributes.showNameFile(attr, ctx.codec.encryptedLength(ctx.path.len - NAME_FILE_PREFIX_LEN), node);
      return 0;
    default:
      // Something of another type took the name: to the kernel this node is gone.
      if ((attr[Stat.mode]! & S_IFMT) !== ctx.nodes.type(node)) return -Errno.ENOENT;
      if (place.kind === ViewKind.Conf) ctx.attributes.showConf(attr);
      else ctx.attributes.showReal(attr);
      return 0;
  }
}
