/** Regular files: every block must decrypt (behaviour.md 6.10, 9; format.md 7). */
import { isZero } from '../../base/bytes.ts';
import { Errno } from '../../base/errno.ts';
import type { Logger } from '../../base/log.ts';
import { corruptBlock, describeSizeDefect, warnAboutHeader } from '../../filesystem/forward/contents/damage.ts';
import { openat } from '../../sys/at.ts';
import { AT_SYMLINK_NOFOLLOW, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, S_IFMT, S_IFREG, SEEK_DATA } from '../../sys/constants.ts';
import { close, pread } from '../../sys/files.ts';
import { lseek } from '../../sys/holes.ts';
import { fstat, fstatat, STAT_FIELDS, Stat } from '../../sys/stat.ts';
import { openRun } from '../../vault/contents/blocks.ts';
import { FILE_ID_OFF, HeaderState, headerState } from '../../vault/contents/header.ts';
import { BLOCK_SIZE, ContentLayout, FILE_ID_LEN, HEADER_LEN } from '../../vault/contents/layout.ts';
import type { XattrChecker } from './check-xattrs.ts';
import type { FsckContext } from './context.ts';

/** Blocks opened with one native call at most: 1 MiB of plaintext. */
const RUN_BLOCKS = 256;
/** Blocks read first behind a hole: another one may follow soon. */
const ISLAND_BLOCKS = 16;

/** Checks regular files of one vault. */
export class FileChecker {
  readonly log: Logger;
  readonly overhead: number;
  /** Header and one run as they are stored. */
  readonly cipher: Uint8Array;
  readonly #ctx: FsckContext;
  readonly #xattrs: XattrChecker;
  readonly #layout: ContentLayout;
  readonly #plain = new Uint8Array(RUN_BLOCKS * BLOCK_SIZE);
  readonly #fileID = new Uint8Array(FILE_ID_LEN);
  readonly #stat = new Float64Array(STAT_FIELDS);
  /** Inodes with several names that were checked under one of them. */
  readonly #seen = new Set<string>();

  constructor(ctx: FsckContext, xattrs: XattrChecker) {
    this.#ctx = ctx;
    this.log = ctx.log;
    this.#xattrs = xattrs;
    this.overhead = ctx.parameters.overhead;
    this.#layout = new ContentLayout(this.overhead);
    this.cipher = new Uint8Array(HEADER_LEN + this.#lengthOf(RUN_BLOCKS));
  }

  /** Number of the inode at hand, for messages. */
  inoText(): string {
    return ((BigInt(this.#stat[Stat.inoHi]!) << 32n) | BigInt(this.#stat[Stat.inoLo]!)).toString();
  }

  /** Checks one file; gives the thread away after every run. @param cName - NUL-terminated backing name */
  *check(dirFd: number, cName: Uint8Array): Generator<void, void> {
    // Not blocking: a FIFO that took the name meanwhile must not stop the check.
    const fd = openat(dirFd, cName, 0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
    if (fd < 0) {
      this.#checkUnopened(dirFd, cName, fd);
      return;
    }
    try {
      const result = fstat(fd, this.#stat);
      if (result < 0) {
        const { findings } = this.#ctx;
        findings.failed(`error stating file ${findings.quotedPath()}`, result);
      } else if ((this.#stat[Stat.mode]! & S_IFMT) === S_IFREG && !this.#wasSeen()) {
        this.#xattrs.checkOpen(fd);
        yield* this.#checkContents(fd, this.#stat[Stat.size]!);
      }
    } finally {
      close(fd);
    }
  }

  #checkUnopened(dirFd: number, cName: Uint8Array, openResult: number): void {
    const { findings } = this.#ctx;
    const result = fstatat(dirFd, cName, 0, this.#stat, AT_SYMLINK_NOFOLLOW);
    if (result < 0) {
      findings.failed(`error stating file ${findings.quotedPath()}`, result);
      return;
    }
    if (this.#wasSeen()) return;
    this.#xattrs.checkAt(dirFd, cName);
    findings.failed(`error opening file ${findings.quotedPath()}`, openResult);
  }

  /** True if the inode at hand was checked under another name. */
  #wasSeen(): boolean {
    if (this.#stat[Stat.nlink]! < 2) return false;
    const key = `${this.#stat[Stat.dev]} ${this.inoText()}`;
    if (this.#seen.has(key)) return true;
    this.#seen.add(key);
    return false;
  }

  *#checkContents(fd: number, size: number): Generator<void, void> {
    const { parameters, progress } = this.#ctx;
    const defect = describeSizeDefect(this.#layout, size);
    if (defect !== null) this.log.warn(defect);
    let wanted = RUN_BLOCKS;
    let len = this.#readRun(fd, 0, 0, HEADER_LEN + this.#lengthOf(wanted), size);
    if (len <= 0) {
      if (len < 0) this.#unreadable(len);
      return;
    }
    if (!this.#takeHeader(len)) return;
    len -= HEADER_LEN;
    for (let blockNo = 0; len > 0; ) {
      progress.bytes += len;
      const opened = openRun(parameters.contentKey, this.cipher, HEADER_LEN, len, this.#plain, 0, this.#fileID, 0, blockNo);
      if (opened < 0) {
        this.#reportBlock(blockNo, -1 - opened, len);
        return;
      }
      if (len < this.#lengthOf(wanted)) return;
      blockNo += wanted;
      const next = this.#endsInHole(len) ? this.#behindHole(fd, blockNo, size) : blockNo;
      wanted = next > blockNo ? ISLAND_BLOCKS : Math.min(RUN_BLOCKS, 2 * wanted);
      blockNo = next;
      yield;
      len = this.#readRun(fd, HEADER_LEN, this.#layout.blockCipherOffset(blockNo), this.#lengthOf(wanted), size);
      if (len < 0) this.#unreadable(len);
    }
  }

  /** Stored bytes of full blocks. */
  #lengthOf(blocks: number): number {
    return blocks * this.#layout.cipherBlockSize;
  }

  /** True if the last block of a run of `len` bytes is a hole. */
  #endsInHole(len: number): boolean {
    const { cipherBlockSize } = this.#layout;
    return isZero(this.cipher, HEADER_LEN + len - cipherBlockSize, cipherBlockSize);
  }

  /** Reads stored bytes into the run buffer. @returns fewer than `len` only at the end of the file; or a negated errno */
  #readRun(fd: number, bufOff: number, fileOff: number, len: number, size: number): number {
    let got = 0;
    for (;;) {
      const result = pread(fd, this.cipher, bufOff + got, len - got, fileOff + got);
      if (result < 0) return result;
      got += result;
      // Some network filesystems return less than there is.
      if (result === 0 || got === len || fileOff + got >= size) return got;
    }
  }

  /**
   * Judges the first bytes of the file and takes its ID. A file of 1 to 18 bytes is read as empty by a mount (format.md 7.5), but nothing
   * healthy has that size: it is what a crash or a lost tail leaves, so its owner is told. (The original has the message too, but never
   * comes to reading such a file, because the kernel takes it for empty; behaviour.md 9, blind spot.)
   * @returns false if there is nothing to read
   */
  #takeHeader(len: number): boolean {
    const state = headerState(this.cipher, 0, len);
    warnAboutHeader(this, 'doRead', 0, state, len);
    if (state === HeaderState.Incomplete) {
      const { findings } = this.#ctx;
      findings.damaged(`corrupt file ${findings.quotedPath()} (inode ${this.inoText()})`);
    } else if (state === HeaderState.Corrupt) {
      this.#unreadable(-Errno.EIO);
    }
    if (state !== HeaderState.Ok) return false;
    this.#fileID.set(this.cipher.subarray(FILE_ID_OFF, FILE_ID_OFF + FILE_ID_LEN));
    return true;
  }

  #reportBlock(firstBlockNo: number, index: number, len: number): void {
    const start = index * this.#layout.cipherBlockSize;
    const stored = Math.min(this.#layout.cipherBlockSize, len - start);
    this.#unreadable(corruptBlock(this, 'doRead', 0, firstBlockNo + index, this.cipher, HEADER_LEN + start, stored));
  }

  #unreadable(negatedErrno: number): void {
    const { findings } = this.#ctx;
    findings.failed(`error reading file ${findings.quotedPath()} (inum ${this.inoText()})`, negatedErrno);
  }

  /**
   * Behind a hole: the block in which the next data lie, so that a hole costs one call whatever its size. Behind the last data only
   * a partial last block is left to look at: holes consist of whole blocks (format.md 7.7).
   */
  #behindHole(fd: number, blockNo: number, size: number): number {
    const data = lseek(fd, this.#layout.blockCipherOffset(blockNo), SEEK_DATA);
    if (data >= 0) return Math.max(blockNo, this.#layout.blockNoOfCipher(data));
    return data === -Errno.ENXIO ? Math.max(blockNo, this.#layout.blockNoOfCipher(size)) : blockNo;
  }
}
