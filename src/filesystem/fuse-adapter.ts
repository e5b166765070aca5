/** Serves a forward view over FUSE: the one place where the view and the server's interface meet. */
import { Errno } from '../base/errno.ts';
import { Fopen } from '../fuse/abi/flags.ts';
import type { AttrOut, DirSink, EntryOut, Name, OpenOut, Operations, Request, SetAttr } from '../fuse/operations.ts';
import { access, statfs } from './forward/access.ts';
import type { ForwardContext } from './forward/context.ts';
import { create, open } from './forward/create.ts';
import { createContext } from './forward/create-context.ts';
import { timeoutOf } from './forward/entry.ts';
import { getattr } from './forward/getattr.ts';
import { DirectoryReader } from './forward/list.ts';
import { lookup } from './forward/lookup.ts';
import { link, mknod, symlink } from './forward/make.ts';
import { mkdir } from './forward/mkdir.ts';
import { readlink } from './forward/readlink.ts';
import { rename } from './forward/rename.ts';
import { rmdir } from './forward/rmdir.ts';
import { setattr } from './forward/setattr.ts';
import { noSlowCalls, type SlowCalls } from './forward/slow-calls.ts';
import { unlink } from './forward/unlink.ts';
import { getxattr, listxattr, removexattr, setxattr } from './forward/xattr.ts';
import type { ForwardSetup } from './options.ts';

/** The operations of one worker thread on a forward view; `slowCalls` is told about calls that may block. */
export function createForwardOperations(setup: ForwardSetup, slowCalls: SlowCalls = noSlowCalls): Operations {
  return new ForwardOperations(createContext(setup, slowCalls));
}

class ForwardOperations implements Operations {
  readonly #ctx: ForwardContext;
  readonly #listing: DirectoryReader;
  readonly #timeout: number;
  readonly #openFlags: number;

  constructor(ctx: ForwardContext) {
    this.#ctx = ctx;
    this.#listing = new DirectoryReader(ctx);
    this.#timeout = timeoutOf(ctx);
    this.#openFlags = ctx.options.kernelCache ? Fopen.KEEP_CACHE : 0;
  }

  lookup(req: Request, name: Name, out: EntryOut): number {
    const result = lookup(this.#ctx, req.node, name, out);
    if (result !== -Errno.ENOENT || this.#timeout === 0) return result;
    // The kernel may remember for a while that there is no such name.
    out.node = 0;
    out.generation = 0;
    out.entryTimeout = this.#timeout;
    out.attrTimeout = 0;
    out.attr.fill(0);
    return 0;
  }

  forget(node: number, count: number): void {
    this.#ctx.nodes.forget(node, count);
  }

  getattr(req: Request, handle: number, out: AttrOut): number {
    out.attrTimeout = this.#timeout;
    return getattr(this.#ctx, req.node, handle, out.attr);
  }

  setattr(req: Request, set: SetAttr, out: AttrOut): number {
    out.attrTimeout = this.#timeout;
    return setattr(this.#ctx, req.node, set, out.attr);
  }

  readlink(req: Request, dst: Uint8Array, dstOff: number, dstLen: number): number {
    return readlink(this.#ctx, req.node, dst, dstOff, dstLen);
  }

  mknod(req: Request, name: Name, mode: number, rdev: number, _umask: number, out: EntryOut): number {
    return mknod(this.#ctx, req, req.node, name, mode, rdev, out);
  }

  mkdir(req: Request, name: Name, mode: number, _umask: number, out: EntryOut): number {
    return mkdir(this.#ctx, req, req.node, name, mode, out);
  }

  unlink(req: Request, name: Name): number {
    return unlink(this.#ctx, req.node, name);
  }

  rmdir(req: Request, name: Name): number {
    return rmdir(this.#ctx, req.node, name);
  }

  symlink(req: Request, name: Name, target: Name, out: EntryOut): number {
    return symlink(this.#ctx, req, req.node, name, target, out);
  }

  rename(req: Request, name: Name, newParent: number, newName: Name, flags: number): number {
    return rename(this.#ctx, req.node, name, newParent, newName, flags);
  }

  link(req: Request, node: number, name: Name, out: EntryOut): number {
    return link(this.#ctx, node, req.node, name, out);
  }

  open(req: Request, flags: number, out: OpenOut): number {
    out.flags = this.#openFlags;
    return open(this.#ctx, req.node, flags, out);
  }

  create(req: Request, name: Name, flags: number, mode: number, _umask: number, entry: EntryOut, opened: OpenOut): number {
    opened.flags = this.#openFlags;
    return create(this.#ctx, req, req.node, name, flags, mode, entry, opened);
  }

  read(_req: Request, handle: number, offset: number, size: number, dst: Uint8Array, dstOff: number): number {
    return this.#ctx.contents.read(handle, offset, size, dst, dstOff);
  }

  write(_req: Request, handle: number, offset: number, src: Uint8Array, srcOff: number, len: number, _writeFlags: number): number {
    return this.#ctx.contents.write(handle, offset, src, srcOff, len);
  }

  statfs(_req: Request, out: Float64Array): number {
    return statfs(this.#ctx, out);
  }

  release(_req: Request, handle: number, _flags: number): number {
    return this.#ctx.contents.release(handle);
  }

  flush(_req: Request, handle: number): number {
    // The kernel then sends no more of them: one request less for every file that is closed. It still writes mapped pages out first.
    if (!this.#ctx.options.closeReportsErrors) return -Errno.ENOSYS;
    return this.#ctx.contents.flush(handle);
  }

  fsync(_req: Request, handle: number, dataOnly: boolean): number {
    return this.#ctx.contents.fsync(handle, dataOnly);
  }

  opendir(req: Request, _flags: number, out: OpenOut): number {
    out.flags = 0;
    return this.#listing.open(req.node, out);
  }

  readdir(_req: Request, handle: number, cookieLo: number, cookieHi: number, sink: DirSink): number {
    return this.#listing.read(handle, cookieLo, cookieHi, sink);
  }

  releasedir(_req: Request, handle: number): number {
    return this.#listing.close(handle);
  }

  fsyncdir(_req: Request, handle: number, _dataOnly: boolean): number {
    return this.#listing.sync(handle);
  }

  setxattr(req: Request, name: Name, value: Uint8Array, valueOff: number, valueLen: number, flags: number): number {
    return setxattr(this.#ctx, req, req.node, name, value, valueOff, valueLen, flags);
  }

  getxattr(req: Request, name: Name, dst: Uint8Array, dstOff: number, size: number): number {
    return getxattr(this.#ctx, req.node, name, dst, dstOff, size);
  }

  listxattr(req: Request, dst: Uint8Array, dstOff: number, size: number): number {
    return listxattr(this.#ctx, req.node, dst, dstOff, size);
  }

  removexattr(req: Request, name: Name): number {
    return removexattr(this.#ctx, req.node, name);
  }

  access(req: Request, mask: number): number {
    return access(this.#ctx, req.node, mask);
  }

  fallocate(_req: Request, handle: number, offset: number, len: number, mode: number): number {
    return this.#ctx.contents.fallocate(handle, mode, offset, len);
  }

  lseek(_req: Request, handle: number, offset: number, whence: number): number {
    return this.#ctx.contents.lseek(handle, offset, whence);
  }

  copyFileRange(): number {
    return -Errno.EOPNOTSUPP;
  }

  ioctl(): number {
    return -Errno.ENOTTY;
  }

  destroy(): void {}
}
