import { Errno, errnoName } from '../../base/errno.ts';
import { DirectoryNotice } from '../../shared/counters.ts';
import { ROOT } from '../../shared/nodes.ts';
import { openat } from '../../sys/at.ts';
import {
  AT_SYMLINK_NOFOLLOW,
  DT_UNKNOWN,
  O_DIRECTORY,
  O_NOFOLLOW,
  O_RDONLY,
  S_IFDIR,
  S_IFMT,
  XFS_SUPER_MAGIC,
} from '../../sys/constants.ts';
import { close, fsync } from '../../sys/files.ts';
import { fstat, fstatat, fstatfs, STAT_FIELDS, STATFS_FIELDS, Stat, Statfs } from '../../sys/stat.ts';
import { EntryKind } from '../../vault/names/codec.ts';
import type { ForwardContext } from './context.ts';
import { DIR_IV_ROOM, readDirIV } from './dir-iv-file.ts';
import { referenceNode } from './entry.ts';
import { EntryStream } from './entry-stream.ts';
import { NAME_FILE_ROOM, readNameFile } from './long-name-file.ts';
import { SlowCallKind } from './slow-calls.ts';
import type { EntrySink, Opened } from './types.ts';

/** Listing of directories (behaviour.md 6.13); one per worker thread. */
export class DirectoryReader {
  readonly #ctx: ForwardContext;
  readonly #stream: EntryStream;
  readonly #nameFile = new Uint8Array(NAME_FILE_ROOM);
  readonly #ivScratch = new Uint8Array(DIR_IV_ROOM);
  readonly #stat = new Float64Array(STAT_FIELDS);
  /** IV of the directory at hand. */
  #iv: Uint8Array;
  #ivOff = 0;

  constructor(ctx: ForwardContext) {
    this.#ctx = ctx;
    this.#stream = new EntryStream(ctx.handles, ctx.slowCalls);
    this.#iv = this.#ivScratch;
  }

  /** Opens a directory for listing. @returns 0; −EACCES if it or its IV may not be read, −EIO if the IV is bad or missing */
  open(node: number, out: Opened): number {
    const { path, handles } = this.#ctx;
    let fd = path.first(node);
    if (fd < 0) return fd;
    do fd = openat(path.dirFd, path.name, 0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
    while (path.again(fd));
    path.done();
    if (fd < 0) return fd;
    let result = this.#check(node, fd);
    if (result === 0) {
      result = handles.add(fd, -1, node, O_RDONLY);
      if (result >= 0) {
        out.handle = result;
        return 0;
      }
    }
    close(fd);
    return result;
  }

  /** Gives entries behind a cookie to `sink` until it is full. @returns 0, or a negated errno if not even one could be had */
  read(handle: number, cookieLo: number, cookieHi: number, sink: EntrySink): number {
    const { handles, dirs } = this.#ctx;
    if (!handles.isValid(handle)) {
      this.#ctx.log.warn(`readdir: handle ${handle} is not open`);
      return -Errno.EBADF;
    }
    this.#stream.start(handle, cookieLo, cookieHi);
    const node = handles.node(handle);
    const fd = handles.fd(handle);
    const slot = this.#findIV(node, fd);
    if (slot === -Errno.EIO) return slot;
    const result = this.#list(node, fd, sink);
    if (slot >= 0) dirs.unpin(slot);
    return result;
  }

  /** Ends a listing. */
  close(handle: number): number {
    const { handles } = this.#ctx;
    if (!handles.isValid(handle)) return -Errno.EBADF;
    const fd = handles.fd(handle);
    return handles.remove(handle) ? close(fd) : -Errno.EBADF;
  }

  /** Waits until the entries of the directory are on the disk. */
  sync(handle: number): number {
    const { handles, slowCalls } = this.#ctx;
    if (!handles.isValid(handle)) return -Errno.EBADF;
    slowCalls.before(SlowCallKind.Sync);
    const result = fsync(handles.fd(handle));
    slowCalls.after(SlowCallKind.Sync);
    return result;
  }

  /** Whether a directory just opened is the one that was asked for, and has an IV. */
  #check(node: number, fd: number): number {
    const { nodes, dirs, parameters, log } = this.#ctx;
    const stat = this.#stat;
    const result = fstat(fd, stat);
    if (result < 0) return result;
    // Something else has the name by now: have it looked up again.
    if (!nodes.isIdentity(node, stat[Stat.dev]!, stat[Stat.inoLo]!, stat[Stat.inoHi]!, S_IFDIR)) return -Errno.ESTALE;
    if (!parameters.dirIV) return 0;
    const slot = dirs.pinWithIV(node);
    if (slot === -Errno.EACCES) return slot;
    if (slot < 0) {
      log.warn(`OpendirHandle: could not read gocryptfs.diriv: ${errnoName(slot)}`);
      return -Errno.EIO;
    }
    dirs.unpin(slot);
    return 0;
  }

  /** Sets the IV. @returns a slot to unpin, −EIO without IV, or another negative number if there is nothing to unpin */
  #findIV(node: number, fd: number): number {
    const { dirs, parameters } = this.#ctx;
    if (!parameters.dirIV) {
      this.#iv = dirs.iv;
      this.#ivOff = 0;
      return -1;
    }
    const slot = dirs.pinWithIV(node);
    if (slot >= 0) {
      this.#iv = dirs.iv;
      this.#ivOff = dirs.ivOffset(slot);
      return slot;
    }
    // The directory cannot be reached by name any more; its descriptor still can.
    this.#iv = this.#ivScratch;
    this.#ivOff = 0;
    const result = readDirIV(fd, this.#ivScratch);
    return result === 0 || result === -Errno.ENOENT ? -1 : -Errno.EIO;
  }

  #list(node: number, fd: number, sink: EntrySink): number {
    const stream = this.#stream;
    for (;;) {
      const loaded = stream.load(fd);
      if (loaded <= 0) return loaded;
      if (!this.#emit(node, fd, sink)) return 0;
      stream.advance();
    }
  }

  /** Gives the entry at hand to the sink, or hides it. @returns false if it did not fit */
  #emit(node: number, fd: number, sink: EntrySink): boolean {
    const { codec, badNames, log } = this.#ctx;
    const { buffer, nameAt, nameLen, inoLo, inoHi, nextLo, nextHi, type } = this.#stream;
    switch (codec.classify(buffer, nameAt, nameLen, node === ROOT)) {
      case EntryKind.Dot:
        return sink.add(inoLo, inoHi, nextLo, nextHi, type, buffer, nameAt, nameLen);
      case EntryKind.Conf:
      case EntryKind.DirIV:
      case EntryKind.LongNameFile:
        return true;
      case EntryKind.LongName:
        return this.#emitLong(node, fd, sink);
      default: {
        const len = codec.decryptName(this.#iv, this.#ivOff, buffer, nameAt, nameLen);
        if (len >= 0) return this.#give(node, fd, codec.plain, len, sink);
        const shown = badNames.display(this.#iv, this.#ivOff, buffer, nameAt, nameLen);
        if (shown !== null) return this.#give(node, fd, shown, shown.length, sink);
        log.warn(`Readdirent: could not decrypt entry ${this.#stream.nameText()}: not an encrypted name`);
        return true;
      }
    }
  }

  #emitLong(node: number, fd: number, sink: EntrySink): boolean {
    const { codec, log } = this.#ctx;
    const { buffer, nameAt, nameLen } = this.#stream;
    const textLen = readNameFile(fd, buffer, nameAt, nameLen, this.#nameFile);
    if (textLen < 0) {
      // Removed since it was read ahead: nothing to report.
      if (fstatat(fd, buffer, nameAt, this.#stat, AT_SYMLINK_NOFOLLOW) === -Errno.ENOENT) return true;
      log.warn(`Readdirent: incomplete entry ${this.#stream.nameText()}: Could not read .name: ${errnoName(textLen)}`);
      return true;
    }
    const len = codec.decryptName(this.#iv, this.#ivOff, this.#nameFile, 0, textLen);
    if (len >= 0) return this.#give(node, fd, codec.plain, len, sink);
    log.warn(`Readdirent: could not decrypt entry ${this.#stream.nameText()}: its .name file does not hold an encrypted name`);
    return true;
  }

  /** Gives the entry at hand under its plaintext name, with attributes and a node reference if the kernel wants them. */
  #give(node: number, fd: number, name: Uint8Array, len: number, sink: EntrySink): boolean {
    const { buffer, nameAt, nameLen, inoLo, inoHi, nextLo, nextHi } = this.#stream;
    let { type } = this.#stream;
    if (!sink.fits(len)) return false;
    if (sink.isPlus && fstatat(fd, buffer, nameAt, sink.plus.attr, AT_SYMLINK_NOFOLLOW) === 0) {
      const { plus } = sink;
      if (type === DT_UNKNOWN) type = this.#typeOf(plus.attr);
      if (referenceNode(this.#ctx, node, buffer, nameAt, nameLen, false, plus) === 0) {
        this.#ctx.attributes.showAt(plus.attr, plus.node, fd, buffer, nameAt);
        return sink.addPlus(inoLo, inoHi, nextLo, nextHi, type, name, 0, len);
      }
    } else if (type === DT_UNKNOWN && fstatat(fd, buffer, nameAt, this.#stat, AT_SYMLINK_NOFOLLOW) === 0) {
      type = this.#typeOf(this.#stat);
    }
    return sink.add(inoLo, inoHi, nextLo, nextHi, type, name, 0, len);
  }

  /** DT_* value of an entry whose record does not tell it; said once per process, since listings are slower for it. */
  #typeOf(stat: Float64Array): number {
    const { counters, log, options } = this.#ctx;
    if (counters.claimNotice(DirectoryNotice.UnknownTypes)) {
      const message = 'Readdirent: the backing filesystem does not tell file types (DT_UNKNOWN), asking for each';
      const figures = new Float64Array(STATFS_FIELDS);
      if (fstatfs(options.rootFd, figures) === 0 && figures[Statfs.type] === XFS_SUPER_MAGIC) log.info(message);
      else log.warn(message);
    }
    return (stat[Stat.mode]! & S_IFMT) >>> 12;
  }
}
