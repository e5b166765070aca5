/** The wrapped master key of a configuration (format.md 4.4, 4.8). */
import { fromHex } from '../../base/bytes.ts';
import { AegisError } from '../../base/errors.ts';
import { hkdfSha256 } from '../../crypto/hkdf.ts';
import { KeyKind, kernel } from '../../crypto/kernel.ts';
import { MASTER_KEY_LEN } from '../../crypto/keys.ts';
import { cipherById } from '../../crypto/registry.ts';
import { SCRYPT_KEY_LEN, type ScryptCost, scrypt } from '../../crypto/scrypt.ts';
import { NO_FILE_AD } from '../contents/layout.ts';
import { Flag } from './flags.ts';
import { hasFlag, type ScryptObject, type VaultConfig } from './schema.ts';

/**
 * Key that wraps the master key: scrypt of the password, with HKDF on top where the vault has it. The caller zeroes it.
 * @throws AegisError 'scrypt-params'
 */
export function deriveWrapKey(password: Uint8Array, salt: Uint8Array, cost: ScryptCost, hkdf: boolean): Uint8Array {
  const hash = scrypt(password, salt, cost);
  if (!hkdf) return hash;
  try {
    return hkdfSha256(hash, cipherById('aes-gcm').hkdfInfo, SCRYPT_KEY_LEN);
  } finally {
    kernel.zero(hash);
  }
}

/** Wraps a master key: `nonce ‖ ciphertext ‖ tag`; the nonce is random unless one is given. */
export function sealMasterKey(wrapKey: Uint8Array, masterKey: Uint8Array, hkdf: boolean, nonce: Uint8Array | null = null): Uint8Array {
  const key = kernel.keyCreate(wrapKind(hkdf), wrapKey);
  try {
    return kernel.sealOne(key, nonce, masterKey, NO_FILE_AD);
  } finally {
    kernel.keyFree(key);
  }
}

/** Unwraps a master key; null if it is too short, has a zero nonce, does not authenticate or has the wrong length. */
export function openMasterKey(wrapKey: Uint8Array, encryptedKey: Uint8Array, hkdf: boolean): Uint8Array | null {
  const key = kernel.keyCreate(wrapKind(hkdf), wrapKey);
  try {
    const opened = kernel.openOne(key, encryptedKey, NO_FILE_AD);
    if (opened === null || opened.length === MASTER_KEY_LEN) return opened;
    kernel.zero(opened);
    return null;
  } finally {
    kernel.keyFree(key);
  }
}

/**
 * Unlocks a configuration with a password (or the secret of a FIDO2 token). The caller zeroes password and result.
 * @throws AegisError 'wrong-password' or 'scrypt-params'
 */
export function unwrapMasterKey(config: VaultConfig, password: Uint8Array): Uint8Array {
  const hkdf = hasFlag(config, Flag.HKDF);
  const wrapKey = deriveWrapKey(password, config.ScryptObject.Salt, config.ScryptObject, hkdf);
  try {
    const masterKey = openMasterKey(wrapKey, config.EncryptedKey, hkdf);
    if (masterKey === null) throw new AegisError('wrong-password', 'the wrapped master key does not authenticate');
    return masterKey;
  } finally {
    kernel.zero(wrapKey);
  }
}

/** Wraps a master key under a password with given scrypt parameters. @throws AegisError 'scrypt-params' */
export function wrapMasterKey(masterKey: Uint8Array, password: Uint8Array, scryptObject: ScryptObject, hkdf: boolean): Uint8Array {
  if (masterKey.length !== MASTER_KEY_LEN) throw new Error(`master key of ${masterKey.length} bytes`);
  const wrapKey = deriveWrapKey(password, scryptObject.Salt, scryptObject, hkdf);
  try {
    return sealMasterKey(wrapKey, masterKey, hkdf);
  } finally {
    kernel.zero(wrapKey);
  }
}

/**
 * Reads a master key as -masterkey takes it: 64 hexadecimal digits with '-' anywhere between them. The caller zeroes it.
 * @throws AegisError 'masterkey' with the texts of behaviour.md 3.5, without any part of the key
 */
export function parseMasterKey(text: string): Uint8Array {
  const bytes = fromHex(text.replaceAll('-', ''));
  if (bytes === null) throw new AegisError('masterkey', 'Could not parse master key: not a hexadecimal string');
  if (bytes.length !== MASTER_KEY_LEN) {
    throw new AegisError('masterkey', `Master key has length ${bytes.length} but we require length ${MASTER_KEY_LEN}`);
  }
  return bytes;
}

/** A master key as it is printed for the user: two lines of four groups of eight digits (format.md 4.8). */
export function formatMasterKey(masterKey: Uint8Array): string {
  const groups: string[] = [];
  for (let i = 0; i < masterKey.length; i += 4) groups.push(Buffer.from(masterKey.subarray(i, i + 4)).toString('hex'));
  return `    ${groups.slice(0, 4).join('-')}-\n    ${groups.slice(4).join('-')}`;
}

function wrapKind(hkdf: boolean): KeyKind {
  return hkdf ? KeyKind.AesGcm : KeyKind.AesGcm96;
}
