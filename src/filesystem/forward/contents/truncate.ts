import { Errno } from '../../../base/errno.ts';
import { BLOCK_SIZE, HEADER_LEN } from '../../../vault/contents/layout.ts';
import { corruptBlock } from './damage.ts';
import type { Workspace } from './workspace.ts';
import { STALE, type Writer } from './write.ts';

/** Changes the plaintext size (format.md 7.8). Needs the exclusive content lock. */
export class Truncator {
  private readonly ws: Workspace;
  private readonly writer: Writer;
  private readonly zero = new Uint8Array(1);

  constructor(ws: Workspace, writer: Writer) {
    this.ws = ws;
    this.writer = writer;
  }

  /** @returns 0, or a negated errno after which the file reads as before */
  truncate(fd: number, file: number, size: number): number {
    const ws = this.ws;
    if (size < 0) return -Errno.EINVAL;
    if (size === 0) return this.empty(fd, file);
    if (this.writer.isBeyondLimit(size)) return -Errno.EFBIG;
    // Not a hot path: ask the file, whatever the cache says.
    ws.openFiles.forgetCipherSize(file);
    let result = this.attempt(fd, file, size);
    if (result === STALE) {
      this.writer.forget(file);
      result = this.attempt(fd, file, size);
      if (result === STALE) return this.writer.keepsChanging(file);
    }
    return result;
  }

  /** Grows the file to `size` bytes if it is shorter. @returns 0 or a negated errno */
  growTo(fd: number, file: number, size: number): number {
    const ws = this.ws;
    const cipherSize = ws.statSize(fd);
    if (cipherSize < 0) return ws.backingError('fallocate: fstat', file, cipherSize);
    ws.openFiles.noteCipherSize(file, cipherSize);
    return ws.layout.cipherToPlain(cipherSize) >= size ? 0 : this.truncate(fd, file, size);
  }

  /** The header goes too; the next write makes a new file ID. */
  private empty(fd: number, file: number): number {
    const ws = this.ws;
    const result = ws.sys.ftruncate(fd, 0);
    if (result < 0) return ws.backingError('truncate', file, result);
    ws.openFiles.forgetFileID(file);
    ws.openFiles.setCipherSize(file, 0);
    return 0;
  }

  private attempt(fd: number, file: number, size: number): number {
    const writer = this.writer;
    const prepared = writer.prepare(fd, file);
    if (prepared < 0) return prepared;
    if (size === writer.plainSize) return 0;
    if (size < writer.plainSize) return this.shrink(fd, file, size);
    const last = this.ws.layout.blockNo(size - 1);
    const isSameBlock = writer.plainSize > 0 && this.ws.layout.blockNo(writer.plainSize - 1) === last;
    if (isSameBlock || size % BLOCK_SIZE !== 0) {
      const written = writer.write(fd, file, size - 1, this.zero, 0, 1);
      return Math.min(written, 0);
    }
    return this.growByHole(fd, file, size);
  }

  /**
   * Shrinks to `size` > 0. A cut inside a block needs that block sealed anew, shorter, so two calls: write and cut.
   *
   * The block is written first, at its old place, then the file is cut to its exact end. Cutting first (to the start of the block) and
   * appending the rest, as the format describes it, needs new space for bytes that were safe before: out of space, they would be gone.
   * Here every failure can be undone: a failed write puts the old block back, where it has just been, and so does a failed cut.
   * If program or machine stops between the two calls, either order loses the same at most 4095 bytes of this one block. Here all
   * other blocks, those behind the cut included, are still there, and the loss shows as an error when the block is read, not as a file
   * that silently ends early. If only the program stopped, the shorter block is complete: cutting the file behind it makes it whole.
   */
  private shrink(fd: number, file: number, size: number): number {
    const { ws, writer } = this;
    const blockNo = ws.layout.blockNo(size);
    const keep = size - blockNo * BLOCK_SIZE;
    const blockOff = ws.layout.blockCipherOffset(blockNo);
    let result = 0;
    let newSize = blockOff;
    if (keep > 0) {
      const plain = writer.readOld(fd, file, blockNo, ws.head);
      if (plain < 0) return plain;
      // The size shown for a damaged last block is a guess (format.md 7.6); such a block did not open.
      if (plain < keep) return corruptBlock(ws, 'truncate', file, blockNo, writer.safe.old, 0, 0);
      const sealed = ws.seal(ws.head, 0, keep, ws.cipher, HEADER_LEN, blockNo);
      result = writer.safe.pwrite(ws.cipher, HEADER_LEN, sealed, blockOff);
      newSize += sealed;
    }
    return this.resize(fd, file, result, newSize);
  }

  /** Grows to a multiple of the block size behind the last block: nothing but a hole (and a header, and the padding before the hole). */
  private growByHole(fd: number, file: number, size: number): number {
    const { ws, writer } = this;
    let result = 0;
    if (writer.isEmpty) result = writer.writeHeader();
    else if (writer.plainSize % BLOCK_SIZE !== 0) result = writer.padLastBlock(fd, file);
    if (result === STALE) return result;
    return this.resize(fd, file, result, ws.layout.plainToCipher(size));
  }

  /** Last step of a change: the stored size, unless a step before it failed (`before` < 0). @returns 0 or a negated errno */
  private resize(fd: number, file: number, before: number, cipherSize: number): number {
    const { ws, writer } = this;
    let result = before;
    if (result >= 0) {
      result = ws.sys.ftruncate(fd, cipherSize);
      if (result < 0) ws.backingError('truncate', file, result);
    }
    if (result < 0) {
      writer.safe.rollback();
      return result;
    }
    writer.finish(file, cipherSize);
    return 0;
  }
}
