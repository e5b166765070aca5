/** Granularity of the arena, bytes; positions are counted in these units so that they fit a word at any size. */
const UNIT = 8;
/** Longest name kept, bytes: more than any filesystem allows. */
export const MAX_NAME_BYTES = 512;
const CLASSES = MAX_NAME_BYTES / UNIT;
const STATE_WORDS = CLASSES + 4;

/**
 * Storage for names: blocks in multiples of 8 bytes, one free list per size, cut off the end when a list is empty.
 * Position 0 means "none". Nothing here locks.
 */
export class Arena {
  readonly bytes: Uint8Array;
  readonly #words: Int32Array;
  readonly #units: number;

  /** `size` in bytes, as given to `bytes()`; `byteOffset` a multiple of 8. */
  constructor(sab: SharedArrayBuffer, byteOffset: number, size: number) {
    this.#words = new Int32Array(sab, byteOffset, STATE_WORDS + size / 4);
    this.bytes = new Uint8Array(sab, byteOffset + STATE_WORDS * 4, size);
    this.#units = size / UNIT;
  }

  /** Bytes taken by an arena for `size` bytes of names (a multiple of 8). */
  static bytes(size: number): number {
    return STATE_WORDS * 4 + size;
  }

  /** Byte offset inside `bytes` of a position. */
  static byteOffset(position: number): number {
    return position * UNIT;
  }

  /** Copies a name in. @returns its position, or 0 if there is no room */
  store(buf: Uint8Array, off: number, len: number): number {
    const size = Math.max(1, (len + UNIT - 1) >>> 3);
    if (size > CLASSES) return 0;
    const words = this.#words;
    let position = words[size]!;
    if (position !== 0) {
      words[size] = words[STATE_WORDS + position * 2]!;
    } else {
      position = Math.max(1, words[0]!);
      if (position + size > this.#units) return 0;
      words[0] = position + size;
    }
    const bytes = this.bytes;
    const at = position * UNIT;
    for (let i = 0; i < len; i++) bytes[at + i] = buf[off + i]!;
    return position;
  }

  /** Frees the block of a name of `len` bytes. */
  release(position: number, len: number): void {
    const size = Math.max(1, (len + UNIT - 1) >>> 3);
    this.#words[STATE_WORDS + position * 2] = this.#words[size]!;
    this.#words[size] = position;
  }

  /** True if the `len` bytes at a position are those at buf[off…]. */
  equals(position: number, buf: Uint8Array, off: number, len: number): boolean {
    const bytes = this.bytes;
    const at = position * UNIT;
    for (let i = 0; i < len; i++) if (bytes[at + i] !== buf[off + i]) return false;
    return true;
  }
}
