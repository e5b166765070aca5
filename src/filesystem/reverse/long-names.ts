import { DIRENT_NAME, DIRENT_RECLEN } from '../../sys/constants.ts';
import { getdents64, seekdir } from '../../sys/files.ts';
import type { NameCodec } from '../../vault/names/codec.ts';
import { DiskName } from '../../vault/names/disk-name.ts';

/** Hashed names remembered by one worker. */
const MAX_KNOWN = 8192;
const BUFFER_LEN = 32768;

/**
 * Finds the plain name behind `gocryptfs.longname.HASH` by going through the directory. What a hash stands for never changes, so names
 * once seen are remembered; whether they still exist is for the caller to see.
 */
export class LongNames {
  readonly #codec: NameCodec;
  readonly #known = new Map<string, Uint8Array>();
  readonly #buffer = new Uint8Array(BUFFER_LEN);
  readonly #disk = new DiskName();

  constructor(codec: NameCodec) {
    this.#codec = codec;
  }

  /** Remembers the plain name of a hashed one, which lies at shown[off…]. */
  remember(shown: Uint8Array, off: number, len: number, plain: Uint8Array, plainOff: number, plainLen: number): void {
    const key = textOf(shown, off, len);
    if (this.#known.has(key)) return;
    if (this.#known.size >= MAX_KNOWN) this.#known.clear();
    this.#known.set(key, plain.slice(plainOff, plainOff + plainLen));
  }

  /** The plain name of a hashed one that was seen before, or undefined. */
  recall(shown: Uint8Array, off: number, len: number): Uint8Array | undefined {
    return this.#known.get(textOf(shown, off, len));
  }

  /**
   * Goes through an open directory.
   * @param fd - open for reading
   * @returns the plain name, undefined if there is none, or a negated errno
   */
  search(fd: number, iv: Uint8Array, shown: Uint8Array, off: number, len: number): Uint8Array | number | undefined {
    const key = textOf(shown, off, len);
    const buffer = this.#buffer;
    const disk = this.#disk;
    const sought = seekdir(fd, 0, 0);
    if (sought < 0) return sought;
    for (;;) {
      const got = getdents64(fd, buffer, 0, BUFFER_LEN);
      if (got <= 0) return got < 0 ? got : undefined;
      for (let at = 0; at < got; at += buffer[at + DIRENT_RECLEN]! | (buffer[at + DIRENT_RECLEN + 1]! << 8)) {
        const nameAt = at + DIRENT_NAME;
        const nameLen = buffer.indexOf(0, nameAt) - nameAt;
        if (!this.#codec.hashes(nameLen) || this.#codec.encryptName(iv, 0, buffer, nameAt, nameLen, disk) < 0) continue;
        this.remember(disk.buf, disk.off, disk.len, buffer, nameAt, nameLen);
        if (textOf(disk.buf, disk.off, disk.len) === key) return buffer.slice(nameAt, nameAt + nameLen);
      }
    }
  }
}

function textOf(buf: Uint8Array, off: number, len: number): string {
  return Buffer.from(buf.buffer, buf.byteOffset + off, len).toString('latin1');
}
