import { copyBytes } from '../../base/bytes.ts';
import { Errno } from '../../base/errno.ts';
import { pread } from '../../sys/files.ts';
import { sealRunDerived } from '../../vault/contents/blocks.ts';
import { writeHeader } from '../../vault/contents/header.ts';
import { BLOCK_SIZE, FILE_ID_LEN, HEADER_LEN } from '../../vault/contents/layout.ts';
import { SlowCallKind } from '../forward/slow-calls.ts';
import type { ReverseContext } from './context.ts';
import { OpenKind } from './open.ts';
import { findPlace, newPlace } from './place.ts';
import { NAME_FILE_PREFIX_LEN, ViewKind } from './view-names.ts';

/** Longest read the server hands on, bytes. */
const MAX_READ = 1 << 20;

/** Reads files of the view: what is asked for is encrypted at that moment. One per worker. */
export class ReverseReader {
  readonly #ctx: ReverseContext;
  /** Plaintext of the blocks that a request touches. */
  readonly #plain = new Uint8Array(MAX_READ + 2 * BLOCK_SIZE);
  /** A block of which only a part is wanted. */
  readonly #block: Uint8Array;
  readonly #header = new Uint8Array(HEADER_LEN);
  readonly #place = newPlace();

  constructor(ctx: ReverseContext) {
    this.#ctx = ctx;
    this.#block = new Uint8Array(ctx.layout.cipherBlockSize);
  }

  /** Bytes of an open file to dst. @returns how many, fewer than asked for only at the end of the file */
  read(handle: number, offset: number, size: number, dst: Uint8Array, dstOff: number): number {
    const { handles } = this.#ctx;
    if (!handles.isValid(handle)) return -Errno.EBADF;
    const file = handles.file(handle);
    switch (file) {
      case OpenKind.Virtual:
        return this.#readVirtual(handles.node(handle), offset, size, dst, dstOff);
      case OpenKind.Conf:
        return this.#readFully(handles.fd(handle), dst, dstOff, size, offset);
      default:
        return file > 0 ? this.#readSealed(handles.fd(handle), file, offset, size, dst, dstOff) : -Errno.EISDIR;
    }
  }

  #readSealed(fd: number, record: number, offset: number, size: number, dst: Uint8Array, dstOff: number): number {
    if (size === 0) return 0;
    const { layout, ids } = this.#ctx;
    const { cipherBlockSize } = layout;
    const end = offset + size;
    const first = layout.blockNoOfCipher(offset);
    const last = layout.blockNoOfCipher(end - 1);
    const got = this.#readFully(fd, this.#plain, 0, (last - first + 1) * BLOCK_SIZE, first * BLOCK_SIZE);
    // Nothing there: the end of the file, or an empty file, which has no header either.
    if (got <= 0) return got;
    let at = offset;
    if (at < HEADER_LEN) {
      writeHeader(this.#header, 0, ids.values, ids.valueOffset(record));
      const len = Math.min(HEADER_LEN - at, size);
      copyBytes(this.#header, at, dst, dstOff, len);
      at += len;
    }
    while (at < end) {
      const block = layout.blockNoOfCipher(at);
      const skip = at - layout.blockCipherOffset(block);
      const from = (block - first) * BLOCK_SIZE;
      if (from >= got) break;
      const to = dstOff + at - offset;
      const room = end - at;
      if (skip === 0 && room >= layout.sealedLength(Math.min(got - from, BLOCK_SIZE))) {
        // Blocks that are wanted as a whole go straight into the reply; a short one only at the end of the file.
        const whole = Math.floor(room / cipherBlockSize) * BLOCK_SIZE;
        const len = whole >= BLOCK_SIZE ? Math.min(got - from, whole) : got - from;
        at += this.#seal(record, from, len, dst, to, block);
        if (len % BLOCK_SIZE !== 0) break;
        continue;
      }
      const sealed = this.#seal(record, from, Math.min(got - from, BLOCK_SIZE), this.#block, 0, block);
      const len = Math.min(sealed - skip, room);
      if (len <= 0) break;
      copyBytes(this.#block, skip, dst, to, len);
      at += len;
      if (sealed < cipherBlockSize) break;
    }
    return at - offset;
  }

  #seal(record: number, from: number, len: number, dst: Uint8Array, dstOff: number, blockNo: number): number {
    const { parameters, ids } = this.#ctx;
    const id = ids.valueOffset(record);
    const { values } = ids;
    return sealRunDerived(parameters.contentKey, this.#plain, from, len, dst, dstOff, values, id, blockNo, values, id + FILE_ID_LEN);
  }

  #readVirtual(node: number, offset: number, size: number, dst: Uint8Array, dstOff: number): number {
    const ctx = this.#ctx;
    const { path, name, codec } = ctx;
    const place = this.#place;
    const result = findPlace(ctx, node, place);
    if (result < 0) return result === -Errno.ENOENT ? -Errno.ESTALE : result;
    path.done();
    if (place.dir === null) return -Errno.ESTALE;
    if (place.kind === ViewKind.DirIV) return slice(place.dir.iv, place.dir.iv.length, offset, size, dst, dstOff);
    const prefix = NAME_FILE_PREFIX_LEN;
    const encrypted = codec.encryptName(place.dir.iv, 0, path.name, prefix, path.len - prefix, name);
    return encrypted < 0 ? encrypted : slice(name.buf, name.textLen, offset, size, dst, dstOff);
  }

  #readFully(fd: number, dst: Uint8Array, dstOff: number, len: number, offset: number): number {
    const { slowCalls } = this.#ctx;
    let done = 0;
    while (done < len) {
      slowCalls.before(SlowCallKind.Read);
      const got = pread(fd, dst, dstOff + done, len - done, offset + done);
      slowCalls.after(SlowCallKind.Read);
      if (got < 0) return got;
      done += got;
      // Regular files give less than asked for at their end only; a block in the middle must not be taken for the last one.
      if (got === 0 || done === len) break;
    }
    return done;
  }
}

/** A part of a short text that starts at index 0 of `src`. */
function slice(src: Uint8Array, len: number, offset: number, size: number, dst: Uint8Array, dstOff: number): number {
  const count = Math.max(0, Math.min(size, len - offset));
  copyBytes(src, offset, dst, dstOff, count);
  return count;
}
