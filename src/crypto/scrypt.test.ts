import { describe, expect, it } from 'vitest';
import { hex, utf8, vectorJson } from '../../tests/support/vectors.ts';
import { toHex } from '../base/bytes.ts';
import { SCRYPT_MEMORY_LIMIT, scrypt, scryptObjection } from './scrypt.ts';

interface ConfVectors {
  rows: { password: string; salt: string; N: number; R: number; P: number; KeyLen: number; scrypt_output: string }[];
}

const USUAL = { N: 1024, R: 8, P: 1, KeyLen: 32 };

describe('scrypt', () => {
  it.each(vectorJson<ConfVectors>('conf.json').rows)('agrees with the vector of N=$N', (row) => {
    expect(toHex(scrypt(utf8(row.password), hex(row.salt), row))).toBe(row.scrypt_output);
  });

  it('agrees with RFC 7914 section 12, cut to 32 bytes', () => {
    const out = scrypt(utf8('pleaseletmein'), utf8('SodiumChloride'), { N: 16384, R: 8, P: 1, KeyLen: 32 });
    expect(toHex(out)).toBe('7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2');
  });

  const unusable: [string, Partial<typeof USUAL>][] = [
    ['N not a power of two', { N: 1025 }],
    ['N huge and not a power of two', { N: 2 ** 40 + 2 ** 10 }],
    ['N one', { N: 1 }],
    ['N zero', { N: 0 }],
    ['N negative', { N: -1024 }],
    ['N infinite', { N: Number.POSITIVE_INFINITY }],
    ['R zero', { R: 0 }],
    ['P negative', { P: -1 }],
    ['R times P too large', { R: 2 ** 15, P: 2 ** 15 }],
    ['KeyLen 31', { KeyLen: 31 }],
    ['KeyLen 64', { KeyLen: 64 }],
    ['memory above the limit through N', { N: 2 ** 23 }],
    ['memory above the limit through R', { R: 2 ** 20, N: 2 ** 10 }],
    ['memory above the limit through P', { P: 2 ** 26 }],
  ];

  it.each(unusable)('refuses %s with an ordinary error', (_name, change) => {
    expect(scryptObjection({ ...USUAL, ...change })).not.toBeNull();
    expect(() => scrypt(utf8('x'), new Uint8Array(32), { ...USUAL, ...change })).toThrow(
      expect.objectContaining({ code: 'scrypt-params' }),
    );
  });

  it('says what the limit is', () => {
    expect(scryptObjection({ ...USUAL, N: 2 ** 30 })).toBe(
      'scrypt with N=1073741824, R=8, P=1 needs 1048576 MiB of memory, the limit is 4096 MiB',
    );
    expect(scryptObjection({ ...USUAL, N: SCRYPT_MEMORY_LIMIT / 1024 })).toBeNull();
  });
});
