/** Every tier against implementations that share nothing with the kernel: OpenSSL, @noble/ciphers, and a slow AEGIS. */
import nodeCrypto from 'node:crypto';
import { aessiv, gcm } from '@noble/ciphers/aes.js';
import { hchacha, xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import fc from 'fast-check';
import { describe, it } from 'vitest';
import { KeyKind } from '../native.ts';
import { aegisSeal } from './aegis-reference.ts';
import {
  BLOCK,
  BOUNDARY_LENGTHS,
  blockAd,
  CIPHERS,
  type Cipher,
  crypto,
  expectBytes,
  join,
  onTier,
  pattern,
  withKey,
} from './native-fixtures.ts';

/** What follows the nonce on disk (format.md 6). */
type Oracle = (key: Uint8Array, nonce: Uint8Array, plain: Uint8Array, ad: Uint8Array) => Uint8Array;

function opensslGcm(key: Uint8Array, nonce: Uint8Array, plain: Uint8Array, ad: Uint8Array): Uint8Array {
  const cipher = nodeCrypto.createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(ad);
  return join(cipher.update(plain), cipher.final(), cipher.getAuthTag());
}

/** ChaCha20-Poly1305 of OpenSSL under the sub-key of HChaCha20 (format.md 15, C.3). */
function opensslXchacha(key: Uint8Array, nonce: Uint8Array, plain: Uint8Array, ad: Uint8Array): Uint8Array {
  const words = (bytes: Uint8Array) => new Uint32Array(Uint8Array.from(bytes).buffer);
  const sigma = Uint32Array.from([0x61707865, 0x3320646e, 0x79622d32, 0x6b206574]);
  const sub = new Uint32Array(8);
  hchacha(sigma, words(key), words(nonce.subarray(0, 16)), sub);
  const inner = join(new Uint8Array(4), nonce.subarray(16));
  const cipher = nodeCrypto.createCipheriv('chacha20-poly1305', new Uint8Array(sub.buffer), inner, { authTagLength: 16 });
  cipher.setAAD(ad, { plaintextLength: plain.length });
  return join(cipher.update(plain), cipher.final(), cipher.getAuthTag());
}

const ORACLES: Record<number, Oracle[]> = {
  [KeyKind.AesGcm]: [opensslGcm, (key, nonce, plain, ad) => gcm(key, nonce, ad).encrypt(plain)],
  [KeyKind.AesSiv]: [(key, nonce, plain, ad) => aessiv(key, ad, nonce).encrypt(plain)],
  [KeyKind.XChaCha20Poly1305]: [opensslXchacha, (key, nonce, plain, ad) => xchacha20poly1305(key, nonce, ad).encrypt(plain)],
  [KeyKind.Aegis128X2]: [aegisSeal],
  [KeyKind.Aegis256X2]: [aegisSeal],
};

function expectSame(cipher: Cipher, len: number, adLen: number): void {
  const key = pattern(cipher.keyLen, 1 + len);
  const nonce = pattern(cipher.nonceLen, 2 + len);
  const plain = pattern(len, 3 + len);
  const ad = pattern(adLen, 4 + len);
  const expected = ORACLES[cipher.kind]!.map((oracle) => join(nonce, oracle(key, nonce, plain, ad)));
  withKey(cipher.kind, key, (handle) => {
    for (const tier of crypto.tiers()) {
      onTier(tier, () => {
        const sealed = crypto.sealOne(handle, nonce, plain, ad);
        for (const other of expected) expectBytes(sealed, other, `${tier}, ${len} bytes, AD ${adLen}`);
        expectBytes(crypto.openOne(handle, sealed, ad), plain, `${tier}, ${len} bytes, AD ${adLen}`);
      });
    }
  });
}

describe.each(CIPHERS)('$name', (cipher) => {
  it('agrees at every boundary length', () => {
    for (const len of BOUNDARY_LENGTHS) expectSame(cipher, len, len % 2 === 0 ? 24 : 8);
  });

  it('agrees for messages longer than a file block', () => {
    for (const len of [4097, 5000, 8191, 8192, 10001]) expectSame(cipher, len, 24);
  });

  it('agrees for any lengths of message and AD', () => {
    const lengths = fc.tuple(fc.integer({ min: 0, max: 700 }), fc.integer({ min: 0, max: 200 }));
    fc.assert(
      fc.property(lengths, ([len, adLen]) => expectSame(cipher, len, adLen)),
      { numRuns: 60 },
    );
  });

  it('seals runs block by block as the oracle does, whatever the number of blocks', () => {
    const key = pattern(cipher.keyLen, 5);
    const fileID = pattern(16, 6);
    const step = BLOCK + cipher.nonceLen + 16;
    withKey(cipher.kind, key, (handle) => {
      for (const tier of crypto.tiers()) {
        for (const len of [4096, 2 * 4096 + 1, 3 * 4096, 7 * 4096 + 100, 9 * 4096]) {
          const plain = pattern(len, len);
          const sealed = new Uint8Array(Math.ceil(len / BLOCK) * step);
          const firstBlockNo = 2 ** 40 + 7;
          const written = onTier(tier, () => crypto.sealRun(handle, plain, 0, len, sealed, 0, fileID, 0, firstBlockNo));
          for (let i = 0; i * BLOCK < len; i++) {
            const block = sealed.subarray(i * step, Math.min((i + 1) * step, written));
            const nonce = block.subarray(0, cipher.nonceLen);
            const ad = blockAd(firstBlockNo + i, fileID);
            const body = ORACLES[cipher.kind]![0]!(key, nonce, plain.subarray(i * BLOCK, (i + 1) * BLOCK), ad);
            expectBytes(block.subarray(cipher.nonceLen), body, `${tier}, block ${i} of ${len} bytes`);
          }
        }
      }
    });
  });
});

/** Multiplication of SP 800-38D 6.3; the first bit of a block is the most significant one of the number. */
function multiply(x: bigint, y: bigint): bigint {
  let z = 0n;
  let v = y;
  for (let i = 127n; i >= 0n; i--) {
    if ((x >> i) & 1n) z ^= v;
    v = v & 1n ? (v >> 1n) ^ (0xe1n << 120n) : v >> 1n;
  }
  return z;
}

/** x to the power 2^128 − 2. */
function inverse(x: bigint): bigint {
  let result = 1n << 127n;
  let square = x;
  for (let i = 1; i < 128; i++) {
    square = multiply(square, square);
    result = multiply(result, square);
  }
  return result;
}

const toNumber = (bytes: Uint8Array) => BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
const toBlock = (x: bigint) => Uint8Array.from(Buffer.from(x.toString(16).padStart(32, '0'), 'hex'));

it.each([1, 2, 5, 31, 32, 33, 100, 255])('the 32-bit counter of AES-GCM wraps around %i blocks into a message', (blocks) => {
  // J0 = (nonce·H ^ 128)·H is solved for the nonce, so that the counter starts that far below 2^32.
  const key = pattern(32, 9);
  const h = toNumber(nodeCrypto.createCipheriv('aes-256-ecb', key, null).update(new Uint8Array(16)));
  const j0 = (toNumber(pattern(12, blocks)) << 32n) | BigInt(2 ** 32 - blocks);
  const nonce = toBlock(multiply(multiply(j0, inverse(h)) ^ 128n, inverse(h)));
  const plain = pattern(4096, 10);
  const ad = pattern(24, 11);
  const expected = join(nonce, opensslGcm(key, nonce, plain, ad));
  withKey(KeyKind.AesGcm, key, (handle) => {
    for (const tier of crypto.tiers()) {
      expectBytes(
        onTier(tier, () => crypto.sealOne(handle, nonce, plain, ad)),
        expected,
        tier,
      );
    }
  });
});
