import { asciiBytes, isBytes } from '../../base/bytes.ts';
import { Errno } from '../../base/errno.ts';
import { openat } from '../../sys/at.ts';
import {
  AT_SYMLINK_NOFOLLOW,
  DT_REG,
  DT_UNKNOWN,
  O_CLOEXEC,
  O_DIRECTORY,
  O_NOFOLLOW,
  O_RDONLY,
  S_IFDIR,
  S_IFMT,
} from '../../sys/constants.ts';
import { close } from '../../sys/files.ts';
import { fstat, fstatat, STAT_FIELDS, Stat } from '../../sys/stat.ts';
import { DiskName } from '../../vault/names/disk-name.ts';
import { randomNumber } from '../../vault/names/random.ts';
import { CONF_NAME, DIR_IV_NAME, isDotName } from '../../vault/names/rules.ts';
import { EntryStream } from '../forward/entry-stream.ts';
import type { EntrySink, Opened } from '../forward/types.ts';
import type { ReverseContext } from './context.ts';
import type { DirPath } from './dir-paths.ts';
import { enterKnown, enterTarget, hasMappedConf } from './entry.ts';
import { OpenKind } from './open.ts';
import { findPlace, findPlaceAgain, newPlace } from './place.ts';
import { isForeign } from './resolve.ts';
import { REVERSE_CONF, REVERSE_CONF_PATH, ViewKind } from './view-names.ts';

const CONF = asciiBytes(CONF_NAME);
const DIR_IV = asciiBytes(DIR_IV_NAME);
const INVALID_NAME = asciiBytes('___GOCRYPTFS_INVALID_NAME___');
/**
 * High half of the cookies of virtual entries, which come after the real ones; the low half is the number of the next one. Filesystems
 * use this high half only for the cookie at the end of a directory (all bits set), if at all.
 */
const VIRTUAL_HI = 0x7fff_ffff;
const END_LO = 0xffff_ffff;
/** Stands for an inode number that is not known without a lookup; what libfuse uses too. */
const UNKNOWN_INO = 0xffff_ffff;

/**
 * Listing of directories of the view (behaviour.md 7.2): the real entries, then gocryptfs.diriv, then the `.name` files. One per worker.
 */
export class ReverseDirectoryReader {
  readonly #ctx: ReverseContext;
  readonly #stream: EntryStream;
  readonly #disk = new DiskName();
  readonly #stat = new Float64Array(STAT_FIELDS);
  readonly #place = newPlace();
  /** Handle whose real entries this worker has gone through from the start without a gap, up to this cookie. */
  #runHandle = -1;
  #runLo = 0;
  #runHi = 0;
  /** Whether hashed names were among them. */
  #hasLongNames = false;
  /** True once they were all of them. */
  #isWhole = false;

  constructor(ctx: ReverseContext) {
    this.#ctx = ctx;
    this.#stream = new EntryStream(ctx.handles, ctx.slowCalls);
  }

  /** Opens a directory for listing. */
  open(node: number, out: Opened): number {
    const ctx = this.#ctx;
    let fd = findPlace(ctx, node, this.#place);
    if (fd < 0) return fd;
    fd = this.#openat();
    if (fd === -Errno.ENOENT) {
      if (!findPlaceAgain(ctx, node, this.#place)) return fd;
      fd = this.#openat();
    }
    ctx.path.done();
    if (fd < 0) return fd;
    let result = fstat(fd, this.#stat);
    const stat = this.#stat;
    // Something else has the name by now: have it looked up again.
    if (result === 0 && !ctx.nodes.isIdentity(node, stat[Stat.dev]!, stat[Stat.inoLo]!, stat[Stat.inoHi]!, S_IFDIR)) result = -Errno.ESTALE;
    if (result === 0) result = ctx.handles.add(fd, isForeign(ctx, fd) ? OpenKind.EmptyDirectory : OpenKind.Directory, node, O_RDONLY);
    if (result < 0) {
      close(fd);
      return result;
    }
    out.handle = result;
    return 0;
  }

  /** Gives entries behind a cookie to `sink` until it is full. */
  read(handle: number, cookieLo: number, cookieHi: number, sink: EntrySink): number {
    const { handles, paths } = this.#ctx;
    if (!handles.isValid(handle)) return -Errno.EBADF;
    const dir = paths.of(handles.node(handle));
    if (dir === null) return -Errno.ESTALE;
    const fd = handles.fd(handle);
    const isEmpty = handles.file(handle) === OpenKind.EmptyDirectory;
    let next = 0;
    if (cookieHi === VIRTUAL_HI) {
      if (cookieLo !== END_LO) next = cookieLo;
    } else if (!isEmpty) {
      const result = this.#listReal(dir, handle, fd, cookieLo, cookieHi, sink);
      if (result <= 0) return result;
    }
    return this.#listVirtual(dir, handle, fd, next, isEmpty, sink);
  }

  /** Ends a listing. */
  close(handle: number): number {
    const { handles } = this.#ctx;
    if (!handles.isValid(handle)) return -Errno.EBADF;
    if (this.#runHandle === handle) this.#runHandle = -1;
    const fd = handles.fd(handle);
    return handles.remove(handle) ? close(fd) : -Errno.EBADF;
  }

  #openat(): number {
    const { path } = this.#ctx;
    return openat(path.dirFd, path.name, 0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC, 0);
  }

  /** @returns 1 at the end of the real entries, 0 if the sink is full, or a negated errno */
  #listReal(dir: DirPath, handle: number, fd: number, cookieLo: number, cookieHi: number, sink: EntrySink): number {
    const stream = this.#stream;
    stream.start(handle, cookieLo, cookieHi);
    this.#continueRun(handle, cookieLo, cookieHi);
    for (;;) {
      const loaded = stream.load(fd);
      if (loaded < 0) return loaded;
      if (loaded === 0) {
        this.#isWhole = true;
        return 1;
      }
      if (!this.#giveReal(dir, fd, sink)) return 0;
      this.#runLo = stream.nextLo;
      this.#runHi = stream.nextHi;
      stream.advance();
    }
  }

  #continueRun(handle: number, cookieLo: number, cookieHi: number): void {
    this.#isWhole = false;
    if (cookieLo === 0 && cookieHi === 0) {
      this.#runHandle = handle;
      this.#hasLongNames = false;
    } else if (this.#runHandle !== handle || this.#runLo !== cookieLo || this.#runHi !== cookieHi) {
      this.#runHandle = -1;
    }
  }

  /** Gives the entry at hand to the sink, or hides it. @returns false if it did not fit */
  #giveReal(dir: DirPath, fd: number, sink: EntrySink): boolean {
    const ctx = this.#ctx;
    const { codec, exclusion, longNames } = ctx;
    const { buffer, nameAt, nameLen } = this.#stream;
    if (isDotName(buffer, nameAt, nameLen) || exclusion.hides(dir, buffer, nameAt, nameLen)) return true;
    if (hasMappedConf(ctx, dir.node)) {
      if (isBytes(buffer, nameAt, nameLen, REVERSE_CONF)) return this.#give(dir, fd, ViewKind.Conf, CONF, 0, CONF.length, sink);
      if (codec.plaintextNames && isBytes(buffer, nameAt, nameLen, CONF)) return this.#giveCollision(dir, fd, sink);
    }
    const disk = this.#disk;
    if (codec.encryptName(dir.iv, 0, buffer, nameAt, nameLen, disk) < 0) return this.#add(fd, INVALID_NAME, 0, INVALID_NAME.length, sink);
    if (disk.isLong) {
      this.#hasLongNames = true;
      longNames.remember(disk.buf, disk.off, disk.len, buffer, nameAt, nameLen);
    }
    return this.#give(dir, fd, ViewKind.Real, disk.buf, disk.off, disk.len, sink);
  }

  /** A plain gocryptfs.conf where the configuration is shown under this very name. */
  #giveCollision(dir: DirPath, fd: number, sink: EntrySink): boolean {
    if (fstatat(fd, REVERSE_CONF_PATH, 0, this.#stat, AT_SYMLINK_NOFOLLOW) < 0) return true;
    const shown = asciiBytes(`${CONF_NAME}_NAME_COLLISION_${randomNumber()}`);
    const where = Buffer.from(dir.plain).toString();
    this.#ctx.log.warn(
      'The file ".gocryptfs.reverse.conf" is mapped to "gocryptfs.conf" and shadows another file. ' +
        `Please rename "gocryptfs.conf" in directory "${where}".`,
    );
    return this.#add(fd, shown, 0, shown.length, sink);
  }

  /** Gives the entry at hand under a name of the view, with attributes and a node reference if the kernel wants them. */
  #give(dir: DirPath, fd: number, kind: ViewKind, shown: Uint8Array, off: number, len: number, sink: EntrySink): boolean {
    const { buffer, nameAt, nameLen, inoLo, inoHi, nextLo, nextHi } = this.#stream;
    if (!sink.fits(len)) return false;
    if (!sink.isPlus || enterTarget(this.#ctx, dir, fd, kind, buffer, nameAt, nameLen, sink.plus) < 0)
      return this.#add(fd, shown, off, len, sink);
    const type = (sink.plus.attr[Stat.mode]! & S_IFMT) >>> 12;
    return sink.addPlus(inoLo, inoHi, nextLo, nextHi, type, shown, off, len);
  }

  #add(fd: number, shown: Uint8Array, off: number, len: number, sink: EntrySink): boolean {
    const { buffer, nameAt, inoLo, inoHi, nextLo, nextHi } = this.#stream;
    let { type } = this.#stream;
    if (!sink.fits(len)) return false;
    if (type === DT_UNKNOWN && fstatat(fd, buffer, nameAt, this.#stat, AT_SYMLINK_NOFOLLOW) === 0) {
      type = (this.#stat[Stat.mode]! & S_IFMT) >>> 12;
    }
    return sink.add(inoLo, inoHi, nextLo, nextHi, type, shown, off, len);
  }

  /** Virtual entry 0 is gocryptfs.diriv, entry k the `.name` file of the k-th hashed name. */
  #listVirtual(dir: DirPath, handle: number, fd: number, next: number, isEmpty: boolean, sink: EntrySink): number {
    const { parameters, codec } = this.#ctx;
    let from = next;
    if (from === 0) {
      if (parameters.dirIV && !this.#giveDirIV(dir, fd, sink)) return 0;
      from = 1;
    }
    const hasNone = this.#runHandle === handle && this.#isWhole && !this.#hasLongNames;
    if (isEmpty || codec.plaintextNames || hasNone) return 0;
    return this.#giveNameFiles(dir, handle, fd, from, sink);
  }

  #giveDirIV(dir: DirPath, fd: number, sink: EntrySink): boolean {
    if (!sink.fits(DIR_IV.length)) return false;
    if (sink.isPlus && enterTarget(this.#ctx, dir, fd, ViewKind.DirIV, DIR_IV, 0, 0, sink.plus) === 0) {
      const { attr } = sink.plus;
      return sink.addPlus(attr[Stat.inoLo]!, attr[Stat.inoHi]!, 1, VIRTUAL_HI, DT_REG, DIR_IV, 0, DIR_IV.length);
    }
    const stat = this.#stat;
    if (fstat(fd, stat) === 0) this.#ctx.attributes.showDirIV(stat);
    return sink.add(stat[Stat.inoLo]!, stat[Stat.inoHi]!, 1, VIRTUAL_HI, DT_REG, DIR_IV, 0, DIR_IV.length);
  }

  /** Goes through the directory once more; what comes before the `from`-th hashed name was given already. */
  #giveNameFiles(dir: DirPath, handle: number, fd: number, from: number, sink: EntrySink): number {
    const { codec, exclusion } = this.#ctx;
    const stream = this.#stream;
    const disk = this.#disk;
    let number = 0;
    stream.start(handle, 0, 0);
    for (;;) {
      const loaded = stream.load(fd);
      if (loaded <= 0) return loaded;
      const { buffer, nameAt, nameLen } = stream;
      stream.advance();
      if (!codec.hashes(nameLen) || exclusion.hides(dir, buffer, nameAt, nameLen)) continue;
      if (++number < from || codec.encryptName(dir.iv, 0, buffer, nameAt, nameLen, disk) < 0) continue;
      if (!sink.fits(disk.nameFileLen)) return 0;
      if (!this.#giveNameFile(dir, fd, buffer, nameAt, nameLen, number + 1, sink)) return 0;
    }
  }

  #giveNameFile(dir: DirPath, fd: number, plain: Uint8Array, off: number, len: number, next: number, sink: EntrySink): boolean {
    const { buf, nameFileOff, nameFileLen } = this.#disk;
    if (sink.isPlus && fstatat(fd, plain, off, sink.plus.attr, AT_SYMLINK_NOFOLLOW) === 0) {
      if (enterKnown(this.#ctx, dir, ViewKind.NameFile, plain, off, len, sink.plus) === 0) {
        const { attr } = sink.plus;
        return sink.addPlus(attr[Stat.inoLo]!, attr[Stat.inoHi]!, next, VIRTUAL_HI, DT_REG, buf, nameFileOff, nameFileLen);
      }
    }
    return sink.add(UNKNOWN_INO, 0, next, VIRTUAL_HI, DT_REG, buf, nameFileOff, nameFileLen);
  }
}
