import { Errno } from '../../../base/errno.ts';
import { HeaderState } from '../../../vault/contents/header.ts';
import { BLOCK_SIZE, HEADER_LEN } from '../../../vault/contents/layout.ts';
import { copyPart } from './copy-part.ts';
import { corruptBlock, takeHeader } from './damage.ts';
import { MAX_REQUEST, type Workspace } from './workspace.ts';

/** Reads plaintext: one pread, one openRun straight into the reply; blocks that are only partly wanted take a detour of one block. */
export class Reader {
  private readonly ws: Workspace;

  constructor(ws: Workspace) {
    this.ws = ws;
  }

  /** Needs the content lock, shared. @returns bytes placed at dst[dstOff…], fewer than `size` only at the end of the file; −EIO */
  read(fd: number, file: number, off: number, size: number, dst: Uint8Array, dstOff: number): number {
    if (size === 0) return 0;
    const ws = this.ws;
    if (size > MAX_REQUEST || off < 0) {
      ws.log.warn(`doRead ${ws.inoText(file)}: impossible request, offset ${off}, ${size} bytes`);
      return -Errno.EINVAL;
    }
    const first = Math.floor(off / BLOCK_SIZE);
    const blocks = Math.floor((off + size - 1) / BLOCK_SIZE) - first + 1;
    const runLen = blocks * ws.cipherBlockSize;
    const runOff = HEADER_LEN + first * ws.cipherBlockSize;
    // No file reaches so far: writes beyond are refused with EFBIG.
    if (runOff > Number.MAX_SAFE_INTEGER) return 0;

    // The header is fetched along with the first block, or else once on its own.
    let got: number;
    if (ws.openFiles.copyFileID(file, ws.fileID, 0)) {
      got = ws.pread(fd, ws.cipher, HEADER_LEN, runLen, runOff);
    } else if (first === 0) {
      got = ws.pread(fd, ws.cipher, 0, HEADER_LEN + runLen, 0);
      if (got > 0) {
        const state = takeHeader(ws, 'doRead', file, got);
        if (state !== HeaderState.Ok) return state === HeaderState.Corrupt ? -Errno.EIO : 0;
        got -= HEADER_LEN;
      }
    } else {
      got = ws.pread(fd, ws.cipher, 0, HEADER_LEN + 1, 0);
      if (got > 0) {
        const state = takeHeader(ws, 'doRead', file, got);
        if (state !== HeaderState.Ok) return state === HeaderState.Corrupt ? -Errno.EIO : 0;
        got = ws.pread(fd, ws.cipher, HEADER_LEN, runLen, runOff);
      }
    }
    if (got < 0) return ws.backingError('doRead', file, got);
    if (got === 0) return 0;
    return this.open(file, got, first, off - first * BLOCK_SIZE, size, dst, dstOff);
  }

  /** Opens the `len` stored bytes behind the header place of the run buffer; `skip` bytes of the first block are not wanted. */
  private open(file: number, len: number, firstBlockNo: number, skip: number, size: number, dst: Uint8Array, dstOff: number): number {
    const ws = this.ws;
    const cbs = ws.cipherBlockSize;
    const end = HEADER_LEN + len;
    let at = HEADER_LEN;
    let blockNo = firstBlockNo;
    let out = dstOff;
    let want = size;

    if (skip > 0) {
      const stored = Math.min(cbs, end - at);
      const plain = ws.open(ws.cipher, at, stored, ws.head, 0, blockNo);
      if (plain < 0) return corruptBlock(ws, 'doRead', file, blockNo, ws.cipher, at, stored);
      const count = Math.min(plain - skip, want);
      if (count <= 0) return 0;
      copyPart(ws.head, skip, dst, out, count);
      at += stored;
      out += count;
      want -= count;
      blockNo++;
    }

    // Whole blocks, and a last block that is short because the file ends there, go straight to their place.
    const wholeBlocks = Math.floor(want / BLOCK_SIZE);
    let direct = end - at;
    if (direct > wholeBlocks * cbs) {
      const rest = direct - wholeBlocks * cbs;
      if (rest > cbs || rest - ws.overhead > want - wholeBlocks * BLOCK_SIZE) direct = wholeBlocks * cbs;
    }
    if (direct > 0) {
      const plain = ws.open(ws.cipher, at, direct, dst, out, blockNo);
      if (plain < 0) {
        const bad = -1 - plain;
        return corruptBlock(ws, 'doRead', file, blockNo + bad, ws.cipher, at + bad * cbs, Math.min(cbs, direct - bad * cbs));
      }
      at += direct;
      out += plain;
      want -= plain;
      blockNo += wholeBlocks;
    }

    if (want > 0 && at < end) {
      const stored = Math.min(cbs, end - at);
      const plain = ws.open(ws.cipher, at, stored, ws.tail, 0, blockNo);
      if (plain < 0) return corruptBlock(ws, 'doRead', file, blockNo, ws.cipher, at, stored);
      const count = Math.min(plain, want);
      copyPart(ws.tail, 0, dst, out, count);
      out += count;
    }
    return out - dstOff;
  }
}
