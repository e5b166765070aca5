/** Values that reverse mode derives from paths instead of drawing them at random (format.md 10.1). */
import { asciiBytes } from '../../base/bytes.ts';
import { kernel } from '../../crypto/kernel.ts';

/** Length of a derived value, bytes. */
export const DERIVED_LEN = 16;

/** What a value is for; part of what is hashed. */
export const Purpose = {
  DirIV: asciiBytes('DIRIV'),
  FileID: asciiBytes('FILEID'),
  Block0IV: asciiBytes('BLOCK0IV'),
  SymlinkIV: asciiBytes('SYMLINKIV'),
  XattrIV: asciiBytes('XATTRIV'),
} as const;

const SHA256_LEN = 32;
const SLASH = 0x2f;

/**
 * Collects the path of an object in the view, piece by piece, and derives values from it. Keeps its buffer, so that nothing is allocated
 * once it has grown to the longest path.
 */
export class Derivation {
  #input = new Uint8Array(1024);
  #len = 0;
  readonly #digest = new Uint8Array(SHA256_LEN);

  /** Starts with the path of a directory; the root has the empty path. */
  start(directory: Uint8Array): this {
    this.#len = 0;
    return this.bytes(directory, 0, directory.length);
  }

  /** Goes to an entry of the object so far. */
  enter(name: Uint8Array, off: number, len: number): this {
    if (this.#len > 0) this.byte(SLASH);
    return this.bytes(name, off, len);
  }

  /** Appends one byte as it is. */
  byte(value: number): this {
    this.#reserve(1);
    this.#input[this.#len++] = value;
    return this;
  }

  /** Appends bytes as they are. */
  bytes(buf: Uint8Array, off: number, len: number): this {
    this.#reserve(len);
    const input = this.#input;
    for (let i = 0; i < len; i++) input[this.#len + i] = buf[off + i]!;
    this.#len += len;
    return this;
  }

  /** A copy of the path so far. */
  path(): Uint8Array {
    return this.#input.slice(0, this.#len);
  }

  /** Writes the DERIVED_LEN bytes of a purpose to dst; the path stays as it is. */
  derive(purpose: Uint8Array, dst: Uint8Array, dstOff: number): void {
    const end = this.#len;
    this.byte(0).bytes(purpose, 0, purpose.length);
    kernel.sha256(this.#input, 0, this.#len, this.#digest, 0);
    this.#len = end;
    for (let i = 0; i < DERIVED_LEN; i++) dst[dstOff + i] = this.#digest[i]!;
  }

  #reserve(more: number): void {
    if (this.#len + more <= this.#input.length) return;
    const larger = new Uint8Array(Math.max(2 * this.#input.length, this.#len + more));
    larger.set(this.#input);
    this.#input = larger;
  }
}
