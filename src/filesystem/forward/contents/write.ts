import { copyBytes } from '../../../base/bytes.ts';
import { Errno } from '../../../base/errno.ts';
import { FILE_ID_OFF, HEADER_PROBE_LEN, HeaderState, makeHeader } from '../../../vault/contents/header.ts';
import { BLOCK_SIZE, HEADER_LEN } from '../../../vault/contents/layout.ts';
import { copyPart } from './copy-part.ts';
import { corruptBlock, takeHeader } from './damage.ts';
import { SafeWrite } from './safe-write.ts';
import { MAX_REQUEST, type Workspace } from './workspace.ts';

/** The file is not as the cached state says, another program changed it: forget the cache and start again. Not an errno. */
export const STALE = -100_000;

/** Writes plaintext (format.md 7.7): whole blocks in one sealRun and one pwrite, partial blocks by read-modify-write. Needs the exclusive content lock. */
export class Writer {
  readonly safe: SafeWrite;
  /** State of the file at hand, set by `prepare`: stored bytes, plaintext bytes, and whether a new header is due. */
  cipherSize = 0;
  plainSize = 0;
  isEmpty = true;
  private readonly ws: Workspace;
  /** Old blocks of the change at hand whose stored bytes are kept, and the highest of them. */
  private keptBlocks = 0;
  private lastKept = -1;

  constructor(ws: Workspace) {
    this.ws = ws;
    this.safe = new SafeWrite(ws);
  }

  /** @returns `len`, or a negated errno after which the file reads as before */
  write(fd: number, file: number, off: number, src: Uint8Array, srcOff: number, len: number): number {
    if (len === 0) return 0;
    const ws = this.ws;
    if (len > MAX_REQUEST || off < 0) {
      ws.log.warn(`doWrite ${ws.inoText(file)}: impossible request, offset ${off}, ${len} bytes`);
      return -Errno.EINVAL;
    }
    if (this.isBeyondLimit(off + len)) {
      ws.log.warn(`doWrite ${ws.inoText(file)}: offset ${off} is beyond the largest file`);
      return -Errno.EFBIG;
    }
    let result = this.attempt(fd, file, off, src, srcOff, len);
    if (result === STALE) {
      this.forget(file);
      result = this.attempt(fd, file, off, src, srcOff, len);
      if (result === STALE) return this.keepsChanging(file);
    }
    return result;
  }

  /** True if a file of so many plaintext bytes has stored offsets that cannot be addressed (exactly as a number). */
  isBeyondLimit(plainSize: number): boolean {
    return !(this.ws.layout.plainToCipher(plainSize) <= Number.MAX_SAFE_INTEGER);
  }

  /** Drops what is cached about a file that another program has changed. */
  forget(file: number): void {
    this.ws.openFiles.forgetCipherSize(file);
    this.ws.openFiles.forgetFileID(file);
  }

  /** For a file that was stale twice in a row. @returns −EIO */
  keepsChanging(file: number): number {
    this.ws.log.warn(`doWrite ${this.ws.inoText(file)}: the backing file is being changed by another program`);
    return -Errno.EIO;
  }

  /**
   * Finds size and file ID, from the cache where it can be trusted, and starts a change. A file that seems empty is always asked itself: a
   * new header over existing content would make all of it unreadable.
   * For an empty file a new header is made in the run buffer, but not yet written.
   * @returns 0, STALE or a negated errno
   */
  prepare(fd: number, file: number): number {
    const ws = this.ws;
    let size = ws.openFiles.cipherSize(file);
    if (size <= HEADER_LEN) {
      size = ws.statSize(fd);
      if (size < 0) return ws.backingError('doWrite: fstat', file, size);
      ws.openFiles.setCipherSize(file, size);
    }
    this.cipherSize = size;
    this.plainSize = ws.layout.cipherToPlain(size);
    this.isEmpty = size <= HEADER_LEN;
    this.safe.begin(fd, file, size);
    if (this.isEmpty) {
      ws.openFiles.forgetFileID(file);
      makeHeader(ws.cipher, 0);
      copyBytes(ws.cipher, FILE_ID_OFF, ws.fileID, 0, ws.fileID.length);
      return 0;
    }
    if (ws.openFiles.copyFileID(file, ws.fileID, 0)) return 0;
    const got = ws.pread(fd, ws.cipher, 0, HEADER_PROBE_LEN, 0);
    if (got < 0) return ws.backingError('doWrite', file, got);
    if (got < HEADER_PROBE_LEN) return STALE;
    return takeHeader(ws, 'doWrite', file, got) === HeaderState.Ok ? 0 : -Errno.EIO;
  }

  /**
   * Reads and opens an old block into `plain`, and keeps its stored bytes for a rollback.
   * @returns plaintext bytes, STALE or a negated errno
   */
  readOld(fd: number, file: number, blockNo: number, plain: Uint8Array): number {
    const ws = this.ws;
    const blockOff = ws.layout.blockCipherOffset(blockNo);
    const slot = this.safe.nextSlotOffset();
    const got = ws.pread(fd, this.safe.old, slot, ws.cipherBlockSize, blockOff);
    if (got < 0) return ws.backingError('doWrite: read-modify-write', file, got);
    if (got !== Math.min(ws.cipherBlockSize, this.cipherSize - blockOff)) return STALE;
    const len = ws.open(this.safe.old, slot, got, plain, 0, blockNo);
    if (len < 0) return corruptBlock(ws, 'doWrite', file, blockNo, this.safe.old, slot, got);
    this.safe.keepSlot(blockOff, got);
    return len;
  }

  /**
   * Fills a partial last block with zeros (format.md 7.7 step 1), so that the file may continue with a hole. Uses the run buffer behind
   * the header place. @returns 0, STALE or a negated errno
   */
  padLastBlock(fd: number, file: number): number {
    const ws = this.ws;
    const blockNo = ws.layout.blockNo(this.plainSize);
    const len = this.readOld(fd, file, blockNo, ws.head);
    if (len < 0) return len;
    ws.head.fill(0, len, BLOCK_SIZE);
    const sealed = ws.seal(ws.head, 0, BLOCK_SIZE, ws.cipher, HEADER_LEN, blockNo);
    return this.safe.pwrite(ws.cipher, HEADER_LEN, sealed, ws.layout.blockCipherOffset(blockNo));
  }

  /** Writes the header that `prepare` made, on its own. @returns 0 or a negated errno */
  writeHeader(): number {
    return this.safe.pwrite(this.ws.cipher, 0, HEADER_LEN, 0);
  }

  /** Ends a change that succeeded: notes the new stored size and a new file ID. */
  finish(file: number, cipherSize: number): void {
    const ws = this.ws;
    if (this.isEmpty) ws.openFiles.setFileID(file, ws.fileID, 0);
    ws.openFiles.setCipherSize(file, cipherSize);
  }

  private attempt(fd: number, file: number, off: number, src: Uint8Array, srcOff: number, len: number): number {
    let result = this.prepare(fd, file);
    if (result < 0) return result;
    result = this.change(fd, file, off, src, srcOff, len);
    if (result === STALE) return result;
    if (result < 0) {
      this.safe.rollback();
      return result;
    }
    this.finish(file, Math.max(this.cipherSize, result));
    return len;
  }

  /** @returns stored offset behind the last byte written, STALE (nothing written yet) or a negated errno (rollback is due) */
  private change(fd: number, file: number, off: number, src: Uint8Array, srcOff: number, len: number): number {
    const ws = this.ws;
    const end = off + len;
    const first = ws.layout.blockNo(off);
    const last = ws.layout.blockNo(end - 1);

    if (first > ws.layout.blockNo(this.plainSize) && this.plainSize % BLOCK_SIZE !== 0) {
      const padded = this.padLastBlock(fd, file);
      if (padded < 0) return padded;
    }

    const runLen = this.sealRun(fd, file, off, src, srcOff, len);
    if (runLen < 0) return runLen;
    const runOff = ws.layout.blockCipherOffset(first);

    const kept = this.keepPartialLast(fd, first, last);
    if (kept < 0) return kept;
    if (this.overwritesUnread(first, last)) {
      const reserved = this.safe.reserve(runOff, runLen);
      if (reserved < 0) return reserved;
    }
    let result: number;
    if (!this.isEmpty) {
      result = this.safe.pwrite(ws.cipher, HEADER_LEN, runLen, runOff);
    } else if (first === 0) {
      result = this.safe.pwrite(ws.cipher, 0, HEADER_LEN + runLen, 0);
    } else {
      // Header first: a crash in between leaves a file that counts as empty, the other way round one that counts as corrupt.
      result = this.writeHeader();
      if (result >= 0) result = this.safe.pwrite(ws.cipher, HEADER_LEN, runLen, runOff);
    }
    return result < 0 ? result : runOff + runLen;
  }

  /**
   * Keeps the stored bytes of a partial last block that the change covers completely: only with them can a rollback cut the file to its
   * old size without cutting a block. They are not opened, so that a corrupt block can still be repaired by writing over it.
   * @returns 0 or STALE
   */
  private keepPartialLast(fd: number, first: number, last: number): number {
    const ws = this.ws;
    if (this.plainSize % BLOCK_SIZE === 0) return 0;
    const blockNo = ws.layout.blockNo(this.plainSize);
    if (blockNo < first || blockNo > last || blockNo === this.lastKept) return 0;
    const blockOff = ws.layout.blockCipherOffset(blockNo);
    const got = ws.pread(fd, this.safe.old, this.safe.nextSlotOffset(), ws.cipherBlockSize, blockOff);
    // Unreadable: written over without a way back, as any block that nobody reads.
    if (got < 0) return 0;
    if (got !== this.cipherSize - blockOff) return STALE;
    this.safe.keepSlot(blockOff, got);
    this.keptBlocks++;
    return 0;
  }

  /** True if the change replaces old blocks, or a hole, whose bytes were not read and so cannot be put back. */
  private overwritesUnread(first: number, last: number): boolean {
    if (this.plainSize === 0) return false;
    const lastOld = Math.min(last, this.ws.layout.blockNo(this.plainSize - 1));
    return lastOld - first + 1 > this.keptBlocks;
  }

  /** Seals the new content of all affected blocks behind the header place of the run buffer. @returns stored bytes, STALE or a negated errno */
  private sealRun(fd: number, file: number, off: number, src: Uint8Array, srcOff: number, len: number): number {
    const ws = this.ws;
    const end = off + len;
    const last = ws.layout.blockNo(end - 1);
    let blockNo = ws.layout.blockNo(off);
    let from = srcOff;
    let at = HEADER_LEN;
    this.keptBlocks = 0;
    this.lastKept = -1;

    // First block: partial if it starts inside, or if it is also the last and old content lies behind it.
    const start = off - blockNo * BLOCK_SIZE;
    const firstEnd = Math.min(end - blockNo * BLOCK_SIZE, BLOCK_SIZE);
    if (start > 0 || firstEnd < this.oldLength(blockNo)) {
      const plain = this.merge(fd, file, blockNo, start, firstEnd, src, from, ws.head);
      if (plain < 0) return plain;
      at += ws.seal(ws.head, 0, plain, ws.cipher, at, blockNo);
      from += firstEnd - start;
      blockNo++;
    }
    if (blockNo > last) return at - HEADER_LEN;

    const lastEnd = end - last * BLOCK_SIZE;
    const isTailPartial = lastEnd < this.oldLength(last);
    const directEnd = isTailPartial ? last * BLOCK_SIZE : end;
    const direct = directEnd - blockNo * BLOCK_SIZE;
    if (direct > 0) {
      at += ws.seal(src, from, direct, ws.cipher, at, blockNo);
      from += direct;
    }
    if (isTailPartial) {
      const plain = this.merge(fd, file, last, 0, lastEnd, src, from, ws.tail);
      if (plain < 0) return plain;
      at += ws.seal(ws.tail, 0, plain, ws.cipher, at, last);
    }
    return at - HEADER_LEN;
  }

  /** Plaintext bytes that a block has before the change. */
  private oldLength(blockNo: number): number {
    return Math.max(0, Math.min(this.plainSize - blockNo * BLOCK_SIZE, BLOCK_SIZE));
  }

  /** Lays new bytes over the old content of a block, zeros in a gap. @returns plaintext bytes of the result, STALE or a negated errno */
  private merge(
    fd: number,
    file: number,
    blockNo: number,
    start: number,
    end: number,
    src: Uint8Array,
    from: number,
    plain: Uint8Array,
  ): number {
    let len = 0;
    if (this.oldLength(blockNo) > 0) {
      len = this.readOld(fd, file, blockNo, plain);
      if (len < 0) return len;
      this.keptBlocks++;
      this.lastKept = blockNo;
    }
    if (len < start) plain.fill(0, len, start);
    copyPart(src, from, plain, start, end - start);
    return Math.max(len, end);
  }
}
