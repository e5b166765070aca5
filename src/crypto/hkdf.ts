import { hkdfSync } from 'node:crypto';

/** HKDF-SHA256 (RFC 5869) with an empty salt and an ASCII info string (format.md 5). The caller zeroes the result. */
export function hkdfSha256(ikm: Uint8Array, info: string, length: number): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', ikm, new Uint8Array(0), info, length));
}
