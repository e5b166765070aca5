/** Symbolic link targets (format.md 9.1). */
import { base64UrlLength, decodeBase64Url, encodeBase64Url } from '../../base/base64.ts';
import { type KeyHandle, kernel } from '../../crypto/kernel.ts';
import { NO_FILE_AD } from '../contents/layout.ts';
import type { VaultParameters } from '../parameters.ts';

/** Encrypts and decrypts link targets of one vault; with plaintext names they pass through. */
export class SymlinkCodec {
  private readonly contentKey: KeyHandle;
  private readonly plaintextNames: boolean;
  private readonly padded: boolean;

  constructor(parameters: VaultParameters) {
    this.contentKey = parameters.contentKey;
    this.plaintextNames = parameters.plaintextNames;
    this.padded = parameters.paddedBase64;
  }

  /** Stored form of a target, followed by a NUL that is part of the array; an empty target stays empty. */
  encryptTarget(target: Uint8Array, off: number, len: number): Uint8Array {
    const plain = target.subarray(off, off + len);
    if (len === 0 || this.plaintextNames) {
      const copy = new Uint8Array(len + 1);
      copy.set(plain);
      return copy;
    }
    const sealed = kernel.sealOne(this.contentKey, null, plain, NO_FILE_AD);
    const text = new Uint8Array(base64UrlLength(sealed.length, this.padded) + 1);
    encodeBase64Url(sealed, 0, sealed.length, text, 0, this.padded);
    return text;
  }

  /** Stored form of a target with a given nonce, without NUL: reverse mode (format.md 10.2). */
  encryptTargetDerived(target: Uint8Array, nonce: Uint8Array): Uint8Array {
    if (target.length === 0 || this.plaintextNames) return target;
    const sealed = kernel.sealOne(this.contentKey, nonce, target, NO_FILE_AD);
    const text = new Uint8Array(base64UrlLength(sealed.length, this.padded));
    encodeBase64Url(sealed, 0, sealed.length, text, 0, this.padded);
    return text;
  }

  /** Length of the stored form of a target of `len` bytes. */
  storedLength(len: number, overhead: number): number {
    return len === 0 || this.plaintextNames ? len : base64UrlLength(len + overhead, this.padded);
  }

  /** Target of its stored form, without NUL; null if it does not decrypt (readlink: EIO, stat: size 0). */
  decryptTarget(text: Uint8Array, off: number, len: number): Uint8Array | null {
    if (len === 0 || this.plaintextNames) return text.slice(off, off + len);
    const sealed = new Uint8Array(len);
    const sealedLen = decodeBase64Url(text, off, len, sealed, 0, this.padded);
    return sealedLen <= 0 ? null : kernel.openOne(this.contentKey, sealed.subarray(0, sealedLen), NO_FILE_AD);
  }
}
