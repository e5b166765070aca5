/** Hashed names: `gocryptfs.longname.HASH` and its `.name` file (format.md 8.5). */
import { encodeBase64Url } from '../../base/base64.ts';
import { asciiBytes, copyBytes, endsWith, equalBytes, startsWith } from '../../base/bytes.ts';
import { kernel } from '../../crypto/kernel.ts';
import { MAX_CIPHER_NAME_LEN } from './rules.ts';

/** What a backing name is by prefix and suffix alone. */
export const LongNameKind = {
  None: 0,
  /** The object itself; its encrypted name is in the `.name` file. */
  Content: 1,
  /** A file that holds an encrypted name. */
  NameFile: 2,
} as const;
export type LongNameKind = (typeof LongNameKind)[keyof typeof LongNameKind];

const PREFIX = asciiBytes('gocryptfs.longname.');
const SUFFIX = asciiBytes('.name');
const SHA256_LEN = 32;

/** Length of `gocryptfs.longname.HASH`, bytes. */
export function longNameLength(padded: boolean): number {
  return PREFIX.length + (padded ? 44 : 43);
}

/** Classifies a backing name; only vaults that hash names treat these specially. */
export function longNameKind(name: Uint8Array, off: number, len: number): LongNameKind {
  if (!startsWith(name, off, len, PREFIX)) return LongNameKind.None;
  return endsWith(name, off, len, SUFFIX) ? LongNameKind.NameFile : LongNameKind.Content;
}

/** True if `len` is a size that a `.name` file may have. */
export function isNameFileSize(len: number): boolean {
  return len >= 1 && len <= MAX_CIPHER_NAME_LEN;
}

/** Computes hashed names; owns its scratch. */
export class LongNameHasher {
  private readonly padded: boolean;
  private readonly digest = new Uint8Array(SHA256_LEN);
  private readonly hashText = new Uint8Array(44);

  constructor(padded: boolean) {
    this.padded = padded;
  }

  /** Writes `gocryptfs.longname.HASH` and a NUL for an encrypted name. @returns the length without the NUL */
  write(text: Uint8Array, off: number, len: number, dst: Uint8Array, dstOff: number): number {
    kernel.sha256(text, off, len, this.digest, 0);
    copyBytes(PREFIX, 0, dst, dstOff, PREFIX.length);
    const hashLen = encodeBase64Url(this.digest, 0, SHA256_LEN, dst, dstOff + PREFIX.length, this.padded);
    dst[dstOff + PREFIX.length + hashLen] = 0;
    return PREFIX.length + hashLen;
  }

  /** True if a backing name `gocryptfs.longname.HASH` belongs to the encrypted name found in its `.name` file. */
  matches(name: Uint8Array, off: number, len: number, text: Uint8Array, textOff: number, textLen: number): boolean {
    kernel.sha256(text, textOff, textLen, this.digest, 0);
    const hashLen = encodeBase64Url(this.digest, 0, SHA256_LEN, this.hashText, 0, this.padded);
    return len === PREFIX.length + hashLen && equalBytes(name, off + PREFIX.length, this.hashText, 0, hashLen);
  }
}

/** Appends `.name` and a NUL to a name that lies at `off`. @returns the length without the NUL */
export function appendNameSuffix(buf: Uint8Array, off: number, len: number): number {
  copyBytes(SUFFIX, 0, buf, off + len, SUFFIX.length);
  buf[off + len + SUFFIX.length] = 0;
  return len + SUFFIX.length;
}
