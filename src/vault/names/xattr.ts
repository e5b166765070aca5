/** Names and values of extended attributes (format.md 9.2, behaviour.md 6.17). */
import { decodeBase64Url } from '../../base/base64.ts';
import { asciiBytes, copyBytes, isBytes, startsWith } from '../../base/bytes.ts';
import { Errno } from '../../base/errno.ts';
import { type KeyHandle, kernel } from '../../crypto/kernel.ts';
import { NO_FILE_AD } from '../contents/layout.ts';
import type { VaultParameters } from '../parameters.ts';
import { MAX_NAME_LEN } from './rules.ts';

/** How an attribute name is treated. */
export const XattrClass = {
  /** Encrypted, or on the backing side: not ours. */
  Other: 0,
  /** An ACL: name and value pass through. */
  Acl: 1,
  /** On the backing side: an encrypted attribute. */
  Encrypted: 2,
  /** security.capability: reading it is EOPNOTSUPP without -suid. */
  Capability: 3,
} as const;
export type XattrClass = (typeof XattrClass)[keyof typeof XattrClass];

const PREFIX = asciiBytes('user.gocryptfs.');
const TWEAK = asciiBytes('xattr_name_iv_xx');
const ACL_ACCESS = asciiBytes('system.posix_acl_access');
const ACL_DEFAULT = asciiBytes('system.posix_acl_default');
const CAPABILITY = asciiBytes('security.capability');
const EMPTY = new Uint8Array(0);

/** Treatment of a plaintext attribute name: Acl, Capability or Other. */
export function classifyPlainXattr(name: Uint8Array, off: number, len: number): XattrClass {
  if (isAcl(name, off, len)) return XattrClass.Acl;
  return isBytes(name, off, len, CAPABILITY) ? XattrClass.Capability : XattrClass.Other;
}

/** Treatment of a backing attribute name: Acl, Encrypted or Other (invisible). */
export function classifyCipherXattr(name: Uint8Array, off: number, len: number): XattrClass {
  if (isAcl(name, off, len)) return XattrClass.Acl;
  return startsWith(name, off, len, PREFIX) ? XattrClass.Encrypted : XattrClass.Other;
}

function isAcl(name: Uint8Array, off: number, len: number): boolean {
  return isBytes(name, off, len, ACL_ACCESS) || isBytes(name, off, len, ACL_DEFAULT);
}

/** Encrypts and decrypts attributes of one vault; owns its buffers, one per thread. */
export class XattrCodec {
  /** Backing name of the last encryptName, followed by a NUL. */
  readonly cipherName = new Uint8Array(PREFIX.length + 352);
  /** Plaintext of the last decryptName, followed by a NUL. */
  readonly plainName = new Uint8Array(320);
  private readonly emeKey: KeyHandle;
  private readonly contentKey: KeyHandle;
  private readonly padded: boolean;

  constructor(parameters: VaultParameters) {
    this.emeKey = parameters.emeKey;
    this.contentKey = parameters.contentKey;
    this.padded = parameters.paddedBase64;
    copyBytes(PREFIX, 0, this.cipherName, 0, PREFIX.length);
  }

  /**
   * Backing name of an attribute, in `cipherName`.
   * @returns its length; −EINVAL if empty or with a NUL (a read answers EIO instead); −ERANGE if the result is longer than the
   *   kernel takes
   */
  encryptName(name: Uint8Array, off: number, len: number): number {
    if (len > MAX_NAME_LEN) return -Errno.ERANGE;
    if (len === 0 || hasNul(name, off, len)) return -Errno.EINVAL;
    const textLen = kernel.nameEncrypt(this.emeKey, TWEAK, 0, name, off, len, this.cipherName, PREFIX.length, this.padded);
    return PREFIX.length + textLen > MAX_NAME_LEN ? -Errno.ERANGE : PREFIX.length + textLen;
  }

  /** Plaintext of a backing name with our prefix, in `plainName`. @returns its length, or −1 if undecryptable */
  decryptName(name: Uint8Array, off: number, len: number): number {
    const textLen = len - PREFIX.length;
    if (textLen <= 0 || textLen > MAX_NAME_LEN) return -1;
    const plainLen = kernel.nameDecrypt(this.emeKey, TWEAK, 0, name, off + PREFIX.length, textLen, this.plainName, 0, this.padded);
    return plainLen > 0 && !hasNul(this.plainName, 0, plainLen) ? plainLen : -1;
  }

  /** Stored form of a value; an empty value stays empty. */
  encryptValue(value: Uint8Array): Uint8Array {
    return value.length === 0 ? EMPTY : kernel.sealOne(this.contentKey, null, value, NO_FILE_AD);
  }

  /** Stored form of a value with a given nonce: reverse mode (format.md 10.2). */
  encryptValueDerived(value: Uint8Array, nonce: Uint8Array): Uint8Array {
    return value.length === 0 ? EMPTY : kernel.sealOne(this.contentKey, nonce, value, NO_FILE_AD);
  }

  /** Value of its stored form, which very old versions wrote as base64url text; null if neither decrypts (EIO). */
  decryptValue(stored: Uint8Array): Uint8Array | null {
    if (stored.length === 0) return EMPTY;
    const value = kernel.openOne(this.contentKey, stored, NO_FILE_AD);
    if (value !== null) return value;
    const decoded = new Uint8Array(stored.length);
    const len = decodeBase64Url(stored, 0, stored.length, decoded, 0, this.padded);
    return len <= 0 ? null : kernel.openOne(this.contentKey, decoded.subarray(0, len), NO_FILE_AD);
  }
}

function hasNul(name: Uint8Array, off: number, len: number): boolean {
  for (let i = off; i < off + len; i++) if (name[i] === 0) return true;
  return false;
}
