import { Errno } from '../../base/errno.ts';
import { fchmodatNofollow, fchownatNofollow, utimensat } from '../../sys/at.ts';
import { AT_SYMLINK_NOFOLLOW, O_WRONLY, S_IFDIR, S_IFREG, UTIME_NOW, UTIME_OMIT } from '../../sys/constants.ts';
import { close, fchmod, fchown, futimens } from '../../sys/files.ts';
import { fstat, Stat } from '../../sys/stat.ts';
import { access } from './access.ts';
import type { ForwardContext } from './context.ts';
import { getattr } from './getattr.ts';
import { openBacking } from './open.ts';
import { type AttributeChange, ChangePart } from './types.ts';

/** unistd.h. */
const W_OK = 2;
const PERMISSIONS = 0o7777;
const OWNER = ChangePart.Uid | ChangePart.Gid;
const TIMES = ChangePart.Atime | ChangePart.Mtime;

/**
 * Changes mode, owner, times and size in this order; the first failure ends it (behaviour.md 6.7). Without a handle the object is found
 * by name, and if it has none any more through any open handle.
 * @param attr - takes the attributes after the change
 */
export function setattr(ctx: ForwardContext, node: number, change: AttributeChange, attr: Float64Array): number {
  const { handles } = ctx;
  const hasHandle = (change.valid & ChangePart.Handle) !== 0 && change.handle >= 0;
  if (hasHandle) {
    if (!handles.isValid(change.handle)) {
      ctx.log.warn(`setattr: handle ${change.handle} is not open`);
      return -Errno.EBADF;
    }
    const result = changeOpen(ctx, change.handle, change);
    return result < 0 ? result : getattr(ctx, node, change.handle, attr);
  }
  let result = changeByName(ctx, node, change);
  if (result === -Errno.ENOENT) result = changeDeleted(ctx, node, change);
  if (result < 0) return result;
  if ((change.valid & ChangePart.Size) !== 0) {
    result = truncate(ctx, node, change.size);
    if (result < 0) return result;
  }
  return getattr(ctx, node, -1, attr);
}

function atimeNsec(change: AttributeChange): number {
  if ((change.valid & ChangePart.AtimeNow) !== 0) return UTIME_NOW;
  return (change.valid & ChangePart.Atime) !== 0 ? change.atimeNsec : UTIME_OMIT;
}

function mtimeNsec(change: AttributeChange): number {
  if ((change.valid & ChangePart.MtimeNow) !== 0) return UTIME_NOW;
  return (change.valid & ChangePart.Mtime) !== 0 ? change.mtimeNsec : UTIME_OMIT;
}

function newUid(change: AttributeChange): number {
  return (change.valid & ChangePart.Uid) !== 0 ? change.uid : -1;
}

function newGid(change: AttributeChange): number {
  return (change.valid & ChangePart.Gid) !== 0 ? change.gid : -1;
}

/** Everything but the size, through a descriptor. */
function changeDescriptor(fd: number, change: AttributeChange): number {
  const { valid } = change;
  let result = 0;
  if ((valid & ChangePart.Mode) !== 0) result = fchmod(fd, change.mode & PERMISSIONS);
  if (result === 0 && (valid & OWNER) !== 0) result = fchown(fd, newUid(change), newGid(change));
  if (result === 0 && (valid & TIMES) !== 0) {
    result = futimens(fd, change.atimeSec, atimeNsec(change), change.mtimeSec, mtimeNsec(change));
  }
  return result;
}

function changeOpen(ctx: ForwardContext, handle: number, change: AttributeChange): number {
  const result = changeDescriptor(ctx.handles.fd(handle), change);
  if (result < 0 || (change.valid & ChangePart.Size) === 0) return result;
  return ctx.contents.truncate(handle, change.size);
}

/** Everything but the size, by name. */
function changeByName(ctx: ForwardContext, node: number, change: AttributeChange): number {
  const { valid } = change;
  if ((valid & (ChangePart.Mode | OWNER | TIMES)) === 0) return 0;
  const { path } = ctx;
  let result = path.first(node);
  if (result < 0) return result;
  do result = changeAt(path.dirFd, path.name, change);
  while (path.again(result));
  path.done();
  return result;
}

function changeAt(dirFd: number, name: Uint8Array, change: AttributeChange): number {
  const { valid } = change;
  let result = 0;
  if ((valid & ChangePart.Mode) !== 0) result = fchmodatNofollow(dirFd, name, 0, change.mode & PERMISSIONS);
  if (result === 0 && (valid & OWNER) !== 0) result = fchownatNofollow(dirFd, name, 0, newUid(change), newGid(change));
  if (result === 0 && (valid & TIMES) !== 0) {
    const { atimeSec, mtimeSec } = change;
    result = utimensat(dirFd, name, 0, atimeSec, atimeNsec(change), mtimeSec, mtimeNsec(change), AT_SYMLINK_NOFOLLOW);
  }
  return result;
}

/** Everything but the size, of an object without a name that is still open. */
function changeDeleted(ctx: ForwardContext, node: number, change: AttributeChange): number {
  const handle = ctx.handles.pinAnyOfNode(node, false);
  if (handle < 0) return -Errno.ENOENT;
  const result = changeDescriptor(ctx.handles.fd(handle), change);
  ctx.handles.unpin(handle);
  return result;
}

/** The descriptor may be somebody else's: what it is allowed to do says nothing about a truncate by path, unless the kernel has checked that. */
function mayTruncate(ctx: ForwardContext, node: number): number {
  if (ctx.options.defaultPermissions) return 0;
  const result = access(ctx, node, W_OK);
  // Without a name it cannot have come by path.
  return result === -Errno.ENOENT ? 0 : result;
}

/** Sets the size of a file no handle was named for: through one that can write if there is any, as after open with O_TRUNC. */
function truncate(ctx: ForwardContext, node: number, size: number): number {
  const type = ctx.nodes.type(node);
  if (type !== S_IFREG) return type === S_IFDIR ? -Errno.EISDIR : -Errno.EINVAL;
  const handle = ctx.handles.pinAnyOfNode(node, true);
  if (handle >= 0) {
    let result = mayTruncate(ctx, node);
    if (result >= 0) result = ctx.contents.truncate(handle, size);
    ctx.handles.unpin(handle);
    return result;
  }
  const { path } = ctx;
  let fd = path.first(node);
  if (fd < 0) return fd;
  do fd = openBacking(ctx, path.dirFd, path.name, 0, O_WRONLY);
  while (path.again(fd));
  path.done();
  if (fd < 0) return fd;
  const { stat } = ctx;
  let result = fstat(fd, stat);
  if (result === 0) result = ctx.contents.truncateFd(fd, stat[Stat.dev]!, stat[Stat.inoLo]!, stat[Stat.inoHi]!, size);
  close(fd);
  return result;
}
