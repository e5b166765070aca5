import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { vectorJson } from '../../../tests/support/vectors.ts';
import { BLOCK_SIZE, ContentLayout, HEADER_LEN, SizeDefect } from './layout.ts';

interface SizeVectors {
  rows: {
    ciphers: string;
    overhead: number;
    cipher_block: number;
    plain_to_cipher: [string, string][];
    cipher_to_plain: [string, string][];
  }[];
}

const rows = vectorJson<SizeVectors>('sizes.json').rows;
const overheads = [32, 40, 48];

/** The formulas of the format in exact arithmetic, written down independently. */
function exactCipherSize(size: bigint, overhead: bigint): bigint {
  if (size === 0n) return 0n;
  const blocks = (size + 4095n) / 4096n;
  return 18n + size + blocks * overhead;
}

function exactPlainSize(size: bigint, overhead: bigint): bigint {
  if (size <= 18n) return 0n;
  const block = 4096n + overhead;
  const rest = (size - 18n) % block;
  const repaired = rest > 0n && rest <= overhead ? size - rest + overhead + 1n : size;
  const blocks = (repaired - 18n + block - 1n) / block;
  return repaired - 18n - blocks * overhead;
}

describe.each(rows)('sizes of $ciphers', (row) => {
  const layout = new ContentLayout(row.overhead);

  it('has the block size of the format', () => {
    expect(layout.cipherBlockSize).toBe(row.cipher_block);
  });

  it.each(row.plain_to_cipher)('plain %s is cipher %s', (plain, cipher) => {
    expect(layout.plainToCipher(Number(plain))).toBe(Number(cipher));
    expect(layout.cipherToPlain(Number(cipher))).toBe(Number(plain));
    expect(layout.sizeDefect(Number(cipher))).toBe(SizeDefect.None);
  });

  it.each(row.cipher_to_plain)('cipher %s shows as plain %s', (cipher, plain) => {
    expect(layout.cipherToPlain(Number(cipher))).toBe(Number(plain));
  });
});

describe.each(overheads)('properties with overhead %i', (overhead) => {
  const layout = new ContentLayout(overhead);
  // Largest plaintext whose ciphertext size is still exact.
  const largest = layout.cipherToPlain(Number.MAX_SAFE_INTEGER);
  const size = fc.oneof(
    fc.nat(100_000),
    fc.maxSafeNat().map((n) => Math.min(n, largest)),
    fc.nat(5000).map((n) => largest - n),
  );
  const cipherSize = fc.oneof(fc.nat(100_000), fc.maxSafeNat());

  it('are exact up to 2^53', () => {
    fc.assert(
      fc.property(size, cipherSize, (n, c) => {
        expect(BigInt(layout.plainToCipher(n))).toBe(exactCipherSize(BigInt(n), BigInt(overhead)));
        expect(BigInt(layout.cipherToPlain(c))).toBe(exactPlainSize(BigInt(c), BigInt(overhead)));
      }),
      { numRuns: 2000 },
    );
  });

  it('are inverse and strictly increasing', () => {
    fc.assert(
      fc.property(size, (n) => {
        expect(layout.cipherToPlain(layout.plainToCipher(n))).toBe(n);
        if (n > 0) expect(layout.plainToCipher(n)).toBeGreaterThan(layout.plainToCipher(n - 1));
      }),
    );
  });

  it('agree about defects: a size is healthy exactly if it is the size of some plaintext, or a bare header', () => {
    for (let c = 0; c < 3 * layout.cipherBlockSize; c++) {
      const healthy = c === HEADER_LEN || layout.plainToCipher(layout.cipherToPlain(c)) === c;
      expect(layout.sizeDefect(c) === SizeDefect.None, `cipher size ${c}`).toBe(healthy);
    }
    expect(layout.sizeDefect(17)).toBe(SizeDefect.TooShort);
    expect(layout.sizeDefect(19)).toBe(SizeDefect.IncompleteLastBlock);
    expect(layout.lastBlockBytes(HEADER_LEN + layout.cipherBlockSize + 5)).toBe(5);
  });

  it('place blocks one after the other', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 40), fc.nat(1_100_000), (off, len) => {
        const first = layout.blockNo(off);
        expect(layout.blockPlainOffset(first)).toBeLessThanOrEqual(off);
        expect(layout.blockPlainOffset(first + 1)).toBeGreaterThan(off);
        expect(layout.blockNoOfCipher(layout.blockCipherOffset(first))).toBe(first);
        expect(layout.blockNoOfCipher(layout.blockCipherOffset(first + 1) - 1)).toBe(first);
        const touched = new Set<number>();
        for (let at = off; at < off + len; at += BLOCK_SIZE) touched.add(layout.blockNo(at));
        if (len > 0) touched.add(layout.blockNo(off + len - 1));
        expect(layout.blockCount(off, len)).toBe(touched.size);
        expect(layout.sealedLength(len)).toBe(len === 0 ? 0 : layout.plainToCipher(len) - HEADER_LEN);
      }),
    );
  });
});

it('the first block starts behind the header, and the header belongs to it', () => {
  const layout = new ContentLayout(32);
  expect(layout.blockCipherOffset(0)).toBe(18);
  expect(layout.blockNoOfCipher(0)).toBe(0);
});
