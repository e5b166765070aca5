import { Errno } from '../../base/errno.ts';
import { openat } from '../../sys/at.ts';
import { O_ACCMODE, O_CLOEXEC, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, S_IFMT, S_IFREG } from '../../sys/constants.ts';
import { close } from '../../sys/files.ts';
import { getNofile } from '../../sys/process.ts';
import { fstat, Stat } from '../../sys/stat.ts';
import type { Opened } from '../forward/types.ts';
import type { ReverseContext } from './context.ts';
import { openIDs } from './file-ids.ts';
import { findPlace, findPlaceAgain, newPlace } from './place.ts';
import { ViewKind } from './view-names.ts';

/** What the `file` of a handle is, apart from the record of derived values of a file (a positive number). */
export const OpenKind = {
  Directory: -1,
  /** A directory that is shown empty. */
  EmptyDirectory: -2,
  Conf: -3,
  /** A virtual file; its descriptor is −1. */
  Virtual: -4,
} as const;

const place = newPlace();

/**
 * Opens a file of the view for reading.
 * @returns 0 for a file that is read from the plain folder, 1 for a virtual one, which never changes; −EACCES if it is no regular file
 */
export function open(ctx: ReverseContext, node: number, flags: number, out: Opened): number {
  if ((flags & O_ACCMODE) !== O_RDONLY) return -Errno.EROFS;
  const { path } = ctx;
  let result = findPlace(ctx, node, place);
  if (result < 0) return result;
  if (place.kind === ViewKind.DirIV || place.kind === ViewKind.NameFile) {
    path.done();
    result = ctx.handles.add(-1, OpenKind.Virtual, node, O_RDONLY);
    if (result < 0) return result;
    out.handle = result;
    return 1;
  }
  if (ctx.nodes.type(node) !== S_IFREG) return refuse(ctx);
  let fd = openRegular(ctx);
  if (fd === -Errno.ENOENT) {
    if (!findPlaceAgain(ctx, node, place)) return fd;
    fd = openRegular(ctx);
  }
  if (fd === -Errno.ELOOP) return refuse(ctx);
  result = fd < 0 ? fd : register(ctx, fd, node, out);
  path.done();
  if (result < 0 && fd >= 0) close(fd);
  return result;
}

function openRegular(ctx: ReverseContext): number {
  const { path, log } = ctx;
  // Not blocking: the name may have become that of a FIFO meanwhile.
  const fd = openat(path.dirFd, path.name, 0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC, 0);
  if (fd === -Errno.EMFILE || fd === -Errno.ENFILE) log.warn(`Open: too many open files. Current "ulimit -n": ${getNofile()[0]}`);
  return fd;
}

function refuse(ctx: ReverseContext): number {
  const { path, log } = ctx;
  log.warn(`Open "${Buffer.from(path.name.subarray(0, path.len)).toString()}": not a regular file`);
  path.done();
  return -Errno.EACCES;
}

function register(ctx: ReverseContext, fd: number, node: number, out: Opened): number {
  const { path, handles, ids, stat } = ctx;
  const { dir, kind } = place;
  let result = fstat(fd, stat);
  if (result < 0) return result;
  if ((stat[Stat.mode]! & S_IFMT) !== S_IFREG) return refuse(ctx);
  if (dir === null) return -Errno.ENOENT;
  const file = kind === ViewKind.Conf ? OpenKind.Conf : openIDs(ctx, dir, path.name, path.len, stat);
  if (file === 0) return -Errno.ENFILE;
  result = handles.add(fd, file, node, O_RDONLY);
  if (result < 0) {
    if (file > 0) ids.release(file);
    return result;
  }
  out.handle = result;
  return 0;
}

/** Ends an open of a file. */
export function release(ctx: ReverseContext, handle: number): number {
  const { handles, ids } = ctx;
  if (!handles.isValid(handle)) return -Errno.EBADF;
  const fd = handles.fd(handle);
  const file = handles.file(handle);
  if (!handles.remove(handle)) return -Errno.EBADF;
  if (file > 0) ids.release(file);
  return fd < 0 ? 0 : close(fd);
}
