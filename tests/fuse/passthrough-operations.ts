/**
 * A folder passed through as it is: the smallest complete filesystem on src/fuse, and an example of one. Everything is a call on the O_PATH
 * descriptor of a node or on the descriptor of an open file (which is the FUSE handle); there is no state besides the node table.
 */
import { Errno } from '../../src/base/errno.ts';
import type { AttrOut, DirSink, EntryOut, Name, OpenOut, Operations, Request, SetAttr } from '../../src/fuse/index.ts';
import { Fattr } from '../../src/fuse/index.ts';
import type { NativeSys } from '../../src/native.ts';
import { STAT_FIELDS, Stat } from '../../src/native.ts';
import * as c from '../../src/sys/constants.ts';
import type { NodeTable } from './passthrough-nodes.ts';

export interface PassthroughOptions {
  /** False: every xattr request gets ENOSYS, after which the kernel sends no more. */
  readonly xattrs: boolean;
  /** Seconds the kernel may keep names and attributes. */
  readonly timeout: number;
}

/** Raw directory records are read in portions about as large as the replies they end in. */
const DIR_PORTION = 4096;

export class PassthroughOperations implements Operations {
  private readonly sys: NativeSys;
  private readonly nodes: NodeTable;
  private readonly options: PassthroughOptions;
  private readonly stat = new Float64Array(STAT_FIELDS);
  private readonly portion = Buffer.alloc(DIR_PORTION);
  private readonly entryName: Name = { buf: this.portion, off: 0, len: 0 };
  /** Holds "/proc/self/fd/" and a number. */
  private readonly procPath = Buffer.from('/proc/self/fd/'.padEnd(40, '\0'));
  private readonly empty = Buffer.from('\0');
  private readonly dot = Buffer.from('.\0');
  private readonly target = Buffer.alloc(c.PATH_MAX + 1);
  private readonly slash: number;

  constructor(sys: NativeSys, nodes: NodeTable, options: PassthroughOptions) {
    this.sys = sys;
    this.nodes = nodes;
    this.options = options;
    this.slash = sys.openat(c.AT_FDCWD, Buffer.from('/\0'), 0, c.O_PATH | c.O_DIRECTORY, 0);
  }

  /** Puts /proc/self/fd/N into `procPath`: the way to reopen or link what an O_PATH descriptor stands for. */
  private procLink(fd: number): Buffer {
    this.procPath.fill(0, 14);
    this.procPath.write(String(fd), 14);
    return this.procPath;
  }

  /** The absolute path of a node into `target`, for calls that know neither descriptors nor /proc. @returns 0 or a negated errno */
  private pathOf(node: number): number {
    const length = this.sys.readlinkat(c.AT_FDCWD, this.procLink(this.nodes.fd(node)), 0, this.target, 0, c.PATH_MAX);
    if (length < 0) return length;
    this.target[length] = 0;
    return 0;
  }

  /** For a file whose last name is gone: opens it once more and makes the call on the descriptor. */
  private reopened(node: number, call: (fd: number) => number): number {
    const fd = this.sys.openat(c.AT_FDCWD, this.procLink(this.nodes.fd(node)), 0, c.O_RDONLY | c.O_NONBLOCK, 0);
    if (fd < 0) return fd;
    const result = call(fd);
    this.sys.close(fd);
    return result;
  }

  private entry(parent: number, name: Name, out: EntryOut): number {
    const { sys, nodes } = this;
    const dir = nodes.fd(parent);
    let error = sys.fstatat(dir, name.buf, name.off, out.attr, c.AT_SYMLINK_NOFOLLOW);
    if (error < 0) return error;
    let node = nodes.find(out.attr);
    if (node === 0) {
      const fd = sys.openat(dir, name.buf, name.off, c.O_PATH | c.O_NOFOLLOW, 0);
      if (fd < 0) return fd;
      // Once more, from the descriptor: the name may mean something else by now.
      error = sys.fstatat(fd, this.empty, 0, out.attr, c.AT_EMPTY_PATH);
      if (error < 0) {
        sys.close(fd);
        return error;
      }
      node = nodes.insert(fd, out.attr);
      if (nodes.fd(node) !== fd) sys.close(fd);
    }
    out.node = node;
    out.entryTimeout = this.options.timeout;
    out.attrTimeout = this.options.timeout;
    return 0;
  }

  /** New objects belong to the caller, not to this process; a setgid directory has given its group already. */
  private created(req: Request, name: Name, out: EntryOut, error: number): number {
    if (error < 0) return error;
    if (req.uid !== 0 || req.gid !== 0) {
      const dir = this.nodes.fd(req.node);
      this.sys.fstatat(dir, this.empty, 0, this.stat, c.AT_EMPTY_PATH);
      const gid = (this.stat[Stat.mode]! & c.S_ISGID) === 0 ? req.gid : -1;
      this.sys.fchownatNofollow(dir, name.buf, name.off, req.uid, gid);
    }
    return this.entry(req.node, name, out);
  }

  lookup(req: Request, name: Name, out: EntryOut): number {
    const error = this.entry(req.node, name, out);
    if (error !== -Errno.ENOENT) return error;
    out.entryTimeout = this.options.timeout;
    return 0;
  }

  forget(node: number, count: number): void {
    const fd = this.nodes.forget(node, count);
    if (fd >= 0) this.sys.close(fd);
  }

  getattr(req: Request, handle: number, out: AttrOut): number {
    out.attrTimeout = this.options.timeout;
    if (handle >= 0) return this.sys.fstat(handle, out.attr);
    return this.sys.fstatat(this.nodes.fd(req.node), this.empty, 0, out.attr, c.AT_EMPTY_PATH);
  }

  setattr(req: Request, set: SetAttr, out: AttrOut): number {
    const { valid } = set;
    let error = 0;
    if ((valid & Fattr.MODE) !== 0) error = this.chmod(req.node, set.handle, set.mode & 0o7777);
    if (error >= 0 && (valid & (Fattr.UID | Fattr.GID)) !== 0) {
      error = this.chown(req.node, set.handle, (valid & Fattr.UID) === 0 ? -1 : set.uid, (valid & Fattr.GID) === 0 ? -1 : set.gid);
    }
    if (error >= 0 && (valid & Fattr.SIZE) !== 0) error = this.truncate(req.node, set.handle, set.size);
    if (error >= 0 && (valid & (Fattr.ATIME | Fattr.MTIME)) !== 0) error = this.utimens(req.node, set);
    return error < 0 ? error : this.getattr(req, set.handle, out);
  }

  private chmod(node: number, handle: number, mode: number): number {
    if (handle >= 0) return this.sys.fchmod(handle, mode);
    const error = this.pathOf(node);
    const result = error < 0 ? error : this.sys.fchmodatNofollow(c.AT_FDCWD, this.target, 0, mode);
    return result === -Errno.ENOENT ? this.reopened(node, (fd) => this.sys.fchmod(fd, mode)) : result;
  }

  private chown(node: number, handle: number, uid: number, gid: number): number {
    if (handle >= 0) return this.sys.fchown(handle, uid, gid);
    const error = this.pathOf(node);
    const result = error < 0 ? error : this.sys.fchownatNofollow(c.AT_FDCWD, this.target, 0, uid, gid);
    return result === -Errno.ENOENT ? this.reopened(node, (fd) => this.sys.fchown(fd, uid, gid)) : result;
  }

  private truncate(node: number, handle: number, size: number): number {
    if (handle >= 0) return this.sys.ftruncate(handle, size);
    const fd = this.sys.openat(c.AT_FDCWD, this.procLink(this.nodes.fd(node)), 0, c.O_WRONLY, 0);
    if (fd < 0) return fd;
    const error = this.sys.ftruncate(fd, size);
    this.sys.close(fd);
    return error;
  }

  private utimens(node: number, set: SetAttr): number {
    const { valid } = set;
    const atimeNsec = time(valid, Fattr.ATIME, Fattr.ATIME_NOW, set.atimeNsec);
    const mtimeNsec = time(valid, Fattr.MTIME, Fattr.MTIME_NOW, set.mtimeNsec);
    const fd = this.nodes.fd(node);
    return this.sys.utimensat(fd, this.empty, 0, set.atimeSec, atimeNsec, set.mtimeSec, mtimeNsec, c.AT_EMPTY_PATH);
  }

  readlink(req: Request, dst: Uint8Array, dstOff: number, dstLen: number): number {
    return this.sys.readlinkat(this.nodes.fd(req.node), this.empty, 0, dst, dstOff, dstLen);
  }

  mknod(req: Request, name: Name, mode: number, rdev: number, _umask: number, out: EntryOut): number {
    return this.created(req, name, out, this.sys.mknodat(this.nodes.fd(req.node), name.buf, name.off, mode, rdev));
  }

  mkdir(req: Request, name: Name, mode: number, _umask: number, out: EntryOut): number {
    return this.created(req, name, out, this.sys.mkdirat(this.nodes.fd(req.node), name.buf, name.off, mode));
  }

  symlink(req: Request, name: Name, target: Name, out: EntryOut): number {
    const error = this.sys.symlinkat(target.buf, target.off, this.nodes.fd(req.node), name.buf, name.off);
    return this.created(req, name, out, error);
  }

  link(req: Request, node: number, name: Name, out: EntryOut): number {
    const from = this.procLink(this.nodes.fd(node));
    const error = this.sys.linkat(c.AT_FDCWD, from, 0, this.nodes.fd(req.node), name.buf, name.off, c.AT_SYMLINK_FOLLOW);
    return error < 0 ? error : this.entry(req.node, name, out);
  }

  unlink(req: Request, name: Name): number {
    return this.sys.unlinkat(this.nodes.fd(req.node), name.buf, name.off, 0);
  }

  rmdir(req: Request, name: Name): number {
    return this.sys.unlinkat(this.nodes.fd(req.node), name.buf, name.off, c.AT_REMOVEDIR);
  }

  rename(req: Request, name: Name, newParent: number, newName: Name, flags: number): number {
    const { nodes } = this;
    return this.sys.renameat2(nodes.fd(req.node), name.buf, name.off, nodes.fd(newParent), newName.buf, newName.off, flags);
  }

  open(req: Request, flags: number, out: OpenOut): number {
    // The kernel has worked out the offset of appends, and has no aligned buffers for us.
    const fd = this.sys.openat(c.AT_FDCWD, this.procLink(this.nodes.fd(req.node)), 0, flags & ~(c.O_NOFOLLOW | c.O_APPEND | c.O_DIRECT), 0);
    out.handle = fd;
    return Math.min(fd, 0);
  }

  create(req: Request, name: Name, flags: number, mode: number, _umask: number, entry: EntryOut, open: OpenOut): number {
    const fd = this.sys.openat(
      this.nodes.fd(req.node),
      name.buf,
      name.off,
      (flags & ~(c.O_APPEND | c.O_DIRECT)) | c.O_CREAT | c.O_NOFOLLOW,
      mode,
    );
    const error = this.created(req, name, entry, fd);
    if (fd >= 0 && error < 0) this.sys.close(fd);
    open.handle = fd;
    return error;
  }

  read(_req: Request, handle: number, offset: number, size: number, dst: Uint8Array, dstOff: number): number {
    return this.sys.pread(handle, dst, dstOff, size, offset);
  }

  write(_req: Request, handle: number, offset: number, src: Uint8Array, srcOff: number, len: number): number {
    return this.sys.pwrite(handle, src, srcOff, len, offset);
  }

  statfs(req: Request, out: Float64Array): number {
    return this.sys.fstatfs(this.nodes.fd(req.node), out);
  }

  release(_req: Request, handle: number): number {
    return this.sys.close(handle);
  }

  flush(): number {
    return 0;
  }

  fsync(_req: Request, handle: number, dataOnly: boolean): number {
    return dataOnly ? this.sys.fdatasync(handle) : this.sys.fsync(handle);
  }

  opendir(req: Request, _flags: number, out: OpenOut): number {
    const fd = this.sys.openat(this.nodes.fd(req.node), this.dot, 0, c.O_RDONLY | c.O_DIRECTORY, 0);
    out.handle = fd;
    return Math.min(fd, 0);
  }

  readdir(req: Request, handle: number, cookieLo: number, cookieHi: number, sink: DirSink): number {
    const { portion, sys } = this;
    const error = sys.seekdir(handle, cookieLo, cookieHi);
    if (error < 0) return error;
    for (;;) {
      const length = sys.getdents64(handle, portion, 0, DIR_PORTION);
      if (length <= 0) return length;
      for (let at = 0; at < length; at += portion.readUInt16LE(at + c.DIRENT_RECLEN)) {
        if (!this.listed(req.node, at, sink)) return 0;
      }
    }
  }

  /** Adds the record at `at`. @returns false if the reply is full */
  private listed(parent: number, at: number, sink: DirSink): boolean {
    const { portion, entryName } = this;
    const off = at + c.DIRENT_NAME;
    const len = portion.indexOf(0, off) - off;
    if (!sink.fits(len)) return false;
    const inoLo = portion.readUInt32LE(at);
    const inoHi = portion.readUInt32LE(at + 4);
    const nextLo = portion.readUInt32LE(at + c.DIRENT_OFF);
    const nextHi = portion.readUInt32LE(at + c.DIRENT_OFF + 4);
    const type = portion[at + c.DIRENT_TYPE]!;
    const isDots = portion[off] === 0x2e && (len === 1 || (len === 2 && portion[off + 1] === 0x2e));
    if (sink.isPlus && !isDots) {
      entryName.off = off;
      entryName.len = len;
      if (this.entry(parent, entryName, sink.plus) >= 0) return sink.addPlus(inoLo, inoHi, nextLo, nextHi, type, portion, off, len);
    }
    return sink.add(inoLo, inoHi, nextLo, nextHi, type, portion, off, len);
  }

  releasedir(_req: Request, handle: number): number {
    return this.sys.close(handle);
  }

  fsyncdir(_req: Request, handle: number, dataOnly: boolean): number {
    return dataOnly ? this.sys.fdatasync(handle) : this.sys.fsync(handle);
  }

  /** The path for the …xattrat calls, relative to `slash`, starts behind its first byte. */
  private xattrPath(node: number): number {
    return this.options.xattrs ? this.pathOf(node) : -Errno.ENOSYS;
  }

  setxattr(req: Request, name: Name, value: Uint8Array, valueOff: number, valueLen: number, flags: number): number {
    const { sys, slash, target } = this;
    const error = this.xattrPath(req.node);
    if (error < 0) return error;
    const result = sys.lsetxattrat(slash, target, 1, name.buf, name.off, value, valueOff, valueLen, flags);
    if (result !== -Errno.ENOENT) return result;
    return this.reopened(req.node, (fd) => sys.fsetxattr(fd, name.buf, name.off, value, valueOff, valueLen, flags));
  }

  getxattr(req: Request, name: Name, dst: Uint8Array, dstOff: number, size: number): number {
    const { sys, slash, target } = this;
    const error = this.xattrPath(req.node);
    if (error < 0) return error;
    const result = sys.lgetxattrat(slash, target, 1, name.buf, name.off, dst, dstOff, size);
    if (result !== -Errno.ENOENT) return result;
    return this.reopened(req.node, (fd) => sys.fgetxattr(fd, name.buf, name.off, dst, dstOff, size));
  }

  listxattr(req: Request, dst: Uint8Array, dstOff: number, size: number): number {
    const { sys, slash, target } = this;
    const error = this.xattrPath(req.node);
    if (error < 0) return error;
    const result = sys.llistxattrat(slash, target, 1, dst, dstOff, size);
    return result === -Errno.ENOENT ? this.reopened(req.node, (fd) => sys.flistxattr(fd, dst, dstOff, size)) : result;
  }

  removexattr(req: Request, name: Name): number {
    const { sys, slash, target } = this;
    const error = this.xattrPath(req.node);
    if (error < 0) return error;
    const result = sys.lremovexattrat(slash, target, 1, name.buf, name.off);
    return result === -Errno.ENOENT ? this.reopened(req.node, (fd) => sys.fremovexattr(fd, name.buf, name.off)) : result;
  }

  /** The kernel checks permissions itself (default_permissions). */
  access(): number {
    return -Errno.ENOSYS;
  }

  fallocate(_req: Request, handle: number, offset: number, len: number, mode: number): number {
    return this.sys.fallocate(handle, mode, offset, len);
  }

  lseek(_req: Request, handle: number, offset: number, whence: number): number {
    return this.sys.lseek(handle, offset, whence);
  }

  copyFileRange(_req: Request, handleIn: number, offIn: number, _nodeOut: number, handleOut: number, offOut: number, len: number): number {
    return this.sys.copyFileRange(handleIn, offIn, handleOut, offOut, len);
  }

  ioctl(): number {
    return -Errno.ENOTTY;
  }

  destroy(): void {
    this.sys.close(this.slash);
  }
}

function time(valid: number, set: number, now: number, nsec: number): number {
  if ((valid & now) !== 0) return c.UTIME_NOW;
  return (valid & set) !== 0 ? nsec : c.UTIME_OMIT;
}
