import { Errno } from '../../base/errno.ts';
import { openat, unlinkat } from '../../sys/at.ts';
import { O_CREAT, O_EXCL, O_NONBLOCK, S_IFMT, S_IFREG } from '../../sys/constants.ts';
import { close } from '../../sys/files.ts';
import { fstat, Stat } from '../../sys/stat.ts';
import type { ForwardContext } from './context.ts';
import { actAs, actAsDaemon } from './credentials.ts';
import { referenceNode } from './entry.ts';
import { beginNew, endNew } from './new-object.ts';
import { backingFlags, openBacking, warnTooManyOpen } from './open.ts';
import type { Caller, Entry, NameBytes, Opened } from './types.ts';

const PERMISSIONS = 0o7777;

/** Opens a regular file (behaviour.md 6.11). @returns 0 or a negated errno; −ESTALE: something else has the name now, look it up again */
export function open(ctx: ForwardContext, node: number, flags: number, out: Opened): number {
  const { path } = ctx;
  let fd = path.first(node);
  if (fd < 0) return fd;
  // Not blocking: a FIFO that took the name behind our back must not stop the worker. Without effect on regular files.
  do fd = openBacking(ctx, path.dirFd, path.name, 0, flags | O_NONBLOCK);
  while (path.again(fd));
  path.done();
  if (fd < 0) return fd;
  const { stat } = ctx;
  let result = fstat(fd, stat);
  if (result === 0 && !isSameObject(ctx, node, stat)) result = -Errno.ESTALE;
  if (result === 0) result = addHandle(ctx, fd, stat, node, flags, out);
  if (result < 0) close(fd);
  return result;
}

function isSameObject(ctx: ForwardContext, node: number, stat: Float64Array): boolean {
  const type = stat[Stat.mode]! & S_IFMT;
  return type === S_IFREG && ctx.nodes.isIdentity(node, stat[Stat.dev]!, stat[Stat.inoLo]!, stat[Stat.inoHi]!, type);
}

/** Registers an open descriptor; `stat` holds its backing attributes. */
function addHandle(ctx: ForwardContext, fd: number, stat: Float64Array, node: number, flags: number, out: Opened): number {
  const file = ctx.openFiles.acquire(stat[Stat.dev]!, stat[Stat.inoLo]!, stat[Stat.inoHi]!);
  if (file < 0) return file;
  ctx.openFiles.noteCipherSize(file, stat[Stat.size]!);
  const handle = ctx.handles.add(fd, file, node, flags);
  if (handle < 0) {
    ctx.openFiles.release(file);
    return handle;
  }
  out.handle = handle;
  return 0;
}

/** Creates and opens a regular file that must not exist (behaviour.md 6.11). */
export function create(
  ctx: ForwardContext,
  caller: Caller,
  parent: number,
  name: NameBytes,
  flags: number,
  mode: number,
  entry: Entry,
  out: Opened,
): number {
  const slot = beginNew(ctx, parent, name);
  if (slot < 0) return slot;
  const dirFd = ctx.dirs.fd(slot);
  const fd = createAs(ctx, caller, dirFd, flags, mode);
  let result = fd;
  if (fd >= 0) {
    result = register(ctx, fd, parent, flags, entry, out);
    if (result < 0) {
      close(fd);
      unlinkat(dirFd, ctx.name.buf, ctx.name.off, 0);
    }
  }
  return endNew(ctx, slot, ctx.name, result);
}

function createAs(ctx: ForwardContext, caller: Caller, dirFd: number, flags: number, mode: number): number {
  const { buf, off } = ctx.name;
  const acting = actAs(ctx, caller);
  if (acting < 0) return acting;
  let fd: number;
  try {
    fd = openat(dirFd, buf, off, backingFlags(flags) | O_CREAT | O_EXCL, mode & PERMISSIONS);
  } finally {
    actAsDaemon(ctx, acting);
  }
  if (fd === -Errno.EMFILE || fd === -Errno.ENFILE) warnTooManyOpen(ctx.log, 'Create', buf, off);
  return fd;
}

function register(ctx: ForwardContext, fd: number, parent: number, flags: number, entry: Entry, out: Opened): number {
  let result = fstat(fd, entry.attr);
  if (result < 0) return result;
  result = referenceNode(ctx, parent, ctx.name.buf, ctx.name.off, ctx.name.len, true, entry);
  if (result < 0) return result;
  result = addHandle(ctx, fd, entry.attr, entry.node, flags, out);
  if (result < 0) {
    ctx.nodes.dropName(parent, ctx.name.buf, ctx.name.off, ctx.name.len);
    ctx.nodes.forget(entry.node, 1);
    return result;
  }
  ctx.attributes.show(entry.attr);
  return 0;
}
