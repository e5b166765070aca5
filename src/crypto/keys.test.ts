import { createHash, hkdfSync } from 'node:crypto';
import { afterEach, describe, expect, it } from 'vitest';
import { hex, vectorJson } from '../../tests/support/vectors.ts';
import { toHex } from '../base/bytes.ts';
import { AegisError } from '../base/errors.ts';
import { hkdfSha256 } from './hkdf.ts';
import { KeyKind, kernel } from './kernel.ts';
import { deriveKeyBytes, deriveKeys, type VaultKeys } from './keys.ts';
import { CIPHERS, cipherById } from './registry.ts';

interface KdfVectors {
  masterkey: string;
  rows: { mode: string; hkdf: boolean; eme_key: string; content_key: string }[];
  hkdf_sha256: { ikm: string; info: string; length: number; okm: string }[];
}

const vectors = vectorJson<KdfVectors>('kdf.json');
const masterKey = hex(vectors.masterkey);

/** Rows of the vectors by cipher; variant A2 is not a cipher of this program. */
const MODES: Readonly<Record<string, string>> = {
  'AES-256-GCM': 'aes-gcm',
  'AES-256-GCM without HKDF': 'aes-gcm',
  'AES-SIV': 'aes-siv',
  'AES-SIV without HKDF': 'aes-siv',
  'XChaCha20-Poly1305': 'xchacha20-poly1305',
  'AEGIS variant A': 'aegis-128x2',
  'AEGIS variant A without HKDF': 'aegis-128x2',
  'AEGIS variant B (AEGIS256X2)': 'aegis-256x2',
};
const rows = vectors.rows.filter((row) => row.mode !== 'AEGIS variant A2').map((row) => ({ ...row, cipher: MODES[row.mode]! }));

const made: VaultKeys[] = [];

function derive(cipher: string, hkdf: boolean, key = masterKey): VaultKeys {
  const keys = deriveKeys(key, cipherById(cipher), hkdf);
  made.push(keys);
  return keys;
}

afterEach(() => {
  for (const keys of made.splice(0)) {
    kernel.keyFree(keys.contentKey);
    kernel.keyFree(keys.emeKey);
  }
});

describe.each(vectors.hkdf_sha256)('HKDF with $info', ({ ikm, info, length, okm }) => {
  it('agrees with the vector', () => {
    expect(toHex(hkdfSha256(hex(ikm), info, length))).toBe(okm);
  });
});

describe.each(rows)('keys of $mode', (row) => {
  it('agree with the vector', () => {
    const keys = deriveKeyBytes(masterKey, cipherById(row.cipher), row.hkdf);
    expect(toHex(keys.contentKey)).toBe(row.content_key);
    expect(toHex(keys.emeKey)).toBe(row.eme_key);
  });

  it('are the ones in locked memory', () => {
    const keys = derive(row.cipher, row.hkdf);
    const content = kernel.keyCreate(cipherById(row.cipher).kind, hex(row.content_key));
    const eme = kernel.keyCreate(KeyKind.Eme, hex(row.eme_key));
    made.push({ contentKey: content, emeKey: eme });
    const plain = new TextEncoder().encode('sealed under one key, opened under the other');
    const ad = new Uint8Array(8);
    expect(kernel.openOne(content, kernel.sealOne(keys.contentKey, null, plain, ad), ad)).toEqual(plain);
    const tweak = new Uint8Array(16).fill(9);
    const name = new Uint8Array(32).fill(5);
    kernel.emeTransform(keys.emeKey, false, tweak, 0, name, 0, 32);
    kernel.emeTransform(eme, true, tweak, 0, name, 0, 32);
    expect(name).toEqual(new Uint8Array(32).fill(5));
  });

  it('are not all zero: the defect of the AEGIS branch (format.md 2.1)', () => {
    const keys = derive(row.cipher, row.hkdf);
    expect(kernel.keyIsZero(keys.contentKey)).toBe(false);
    expect(kernel.keyIsZero(keys.emeKey)).toBe(false);
  });

  it('leave the master key alone and do not share memory with it', () => {
    const copy = masterKey.slice();
    const keys = deriveKeyBytes(copy, cipherById(row.cipher), row.hkdf);
    expect(copy).toEqual(masterKey);
    keys.contentKey.fill(0);
    keys.emeKey.fill(0);
    expect(copy).toEqual(masterKey);
  });
});

it('the vectors cover every cipher', () => {
  expect(new Set(rows.map((row) => row.cipher))).toEqual(new Set(CIPHERS.map((row) => row.id)));
});

it('AEGIS-128X2 uses the first half of the master key only', () => {
  const other = masterKey.slice();
  other.fill(0xee, 16);
  const cipher = cipherById('aegis-128x2');
  for (const hkdf of [true, false]) expect(deriveKeyBytes(other, cipher, hkdf)).toEqual(deriveKeyBytes(masterKey, cipher, hkdf));
  const info = 'AES-GCM file content encryption';
  const expected = new Uint8Array(hkdfSync('sha256', masterKey.subarray(0, 16), new Uint8Array(0), info, 16));
  expect(deriveKeyBytes(other, cipher, true).contentKey).toEqual(expected);
});

it('AES-SIV without HKDF uses SHA-512 of the master key', () => {
  const expected = new Uint8Array(createHash('sha512').update(masterKey).digest());
  expect(deriveKeyBytes(masterKey, cipherById('aes-siv'), false).contentKey).toEqual(expected);
});

it.each(['xchacha20-poly1305', 'aegis-256x2'])('%s exists only with HKDF', (id) => {
  expect(() => deriveKeyBytes(masterKey, cipherById(id), false)).toThrow(AegisError);
});

it.each([16, 31, 33, 0])('a master key of %i bytes is an impossible state', (len) => {
  expect(() => deriveKeyBytes(new Uint8Array(len), cipherById('aes-gcm'), true)).toThrow();
});
