/** Serves a reverse view over FUSE: the counterpart of fuse-adapter.ts for a view that cannot be changed. */
import { Errno } from '../base/errno.ts';
import { Fopen } from '../fuse/abi/flags.ts';
import type { AttrOut, DirSink, EntryOut, Name, OpenOut, Operations, Request } from '../fuse/operations.ts';
import { fstatfs } from '../sys/stat.ts';
import { noSlowCalls, type SlowCalls } from './forward/slow-calls.ts';
import type { ReverseSetup } from './options.ts';
import { access } from './reverse/access.ts';
import type { ReverseContext } from './reverse/context.ts';
import { createReverseContext } from './reverse/create-context.ts';
import { timeoutOf } from './reverse/entry.ts';
import { getattr } from './reverse/getattr.ts';
import { ReverseDirectoryReader } from './reverse/list.ts';
import { lookup } from './reverse/lookup.ts';
import { open, release } from './reverse/open.ts';
import { ReverseReader } from './reverse/read.ts';
import { readlink } from './reverse/readlink.ts';
import { getxattr, listxattr } from './reverse/xattr.ts';

/** The operations of one worker thread on a reverse view; `slowCalls` is told about calls that may block. */
export function createReverseOperations(setup: ReverseSetup, slowCalls: SlowCalls = noSlowCalls): Operations {
  return new ReverseOperations(createReverseContext(setup, slowCalls));
}

/** The mount is read-only, so the kernel refuses changes itself; what still comes through is refused likewise. */
class ReverseOperations implements Operations {
  readonly #ctx: ReverseContext;
  readonly #listing: ReverseDirectoryReader;
  readonly #reader: ReverseReader;
  readonly #timeout: number;
  readonly #openFlags: number;

  constructor(ctx: ReverseContext) {
    this.#ctx = ctx;
    this.#listing = new ReverseDirectoryReader(ctx);
    this.#reader = new ReverseReader(ctx);
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

  getattr(req: Request, _handle: number, out: AttrOut): number {
    out.attrTimeout = this.#timeout;
    return getattr(this.#ctx, req.node, out.attr);
  }

  readlink(req: Request, dst: Uint8Array, dstOff: number, dstLen: number): number {
    return readlink(this.#ctx, req.node, dst, dstOff, dstLen);
  }

  open(req: Request, flags: number, out: OpenOut): number {
    const result = open(this.#ctx, req.node, flags, out);
    if (result < 0) return result;
    out.flags = result === 1 ? Fopen.KEEP_CACHE : this.#openFlags;
    return 0;
  }

  read(_req: Request, handle: number, offset: number, size: number, dst: Uint8Array, dstOff: number): number {
    return this.#reader.read(handle, offset, size, dst, dstOff);
  }

  release(_req: Request, handle: number, _flags: number): number {
    return release(this.#ctx, handle);
  }

  statfs(_req: Request, out: Float64Array): number {
    return fstatfs(this.#ctx.options.rootFd, out);
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

  getxattr(req: Request, name: Name, dst: Uint8Array, dstOff: number, size: number): number {
    return getxattr(this.#ctx, req.node, name, dst, dstOff, size);
  }

  listxattr(req: Request, dst: Uint8Array, dstOff: number, size: number): number {
    return listxattr(this.#ctx, req.node, dst, dstOff, size);
  }

  access(req: Request, mask: number): number {
    return access(this.#ctx, req.node, req, mask);
  }

  /** Nothing is ever waiting to be written; the kernel then asks no more. */
  flush(): number {
    return -Errno.ENOSYS;
  }

  fsync(): number {
    return 0;
  }

  fsyncdir(): number {
    return 0;
  }

  /** The kernel then takes files for holes-free, as they are: zeros are encrypted like everything else. */
  lseek(): number {
    return -Errno.ENOSYS;
  }

  setattr(): number {
    return -Errno.EROFS;
  }

  mknod(): number {
    return -Errno.EROFS;
  }

  mkdir(): number {
    return -Errno.EROFS;
  }

  unlink(): number {
    return -Errno.EROFS;
  }

  rmdir(): number {
    return -Errno.EROFS;
  }

  symlink(): number {
    return -Errno.EROFS;
  }

  rename(): number {
    return -Errno.EROFS;
  }

  link(): number {
    return -Errno.EROFS;
  }

  create(): number {
    return -Errno.EROFS;
  }

  write(): number {
    return -Errno.EROFS;
  }

  setxattr(): number {
    return -Errno.EROFS;
  }

  removexattr(): number {
    return -Errno.EROFS;
  }

  fallocate(): number {
    return -Errno.EROFS;
  }

  copyFileRange(): number {
    return -Errno.EROFS;
  }

  ioctl(): number {
    return -Errno.ENOTTY;
  }

  destroy(): void {}
}
