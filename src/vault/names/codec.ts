/** Plaintext names to backing names and back (format.md 8, behaviour.md 6.4). */
import { base64UrlLength } from '../../base/base64.ts';
import { asciiBytes, copyBytes, isBytes } from '../../base/bytes.ts';
import { type KeyHandle, kernel } from '../../crypto/kernel.ts';
import type { VaultParameters } from '../parameters.ts';
import { DiskName } from './disk-name.ts';
import { appendNameSuffix, LongNameHasher, LongNameKind, longNameKind } from './long-name.ts';
import { CONF_NAME, checkName, DIR_IV_NAME, isDotName, MAX_CIPHER_NAME_LEN, MAX_NAME_LEN } from './rules.ts';

/** What an entry of a backing directory is, before any decryption (format.md 8.6). */
export const EntryKind = {
  /** '.' or '..'. */
  Dot: 0,
  /** The configuration file in the root. */
  Conf: 1,
  /** gocryptfs.diriv of a vault that has such files. */
  DirIV: 2,
  /** gocryptfs.longname.HASH. */
  LongName: 3,
  /** gocryptfs.longname.HASH.name. */
  LongNameFile: 4,
  /** Anything else: hand it to decryptName. */
  Name: 5,
} as const;
export type EntryKind = (typeof EntryKind)[keyof typeof EntryKind];

const CONF = asciiBytes(CONF_NAME);
const DIR_IV = asciiBytes(DIR_IV_NAME);

/** Room that nameDecrypt needs for the longest text, bytes. */
const PLAIN_ROOM = 320;

/**
 * Encrypts and decrypts names of one vault. Owns its buffers and allocates nothing per call; one per thread.
 * With plaintext names everything passes through.
 */
export class NameCodec {
  readonly plaintextNames: boolean;
  /** Whether long names are hashed here. */
  readonly longNames: boolean;
  /** Whether directories have a gocryptfs.diriv. */
  readonly dirIV: boolean;
  readonly paddedBase64: boolean;
  readonly emeKey: KeyHandle;
  /** Result of encryptName unless another one is handed in. */
  readonly disk = new DiskName();
  /** Plaintext of the last decryptName, followed by a NUL. */
  readonly plain = new Uint8Array(PLAIN_ROOM);
  private readonly longNameMax: number;
  private readonly hasher: LongNameHasher;

  constructor(parameters: VaultParameters) {
    this.plaintextNames = parameters.plaintextNames;
    this.longNames = parameters.longNames && !parameters.plaintextNames;
    this.dirIV = parameters.dirIV;
    this.paddedBase64 = parameters.paddedBase64;
    this.emeKey = parameters.emeKey;
    this.longNameMax = parameters.longNameMax;
    this.hasher = new LongNameHasher(parameters.paddedBase64);
  }

  /**
   * Backing name of a plaintext name.
   * @param iv IV of the parent directory (ZERO_IV with deterministic names; unused with plaintext names)
   * @param out where the result goes
   * @returns 0, −ENAMETOOLONG or −EBADMSG for a name that is none (format.md 8.1)
   */
  encryptName(iv: Uint8Array, ivOff: number, name: Uint8Array, off: number, len: number, out: DiskName = this.disk): number {
    const invalid = checkName(name, off, len);
    if (invalid !== 0) return invalid;
    out.off = out.textOff;
    out.isLong = false;
    if (this.plaintextNames) {
      copyBytes(name, off, out.buf, out.textOff, len);
      out.buf[out.textOff + len] = 0;
      out.textLen = len;
      out.len = len;
      return 0;
    }
    out.textLen = kernel.nameEncrypt(this.emeKey, iv, ivOff, name, off, len, out.buf, out.textOff, this.paddedBase64);
    out.len = out.textLen;
    if (this.longNames && out.textLen > this.longNameMax) this.hashName(out);
    return 0;
  }

  /**
   * Plaintext of an encrypted name: a backing name, or the content of a `.name` file. The result is in `plain`.
   * @returns its length, or −1 if it is not the encryption of a valid name (format.md 8.3)
   */
  decryptName(iv: Uint8Array, ivOff: number, text: Uint8Array, off: number, len: number): number {
    if (this.plaintextNames) {
      if (len > MAX_NAME_LEN) return -1;
      copyBytes(text, off, this.plain, 0, len);
      this.plain[len] = 0;
      return len;
    }
    const plainLen = this.decryptText(iv, ivOff, text, off, len);
    return plainLen > 0 && checkName(this.plain, 0, plainLen) === 0 ? plainLen : -1;
  }

  /** Like decryptName with steps 1 to 4 of format.md 8.3 only: the result need not be a valid name. */
  decryptText(iv: Uint8Array, ivOff: number, text: Uint8Array, off: number, len: number): number {
    if (len === 0 || len > MAX_CIPHER_NAME_LEN) return -1;
    return kernel.nameDecrypt(this.emeKey, iv, ivOff, text, off, len, this.plain, 0, this.paddedBase64);
  }

  /** What a backing name is; `isRoot` says whether it lies in the root of the vault. */
  classify(name: Uint8Array, off: number, len: number, isRoot: boolean): EntryKind {
    if (isDotName(name, off, len)) return EntryKind.Dot;
    if (isRoot && isBytes(name, off, len, CONF)) return EntryKind.Conf;
    if (this.dirIV && isBytes(name, off, len, DIR_IV)) return EntryKind.DirIV;
    if (!this.longNames) return EntryKind.Name;
    const kind = longNameKind(name, off, len);
    if (kind === LongNameKind.None) return EntryKind.Name;
    return kind === LongNameKind.Content ? EntryKind.LongName : EntryKind.LongNameFile;
  }

  /** True if `gocryptfs.longname.HASH` is the right name for the encrypted name in its `.name` file. */
  checkLongName(name: Uint8Array, off: number, len: number, text: Uint8Array, textOff: number, textLen: number): boolean {
    return this.hasher.matches(name, off, len, text, textOff, textLen);
  }

  /** True for the one name that cannot be used: gocryptfs.conf in the root of a vault with plaintext names (EPERM). */
  isReserved(name: Uint8Array, off: number, len: number, isRoot: boolean): boolean {
    return this.plaintextNames && isRoot && isBytes(name, off, len, CONF);
  }

  /** Length of the encrypted form of a name of `len` bytes, before hashing. */
  encryptedLength(len: number): number {
    return this.plaintextNames ? len : base64UrlLength((Math.floor(len / 16) + 1) * 16, this.paddedBase64);
  }

  /** True if names of `len` bytes are hashed. */
  hashes(len: number): boolean {
    return this.longNames && this.encryptedLength(len) > this.longNameMax;
  }

  private hashName(out: DiskName): void {
    out.isLong = true;
    out.off = out.longOff;
    out.len = this.hasher.write(out.buf, out.textOff, out.textLen, out.buf, out.longOff);
    copyBytes(out.buf, out.longOff, out.buf, out.nameFileOff, out.len);
    out.nameFileLen = appendNameSuffix(out.buf, out.nameFileOff, out.len);
  }
}
