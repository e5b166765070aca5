import { Errno } from '../../../base/errno.ts';
import type { Handles } from '../../../shared/handles.ts';
import type { OpenFiles } from '../../../shared/open-files.ts';
import { openRun, sealRun } from '../../../vault/contents/blocks.ts';
import { allocate } from './allocate.ts';
import { type ContentsCrypto, type ContentsSys, contentsSys } from './calls.ts';
import { Reader } from './read.ts';
import { seek } from './seek.ts';
import { Truncator } from './truncate.ts';
import { type ContentsContext, Workspace } from './workspace.ts';
import { Writer } from './write.ts';

/**
 * What can be done with an open file; one object per worker thread. Takes the content lock of the file itself: shared for reading and
 * seeking, exclusive for everything that changes it, none while a file is synced (behaviour.md 6.8). The lock is not recursive.
 * Every method returns a count, an offset or 0, or a negated errno; −EBADF for a handle that was released.
 */
export class FileContents {
  private readonly ws: Workspace;
  private readonly handles: Handles;
  private readonly openFiles: OpenFiles;
  private readonly reader: Reader;
  private readonly writer: Writer;
  private readonly truncator: Truncator;

  constructor(ctx: ContentsContext, sys: ContentsSys = contentsSys, crypto: ContentsCrypto = { sealRun, openRun }) {
    this.ws = new Workspace(ctx, sys, crypto);
    this.handles = ctx.handles;
    this.openFiles = ctx.openFiles;
    this.reader = new Reader(this.ws);
    this.writer = new Writer(this.ws);
    this.truncator = new Truncator(this.ws, this.writer);
  }

  private isStale(what: string, handle: number): boolean {
    if (this.handles.isValid(handle) && this.handles.file(handle) >= 0) return false;
    this.ws.log.warn(`${what}: handle ${handle} is not open`);
    return true;
  }

  /** Plaintext from `off` to dst[dstOff…]. @returns bytes, fewer than `size` only at the end of the file; −EIO if a touched block is damaged */
  read(handle: number, off: number, size: number, dst: Uint8Array, dstOff: number): number {
    if (this.isStale('read', handle)) return -Errno.EBADF;
    const file = this.handles.file(handle);
    this.openFiles.lockShared(file);
    try {
      return this.reader.read(this.handles.fd(handle), file, off, size, dst, dstOff);
    } finally {
      this.openFiles.unlockShared(file);
    }
  }

  /** Writes `len` bytes at `off`, all or nothing. @returns `len`; −EIO, −ENOSPC, −EDQUOT, −EFBIG */
  write(handle: number, off: number, src: Uint8Array, srcOff: number, len: number): number {
    if (this.isStale('write', handle)) return -Errno.EBADF;
    const file = this.handles.file(handle);
    this.openFiles.lockExclusive(file);
    try {
      return this.writer.write(this.handles.fd(handle), file, off, src, srcOff, len);
    } finally {
      this.openFiles.unlockExclusive(file);
    }
  }

  /** Sets the plaintext size through a handle that can write. */
  truncate(handle: number, size: number): number {
    if (this.isStale('truncate', handle)) return -Errno.EBADF;
    return this.truncateFile(this.handles.fd(handle), this.handles.file(handle), size);
  }

  /** Sets the plaintext size through a read-write descriptor of the caller that has no handle; (dev, ino) is its backing file. */
  truncateFd(fd: number, dev: number, inoLo: number, inoHi: number, size: number): number {
    const file = this.openFiles.acquire(dev, inoLo, inoHi);
    if (file < 0) return file;
    try {
      return this.truncateFile(fd, file, size);
    } finally {
      this.openFiles.release(file);
    }
  }

  private truncateFile(fd: number, file: number, size: number): number {
    this.openFiles.lockExclusive(file);
    try {
      return this.truncator.truncate(fd, file, size);
    } finally {
      this.openFiles.unlockExclusive(file);
    }
  }

  /** Reserves space; `mode` 0 also grows the file, 1 (keep size) does not. @returns 0; −EOPNOTSUPP for other modes */
  fallocate(handle: number, mode: number, off: number, len: number): number {
    if (this.isStale('fallocate', handle)) return -Errno.EBADF;
    const file = this.handles.file(handle);
    this.openFiles.lockExclusive(file);
    try {
      return allocate(this.ws, this.truncator, this.handles.fd(handle), file, mode, off, len);
    } finally {
      this.openFiles.unlockExclusive(file);
    }
  }

  /** SEEK_DATA and SEEK_HOLE. @returns the new offset; −ENXIO, −ENOSYS (behaviour.md 6.12) */
  lseek(handle: number, off: number, whence: number): number {
    if (this.isStale('lseek', handle)) return -Errno.EBADF;
    const file = this.handles.file(handle);
    this.openFiles.lockShared(file);
    try {
      return seek(this.ws, this.handles.fd(handle), file, off, whence);
    } finally {
      this.openFiles.unlockShared(file);
    }
  }

  /** At every close(2) of the user: closes a copy of the descriptor, because some stores (NFS) report a failed write only there. */
  flush(handle: number): number {
    if (this.isStale('flush', handle)) return -Errno.EBADF;
    if (!this.handles.isWritable(handle)) return 0;
    const copy = this.ws.sys.dup(this.handles.fd(handle));
    return copy < 0 ? copy : this.ws.sys.close(copy);
  }

  /** Waits until the file is on the disk; content alone makes no difference (behaviour.md 6.11). Works on deleted files. */
  fsync(handle: number, _dataOnly: boolean): number {
    if (this.isStale('fsync', handle)) return -Errno.EBADF;
    return this.ws.fsync(this.handles.fd(handle));
  }

  /** Ends a handle and closes its descriptor. */
  release(handle: number): number {
    if (this.isStale('release', handle)) return -Errno.EBADF;
    const fd = this.handles.fd(handle);
    const file = this.handles.file(handle);
    if (!this.handles.remove(handle)) return -Errno.EBADF;
    this.openFiles.release(file);
    return this.ws.sys.close(fd);
  }
}
