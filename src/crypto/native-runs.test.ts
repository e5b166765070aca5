/** Runs of file blocks: tiers against each other, tampering, holes, bounds (format.md 7). */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type KeyHandle, KeyKind } from '../native.ts';
import {
  BLOCK,
  BOUNDARY_LENGTHS,
  blockAd,
  CIPHERS,
  type Cipher,
  crypto,
  join,
  onTier,
  pattern,
  sealedLength,
  TAG_LEN,
  withKey,
} from './native-fixtures.ts';

const FILE_ID = pattern(16, 77);
const FILLER = 0xa5;

function seal(key: KeyHandle, cipher: Cipher, plain: Uint8Array, firstBlockNo = 0): Uint8Array {
  const sealed = new Uint8Array(sealedLength(cipher, plain.length));
  const written = crypto.sealRun(key, plain, 0, plain.length, sealed, 0, FILE_ID, 0, firstBlockNo);
  expect(written).toBe(sealed.length);
  return sealed;
}

/** The result and all of dst, which starts out as filler. */
function open(key: KeyHandle, sealed: Uint8Array, room: number, firstBlockNo = 0): { result: number; dst: Uint8Array } {
  const dst = new Uint8Array(room).fill(FILLER);
  return { result: crypto.openRun(key, sealed, 0, sealed.length, dst, 0, FILE_ID, 0, firstBlockNo), dst };
}

describe.each(CIPHERS)('$name', (cipher) => {
  const overhead = cipher.nonceLen + TAG_LEN;
  const sealedBlock = BLOCK + overhead;
  const withCipher = (use: (key: KeyHandle) => void) => withKey(cipher.kind, pattern(cipher.keyLen, 3), use);

  it('every tier opens what every tier sealed', () => {
    const lengths = [...BOUNDARY_LENGTHS, 4097, 5000];
    for (let blocks = 2; blocks <= 9; blocks++) lengths.push(blocks * BLOCK - 1, blocks * BLOCK, blocks * BLOCK + 17);
    for (const blocks of [16, 31, 32, 33, 65]) lengths.push(blocks * BLOCK);
    withCipher((key) => {
      for (const len of lengths) {
        const plain = pattern(len, len);
        for (const sealer of crypto.tiers()) {
          const sealed = onTier(sealer, () => seal(key, cipher, plain, 11));
          for (const opener of crypto.tiers()) {
            const { result, dst } = onTier(opener, () => open(key, sealed, len, 11));
            expect(result, `${len} bytes, ${sealer} to ${opener}`).toBe(len);
            expect(Buffer.compare(dst, plain), `${len} bytes, ${sealer} to ${opener}`).toBe(0);
          }
        }
      }
    });
  });

  it.each(crypto.tiers())('a flipped bit anywhere in a block is found on tier %s, and nothing of that block comes out', (tier) => {
    // Nonce, both ends of the body, tag or SIV: the places where layouts could be wrong. 6 blocks: batches of 4 and 2.
    const places = [
      0,
      cipher.nonceLen - 1,
      cipher.nonceLen,
      cipher.nonceLen + 15,
      cipher.nonceLen + 16,
      2000,
      sealedBlock - 17,
      sealedBlock - 1,
    ];
    const plain = pattern(6 * BLOCK + 100, 5);
    withCipher((key) => {
      const sealed = seal(key, cipher, plain);
      for (let bad = 0; bad < 7; bad++) {
        for (const place of bad < 6 ? places : [0, cipher.nonceLen, overhead + 50, overhead + 99]) {
          const broken = Uint8Array.from(sealed);
          broken[bad * sealedBlock + place]! ^= 0x10;
          const { result, dst } = onTier(tier, () => open(key, broken, plain.length));
          expect(result, `block ${bad}, byte ${place}`).toBe(-(bad + 1));
          expect(Buffer.compare(dst.subarray(0, bad * BLOCK), plain.subarray(0, bad * BLOCK))).toBe(0);
          expect(dst.subarray(bad * BLOCK).every((x) => x === 0)).toBe(true);
        }
      }
    });
  });

  it.each(crypto.tiers())('block number and file ID are authenticated on tier %s', (tier) => {
    const plain = pattern(2 * BLOCK, 6);
    withCipher((key) => {
      onTier(tier, () => {
        const sealed = seal(key, cipher, plain, 5);
        expect(open(key, sealed, plain.length, 5).result).toBe(plain.length);
        expect(open(key, sealed, plain.length, 6).result).toBe(-1);
        const swapped = join(sealed.subarray(sealedBlock), sealed.subarray(0, sealedBlock));
        expect(open(key, swapped, plain.length, 5).result).toBe(-1);
        const dst = new Uint8Array(plain.length);
        expect(crypto.openRun(key, sealed, 0, sealed.length, dst, 0, pattern(16, 78), 0, 5)).toBe(-1);
      });
    });
  });

  it('a truncated run is bad at its last block, a block too short for a tag too', () => {
    const plain = pattern(BLOCK + 500, 7);
    withCipher((key) => {
      const sealed = seal(key, cipher, plain);
      for (const cut of [1, 100, 499]) expect(open(key, sealed.subarray(0, sealed.length - cut), plain.length).result).toBe(-2);
      for (const rest of [1, 15, cipher.nonceLen - 1, cipher.nonceLen, cipher.nonceLen + 15]) {
        const { result, dst } = open(key, sealed.subarray(0, sealedBlock + rest), BLOCK);
        expect(result).toBe(-2);
        expect(Buffer.compare(dst, plain.subarray(0, BLOCK))).toBe(0);
      }
    });
  });

  it.each(crypto.tiers())('holes read as zeros and only full blocks can be holes on tier %s', (tier) => {
    const plain = pattern(5 * BLOCK, 8);
    withCipher((key) => {
      onTier(tier, () => {
        const sealed = seal(key, cipher, plain);
        for (const hole of [0, 1, 4]) {
          const holed = Uint8Array.from(sealed).fill(0, hole * sealedBlock, (hole + 1) * sealedBlock);
          const expected = Uint8Array.from(plain).fill(0, hole * BLOCK, (hole + 1) * BLOCK);
          const { result, dst } = open(key, holed, plain.length);
          expect(result).toBe(plain.length);
          expect(Buffer.compare(dst, expected)).toBe(0);
        }
        const allHoles = new Uint8Array(40 * sealedBlock);
        const { result, dst } = open(key, allHoles, 40 * BLOCK);
        expect(result).toBe(40 * BLOCK);
        expect(dst.every((x) => x === 0)).toBe(true);
        // Not all zero: no hole, but a zero nonce.
        for (const place of [cipher.nonceLen, 2000, sealedBlock - 1]) {
          const almost = Uint8Array.from(sealed).fill(0, 2 * sealedBlock, 3 * sealedBlock);
          almost[2 * sealedBlock + place] = 1;
          expect(open(key, almost, plain.length).result).toBe(-3);
        }
        // A bad block before a zero-nonce block is the one reported.
        const two = Uint8Array.from(sealed).fill(0, 3 * sealedBlock, 3 * sealedBlock + cipher.nonceLen);
        two[1 * sealedBlock + 100]! ^= 1;
        expect(open(key, two, plain.length).result).toBe(-2);
        const partial = join(sealed.subarray(0, sealedBlock), new Uint8Array(overhead + 10));
        expect(open(key, partial, BLOCK + 10).result).toBe(-2);
      });
    });
  });

  it('a zero nonce is refused even if the block is authentic', () => {
    withCipher((key) => {
      for (const len of [1, 100, BLOCK]) {
        const forged = crypto.sealOne(key, new Uint8Array(cipher.nonceLen), pattern(len, 1), blockAd(4, FILE_ID));
        const { result, dst } = open(key, forged, len, 4);
        expect(result, `${len} bytes`).toBe(-1);
        expect(dst.every((x) => x === 0)).toBe(true);
      }
    });
  });

  it('nothing sealed is nothing written, nothing opened nothing read', () => {
    withCipher((key) => {
      expect(crypto.sealRun(key, new Uint8Array(0), 0, 0, new Uint8Array(0), 0, FILE_ID, 0, 0)).toBe(0);
      expect(crypto.openRun(key, new Uint8Array(0), 0, 0, new Uint8Array(0), 0, FILE_ID, 0, 0)).toBe(0);
    });
  });

  it('every block gets its own nonce', () => {
    withCipher((key) => {
      const seen = new Set<string>();
      for (let i = 0; i < 40; i++) {
        const sealed = seal(key, cipher, new Uint8Array(64 * BLOCK));
        for (let b = 0; b < 64; b++)
          seen.add(Buffer.from(sealed.subarray(b * sealedBlock, b * sealedBlock + cipher.nonceLen)).toString('hex'));
      }
      expect(seen.size).toBe(40 * 64);
    });
  });

  it('works at any offset and touches nothing outside its range', () => {
    withCipher((key) => {
      fc.assert(
        fc.property(
          fc.integer({ min: 0, max: 2 * BLOCK + 5 }),
          fc.integer({ min: 0, max: 70 }),
          fc.integer({ min: 0, max: 70 }),
          (len, srcOff, dstOff) => {
            const src = pattern(len + srcOff + 9, len);
            const size = sealedLength(cipher, len);
            const dst = new Uint8Array(dstOff + size + 33).fill(FILLER);
            expect(crypto.sealRun(key, src, srcOff, len, dst, dstOff, join(new Uint8Array(3), FILE_ID), 3, 1)).toBe(size);
            expect(dst.subarray(0, dstOff).every((x) => x === FILLER)).toBe(true);
            expect(dst.subarray(dstOff + size).every((x) => x === FILLER)).toBe(true);
            const back = new Uint8Array(srcOff + len + 33).fill(FILLER);
            expect(crypto.openRun(key, dst, dstOff, size, back, srcOff, FILE_ID, 0, 1)).toBe(len);
            expect(Buffer.compare(back.subarray(srcOff, srcOff + len), src.subarray(srcOff, srcOff + len))).toBe(0);
            expect(back.subarray(0, srcOff).every((x) => x === FILLER)).toBe(true);
            expect(back.subarray(srcOff + len).every((x) => x === FILLER)).toBe(true);
          },
        ),
        { numRuns: 40 },
      );
    });
  });

  it('ranges that do not fit are refused', () => {
    withCipher((key) => {
      const src = new Uint8Array(100);
      const dst = new Uint8Array(100 + overhead);
      const sealAt = (...[srcOff, len, dstOff, idOff]: readonly [number, number, number, number]) =>
        crypto.sealRun(key, src, srcOff, len, dst, dstOff, FILE_ID, idOff, 0);
      expect(sealAt(0, 100, 0, 0)).toBe(dst.length);
      const bad: [number, number, number, number][] = [
        [1, 100, 0, 0],
        [101, 0, 0, 0],
        [0, 100, 1, 0],
        [0, 100, 0, 1],
        [-1, 1, 0, 0],
        [0, 1.5, 0, 0],
        [2 ** 53, 1, 0, 0],
        [Number.NaN, 1, 0, 0],
        [0, 100, 2 ** 52, 0],
      ];
      for (const args of bad) expect(() => sealAt(...args), args.join()).toThrow(RangeError);
      const sealed = seal(key, cipher, src);
      expect(() => crypto.openRun(key, sealed, 0, sealed.length, new Uint8Array(99), 0, FILE_ID, 0, 0)).toThrow(RangeError);
      expect(() => crypto.openRun(key, sealed, 1, sealed.length, new Uint8Array(100), 0, FILE_ID, 0, 0)).toThrow(RangeError);
    });
  });

  it('shared memory works like any other', () => {
    withCipher((key) => {
      const shared = new Uint8Array(new SharedArrayBuffer(3 * sealedBlock));
      const plain = pattern(2 * BLOCK + 9, 4);
      const size = crypto.sealRun(key, plain, 0, plain.length, shared, 0, FILE_ID, 0, 0);
      const back = new Uint8Array(new SharedArrayBuffer(plain.length));
      expect(crypto.openRun(key, shared, 0, size, back, 0, FILE_ID, 0, 0)).toBe(plain.length);
      expect(Buffer.compare(back, plain)).toBe(0);
    });
  });
});

describe('single messages', () => {
  it.each(CIPHERS)('$name: every flipped bit of a short message is found', (cipher) => {
    withKey(cipher.kind, pattern(cipher.keyLen, 1), (key) => {
      for (const tier of crypto.tiers()) {
        onTier(tier, () => {
          const ad = pattern(8, 2);
          const sealed = crypto.sealOne(key, null, pattern(21, 3), ad);
          expect(crypto.openOne(key, sealed, ad)).toEqual(pattern(21, 3));
          for (let i = 0; i < sealed.length; i++) {
            const broken = Uint8Array.from(sealed);
            broken[i]! ^= 1 << (i % 8);
            expect(crypto.openOne(key, broken, ad), `${tier}, byte ${i}`).toBeNull();
          }
          expect(crypto.openOne(key, sealed, pattern(8, 4))).toBeNull();
          expect(crypto.openOne(key, sealed, pattern(7, 2))).toBeNull();
          for (const len of [0, 1, cipher.nonceLen, cipher.nonceLen + 15, sealed.length - 1]) {
            expect(crypto.openOne(key, sealed.subarray(0, len), ad)).toBeNull();
          }
        });
      }
    });
  });

  it.each(CIPHERS)('$name: an all-zero nonce is refused', (cipher) => {
    withKey(cipher.kind, pattern(cipher.keyLen, 1), (key) => {
      const sealed = crypto.sealOne(key, new Uint8Array(cipher.nonceLen), pattern(9, 3), new Uint8Array(8));
      expect(crypto.openOne(key, sealed, new Uint8Array(8))).toBeNull();
    });
  });

  it('a nonce of the wrong length is refused', () => {
    withKey(KeyKind.AesGcm, pattern(32, 1), (key) => {
      expect(() => crypto.sealOne(key, new Uint8Array(12), new Uint8Array(1), new Uint8Array(0))).toThrow(RangeError);
    });
  });
});

describe('derived nonces', () => {
  it('count up from the nonce of block 0, and the blocks are those of sealOne', () => {
    withKey(KeyKind.AesSiv, pattern(64, 1), (key) => {
      const plain = pattern(3 * BLOCK + 10, 2);
      const block0 = join(pattern(8, 3), new Uint8Array(7).fill(0xff), Uint8Array.of(0xfe));
      const sealed = new Uint8Array(plain.length + 4 * 32);
      expect(crypto.sealRunDerived(key, plain, 0, plain.length, sealed, 0, FILE_ID, 0, 1, block0, 0)).toBe(sealed.length);
      const tail = (b: number) => Buffer.from(sealed.subarray(b * 4128 + 8, b * 4128 + 16)).toString('hex');
      // Block 1 carries over into nothing: the sum is taken modulo 2^64.
      expect([0, 1, 2, 3].map(tail)).toEqual(['ffffffffffffffff', '0000000000000000', '0000000000000001', '0000000000000002']);
      expect(open(key, sealed, plain.length, 1).result).toBe(plain.length);
      const again = new Uint8Array(sealed.length);
      crypto.sealRunDerived(key, plain, 0, plain.length, again, 0, FILE_ID, 0, 1, block0, 0);
      expect(Buffer.compare(again, sealed)).toBe(0);
    });
  });

  it('are for AES-SIV only', () => {
    withKey(KeyKind.AesGcm, pattern(32, 1), (key) => {
      const dst = new Uint8Array(40);
      expect(() => crypto.sealRunDerived(key, new Uint8Array(1), 0, 1, dst, 0, FILE_ID, 0, 0, FILE_ID, 0)).toThrow(TypeError);
    });
  });
});
