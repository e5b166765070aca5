/** From the master key to the two keys of a vault (format.md 5). */
import { createHash } from 'node:crypto';
import { AegisError } from '../base/errors.ts';
import { KeyKind } from '../native.ts';
import { hkdfSha256 } from './hkdf.ts';
import { type KeyHandle, kernel } from './kernel.ts';
import type { CipherRow } from './registry.ts';

/** Length of a stored master key, bytes, whatever the cipher. */
export const MASTER_KEY_LEN = 32;

const EME_INFO = 'EME filename encryption';

/** Raw derived keys; whoever asks for them zeroes them. */
export interface DerivedKeyBytes {
  readonly contentKey: Uint8Array;
  readonly emeKey: Uint8Array;
}

/** The two keys of an unlocked vault, in locked memory. */
export interface VaultKeys {
  readonly contentKey: KeyHandle;
  readonly emeKey: KeyHandle;
}

/**
 * Derives content key and EME key; the master key is left as it is.
 * @param hkdf whether the vault has the HKDF flag
 * @throws AegisError 'usage' for a cipher that exists only with HKDF
 */
export function deriveKeyBytes(masterKey: Uint8Array, cipher: CipherRow, hkdf: boolean): DerivedKeyBytes {
  if (masterKey.length !== MASTER_KEY_LEN) throw new Error(`master key of ${masterKey.length} bytes`);
  const used = masterKey.slice(0, cipher.masterKeyLen);
  try {
    if (hkdf) {
      return { contentKey: hkdfSha256(used, cipher.hkdfInfo, cipher.keyLen), emeKey: hkdfSha256(used, EME_INFO, cipher.emeKeyLen) };
    }
    return { contentKey: contentKeyWithoutHkdf(used, cipher), emeKey: used.slice() };
  } finally {
    kernel.zero(used);
  }
}

function contentKeyWithoutHkdf(used: Uint8Array, cipher: CipherRow): Uint8Array {
  switch (cipher.withoutHkdf) {
    case 'master':
      return used.slice();
    case 'sha512':
      return new Uint8Array(createHash('sha512').update(used).digest());
    case 'impossible':
      throw new AegisError('usage', `${cipher.displayName} requires HKDF`);
  }
}

/**
 * Derives the keys of a vault into locked memory and wipes every copy made on the way; the caller zeroes the master key.
 * @throws AegisError 'usage' for a cipher that exists only with HKDF
 */
export function deriveKeys(masterKey: Uint8Array, cipher: CipherRow, hkdf: boolean): VaultKeys {
  const bytes = deriveKeyBytes(masterKey, cipher, hkdf);
  try {
    const contentKey = kernel.keyCreate(cipher.kind, bytes.contentKey);
    try {
      return { contentKey, emeKey: kernel.keyCreate(KeyKind.Eme, bytes.emeKey) };
    } catch (error) {
      kernel.keyFree(contentKey);
      throw error;
    }
  } finally {
    kernel.zero(bytes.contentKey);
    kernel.zero(bytes.emeKey);
  }
}
