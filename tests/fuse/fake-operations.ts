/** Operations that record their arguments and answer what the test prepared. */
import type { AttrOut, DirSink, EntryOut, Name, OpenOut, Operations, Request, SetAttr } from '../../src/fuse/operations.ts';

function str(name: Name): string {
  return Buffer.from(name.buf.slice(name.off, name.off + name.len)).toString();
}

export class FakeOperations implements Operations {
  /** One entry per call: name of the operation, then its arguments as plain values. */
  readonly calls: unknown[][] = [];
  /** Returned by every operation. */
  result = 0;
  node = 0;
  generation = 0;
  entryTimeout = 0;
  attrTimeout = 0;
  handle = 0;
  openFlags = 0;
  attributes: number[] = [];
  statfsFields: number[] = [];
  /** Copied to the reply of READ, READLINK, GETXATTR, LISTXATTR. */
  data = new Uint8Array(0);
  list: (sink: DirSink) => number = () => 0;

  private did(name: string, req: Request, ...args: unknown[]): number {
    this.calls.push([name, { ...req }, ...args]);
    return this.result;
  }

  private fillEntry(out: EntryOut): void {
    out.node = this.node;
    out.generation = this.generation;
    out.entryTimeout = this.entryTimeout;
    out.attrTimeout = this.attrTimeout;
    out.attr.set(this.attributes);
  }

  private put(dst: Uint8Array, off: number, size: number): number {
    if (size === 0) return this.result < 0 ? this.result : this.data.length;
    dst.set(this.data.subarray(0, size), off);
    return this.result < 0 ? this.result : this.data.length;
  }

  lookup(req: Request, name: Name, out: EntryOut): number {
    this.fillEntry(out);
    return this.did('lookup', req, str(name));
  }
  forget(node: number, count: number): void {
    this.calls.push(['forget', node, count]);
  }
  getattr(req: Request, handle: number, out: AttrOut): number {
    out.attrTimeout = this.attrTimeout;
    out.attr.set(this.attributes);
    return this.did('getattr', req, handle);
  }
  setattr(req: Request, set: SetAttr, out: AttrOut): number {
    out.attrTimeout = this.attrTimeout;
    out.attr.set(this.attributes);
    return this.did('setattr', req, { ...set });
  }
  readlink(req: Request, dst: Uint8Array, dstOff: number, dstLen: number): number {
    this.did('readlink', req, dstLen);
    return this.put(dst, dstOff, dstLen);
  }
  mknod(req: Request, name: Name, mode: number, rdev: number, umask: number, out: EntryOut): number {
    this.fillEntry(out);
    return this.did('mknod', req, str(name), mode, rdev, umask);
  }
  mkdir(req: Request, name: Name, mode: number, umask: number, out: EntryOut): number {
    this.fillEntry(out);
    return this.did('mkdir', req, str(name), mode, umask);
  }
  unlink(req: Request, name: Name): number {
    return this.did('unlink', req, str(name));
  }
  rmdir(req: Request, name: Name): number {
    return this.did('rmdir', req, str(name));
  }
  symlink(req: Request, name: Name, target: Name, out: EntryOut): number {
    this.fillEntry(out);
    return this.did('symlink', req, str(name), str(target));
  }
  rename(req: Request, name: Name, newParent: number, newName: Name, flags: number): number {
    return this.did('rename', req, str(name), newParent, str(newName), flags);
  }
  link(req: Request, node: number, name: Name, out: EntryOut): number {
    this.fillEntry(out);
    return this.did('link', req, node, str(name));
  }
  open(req: Request, flags: number, out: OpenOut): number {
    out.handle = this.handle;
    out.flags = this.openFlags;
    return this.did('open', req, flags);
  }
  create(req: Request, name: Name, flags: number, mode: number, umask: number, entry: EntryOut, open: OpenOut): number {
    this.fillEntry(entry);
    open.handle = this.handle;
    open.flags = this.openFlags;
    return this.did('create', req, str(name), flags, mode, umask);
  }
  read(req: Request, handle: number, offset: number, size: number, dst: Uint8Array, dstOff: number): number {
    this.did('read', req, handle, offset, size);
    return this.put(dst, dstOff, size);
  }
  write(req: Request, handle: number, offset: number, src: Uint8Array, srcOff: number, len: number, writeFlags: number): number {
    this.did('write', req, handle, offset, Buffer.from(src.slice(srcOff, srcOff + len)).toString(), writeFlags);
    return this.result < 0 ? this.result : len;
  }
  statfs(req: Request, out: Float64Array): number {
    out.set(this.statfsFields);
    return this.did('statfs', req);
  }
  release(req: Request, handle: number, flags: number): number {
    return this.did('release', req, handle, flags);
  }
  flush(req: Request, handle: number): number {
    return this.did('flush', req, handle);
  }
  fsync(req: Request, handle: number, dataOnly: boolean): number {
    return this.did('fsync', req, handle, dataOnly);
  }
  opendir(req: Request, flags: number, out: OpenOut): number {
    out.handle = this.handle;
    out.flags = this.openFlags;
    return this.did('opendir', req, flags);
  }
  readdir(req: Request, handle: number, cookieLo: number, cookieHi: number, sink: DirSink): number {
    this.did('readdir', req, handle, cookieLo, cookieHi, sink.isPlus);
    return this.list(sink);
  }
  releasedir(req: Request, handle: number): number {
    return this.did('releasedir', req, handle);
  }
  fsyncdir(req: Request, handle: number, dataOnly: boolean): number {
    return this.did('fsyncdir', req, handle, dataOnly);
  }
  setxattr(req: Request, name: Name, value: Uint8Array, valueOff: number, valueLen: number, flags: number): number {
    return this.did('setxattr', req, str(name), Buffer.from(value.slice(valueOff, valueOff + valueLen)).toString(), flags);
  }
  getxattr(req: Request, name: Name, dst: Uint8Array, dstOff: number, size: number): number {
    this.did('getxattr', req, str(name), size);
    return this.put(dst, dstOff, size);
  }
  listxattr(req: Request, dst: Uint8Array, dstOff: number, size: number): number {
    this.did('listxattr', req, size);
    return this.put(dst, dstOff, size);
  }
  removexattr(req: Request, name: Name): number {
    return this.did('removexattr', req, str(name));
  }
  access(req: Request, mask: number): number {
    return this.did('access', req, mask);
  }
  fallocate(req: Request, handle: number, offset: number, len: number, mode: number): number {
    return this.did('fallocate', req, handle, offset, len, mode);
  }
  lseek(req: Request, handle: number, offset: number, whence: number): number {
    return this.did('lseek', req, handle, offset, whence);
  }
  copyFileRange(
    req: Request,
    handleIn: number,
    offIn: number,
    nodeOut: number,
    handleOut: number,
    offOut: number,
    len: number,
    flags: number,
  ): number {
    return this.did('copyFileRange', req, handleIn, offIn, nodeOut, handleOut, offOut, len, flags);
  }
  ioctl(req: Request, handle: number, cmd: number): number {
    return this.did('ioctl', req, handle, cmd);
  }
  destroy(): void {
    this.calls.push(['destroy']);
  }
}
