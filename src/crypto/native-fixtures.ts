/** What the tests of the crypto kernel share: vectors, keys, tiers. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { type KeyHandle, KeyKind, type NativeCrypto, native } from '../native.ts';

export const crypto: NativeCrypto = native.crypto;

/** The content ciphers with the lengths of format.md 6. */
export const CIPHERS = [
  { name: 'AES-256-GCM', kind: KeyKind.AesGcm, keyLen: 32, nonceLen: 16 },
  { name: 'AES-SIV', kind: KeyKind.AesSiv, keyLen: 64, nonceLen: 16 },
  { name: 'XChaCha20-Poly1305', kind: KeyKind.XChaCha20Poly1305, keyLen: 32, nonceLen: 24 },
  { name: 'AEGIS-128X2', kind: KeyKind.Aegis128X2, keyLen: 16, nonceLen: 16 },
  { name: 'AEGIS-256X2', kind: KeyKind.Aegis256X2, keyLen: 32, nonceLen: 32 },
] as const;
export type Cipher = (typeof CIPHERS)[number];

export const TAG_LEN = 16;
export const BLOCK = 4096;

/** Lengths around every boundary of the kernels: AES blocks, AEGIS rates, chunks, file blocks, batches. */
export const BOUNDARY_LENGTHS = [
  0, 1, 15, 16, 17, 31, 32, 33, 47, 48, 63, 64, 65, 127, 128, 129, 255, 256, 257, 511, 512, 513, 1023, 1024, 1025, 4031, 4032, 4095, 4096,
];

/** Bytes that look random but are the same in every run. */
export function pattern(len: number, seed: number): Uint8Array {
  const out = new Uint8Array(len);
  let x = (seed * 2654435761 + 12345) >>> 0;
  for (let i = 0; i < len; i++) {
    x = (Math.imul(x, 1664525) + 1013904223) >>> 0;
    out[i] = x >>> 24;
  }
  return out;
}

export function hex(text: string): Uint8Array {
  return Uint8Array.from(Buffer.from(text, 'hex'));
}

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('hex');
}

export function join(...parts: Uint8Array[]): Uint8Array {
  return Uint8Array.from(Buffer.concat(parts));
}

/** toEqual on long arrays takes milliseconds; this does not, and shows hexadecimal digits when it fails. */
export function expectBytes(actual: Uint8Array | null, expected: Uint8Array, message?: string): void {
  if (actual === null || Buffer.compare(actual, expected) !== 0) expect(actual && toHex(actual), message).toBe(toHex(expected));
}

/** A file of tests/vectors. */
export function vectors<T>(name: string): T {
  const here = path.dirname(fileURLToPath(import.meta.url));
  return JSON.parse(readFileSync(path.join(here, '../../tests/vectors', name), 'utf8')) as T;
}

export function withKey<T>(kind: KeyKind, key: Uint8Array, use: (handle: KeyHandle) => T): T {
  const handle = crypto.keyCreate(kind, key);
  try {
    return use(handle);
  } finally {
    crypto.keyFree(handle);
  }
}

export function onTier<T>(tier: string, use: () => T): T {
  crypto.forceTier(tier);
  try {
    return use();
  } finally {
    crypto.forceTier(null);
  }
}

/** Plaintext length plus nonces and tags of a run. */
export function sealedLength(cipher: Cipher, plain: number): number {
  return plain + Math.ceil(plain / BLOCK) * (cipher.nonceLen + TAG_LEN);
}

/** The associated data of a file block (format.md 7.3). */
export function blockAd(blockNo: number, fileID: Uint8Array): Uint8Array {
  const number = Buffer.alloc(8);
  number.writeBigUInt64BE(BigInt(blockNo));
  return join(number, fileID);
}
