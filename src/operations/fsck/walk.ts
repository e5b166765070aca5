/** The walk through a vault: depth-first, in each directory sorted by the bytes of the plaintext names (behaviour.md 9). */
import { Errno, errnoName } from '../../base/errno.ts';
import { DIR_IV_ROOM, readDirIV } from '../../filesystem/forward/dir-iv-file.ts';
import { openat } from '../../sys/at.ts';
import { AT_SYMLINK_NOFOLLOW, DT_DIR, DT_LNK, DT_REG, DT_UNKNOWN, O_DIRECTORY, O_NOFOLLOW, O_RDONLY, S_IFMT } from '../../sys/constants.ts';
import { close } from '../../sys/files.ts';
import { fstatat, STAT_FIELDS, Stat } from '../../sys/stat.ts';
import { MAX_NAME_LEN, ZERO_IV } from '../../vault/names/rules.ts';
import { FileChecker } from './check-file.ts';
import { SymlinkChecker } from './check-symlink.ts';
import { XattrChecker } from './check-xattrs.ts';
import type { FsckContext } from './context.ts';
import { type Level, Levels } from './levels.ts';
import { Listing } from './listing.ts';

/** Walks one vault once. */
export class Walk {
  readonly #ctx: FsckContext;
  readonly #levels = new Levels();
  readonly #listing: Listing;
  readonly #xattrs: XattrChecker;
  readonly #files: FileChecker;
  readonly #symlinks: SymlinkChecker;
  readonly #iv = new Uint8Array(DIR_IV_ROOM);
  /** Backing name of the entry at hand, with a NUL. */
  readonly #cName = Buffer.alloc(MAX_NAME_LEN + 1);
  readonly #stat = new Float64Array(STAT_FIELDS);

  constructor(ctx: FsckContext) {
    this.#ctx = ctx;
    this.#listing = new Listing(ctx);
    this.#xattrs = new XattrChecker(ctx);
    this.#files = new FileChecker(ctx, this.#xattrs);
    this.#symlinks = new SymlinkChecker(ctx);
  }

  /**
   * The steps of the walk; between two of them other things can be done, and the walk can be left. Descriptors are closed in any case.
   * @param dirFd - what `rootPath` is relative to
   * @param rootPath - NUL-terminated path of CIPHERDIR; the only one whose symlinks are followed
   */
  *steps(dirFd: number, rootPath: Buffer): Generator<void, void> {
    try {
      yield* this.#enter(dirFd, rootPath, true);
      for (let level = this.#levels.top(); level !== undefined; level = this.#levels.top()) {
        const entry = level.entries[level.next++];
        if (entry === undefined) this.#leave();
        else yield* this.#checkEntry(level, entry);
      }
    } finally {
      this.#levels.close();
    }
  }

  *#checkEntry(level: Level, entry: string): Generator<void, void> {
    const { findings, progress } = this.#ctx;
    const nameLen = entry.indexOf('\0');
    const depth = findings.path.push(entry.slice(0, nameLen));
    const cLen = this.#cName.write(entry.slice(nameLen + 2), 'latin1');
    this.#cName[cLen] = 0;
    progress.entries++;
    switch (this.#typeOf(level.fd, entry.charCodeAt(nameLen + 1))) {
      case DT_DIR:
        // Stays in the path until it is left.
        if (yield* this.#enter(level.fd, this.#cName, false)) return;
        break;
      case DT_REG:
        yield* this.#files.check(level.fd, this.#cName);
        break;
      case DT_LNK:
        this.#symlinks.check(level.fd, this.#cName, cLen);
        break;
      default:
      // FIFOs, sockets and devices have nothing that is encrypted but their name.
    }
    findings.path.length = depth - 1;
    yield;
  }

  /** DT_* value of the entry at hand, if need be from the object itself. */
  #typeOf(dirFd: number, type: number): number {
    if (type !== DT_UNKNOWN) return type;
    const result = fstatat(dirFd, this.#cName, 0, this.#stat, AT_SYMLINK_NOFOLLOW);
    if (result === 0) return (this.#stat[Stat.mode]! & S_IFMT) >>> 12;
    const { findings } = this.#ctx;
    findings.failed(`error stating file ${findings.quotedPath()}`, result);
    return DT_UNKNOWN;
  }

  /** Checks a directory itself and goes down into it. @returns false if that is not possible, after reporting it */
  *#enter(parentFd: number, cName: Buffer, isRoot: boolean): Generator<void, boolean> {
    const { findings } = this.#ctx;
    const name = isRoot ? '' : cName.toString('latin1', 0, cName.indexOf(0));
    const fd = openat(parentFd, cName, 0, O_RDONLY | O_DIRECTORY | (isRoot ? 0 : O_NOFOLLOW), 0);
    if (fd < 0) {
      if (!isRoot) this.#xattrs.checkAt(parentFd, cName);
      findings.failed(`error opening dir ${findings.quotedPath()}`, fd);
      return false;
    }
    let isOwned = false;
    try {
      this.#xattrs.checkOpen(fd);
      const found = this.#loadIV(fd);
      if (found < 0) {
        findings.failed(`error opening dir ${findings.quotedPath()}`, found);
        return false;
      }
      const entries: string[] = [];
      let result = yield* this.#listing.read(fd, this.#iv, isRoot, entries);
      if (result === 0) {
        entries.sort();
        result = this.#levels.push(fd, name, entries);
        isOwned = result === 0;
      }
      if (result < 0) findings.failed(`error reading dir ${findings.quotedPath()}`, result);
      return isOwned;
    } finally {
      if (!isOwned) close(fd);
    }
  }

  /** Reads the IV that the names of a directory were encrypted with. @returns 0, −EACCES or −EIO */
  #loadIV(fd: number): number {
    const { parameters, log } = this.#ctx;
    if (!parameters.dirIV) {
      this.#iv.set(ZERO_IV);
      return 0;
    }
    const result = readDirIV(fd, this.#iv);
    if (result === 0 || result === -Errno.EACCES) return result;
    log.warn(`OpendirHandle: could not read gocryptfs.diriv: ${errnoName(result)}`);
    return -Errno.EIO;
  }

  #leave(): void {
    const { findings } = this.#ctx;
    const result = this.#levels.pop();
    findings.path.pop();
    if (result === 0) return;
    findings.failed(`error reading dir ${findings.quotedPath()}`, result);
    // Its other entries cannot be reached: whoever moves directories meanwhile has to check again.
    const level = this.#levels.top();
    if (level !== undefined) level.next = level.entries.length;
  }
}
