/** Names: vectors, an oracle built from AES-ECB of OpenSSL, and every rule of format.md 8.3. */
import nodeCrypto from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type KeyHandle, KeyKind } from '../native.ts';
import { crypto, hex, join, onTier, pattern, toHex, vectors, withKey } from './native-fixtures.ts';

interface NameVector {
  eme_key: string;
  iv: string;
  name_hex: string;
  raw64: string;
  padded64: string;
}
const names = vectors<{ names: NameVector[] }>('names.json').names;
const KEY = pattern(32, 1);
const TWEAK = pattern(16, 2);

function encrypt(key: KeyHandle, name: Uint8Array, padded: boolean, tweak = TWEAK): string {
  const dst = new Uint8Array(3000).fill(0xa5);
  const len = crypto.nameEncrypt(key, tweak, 0, name, 0, name.length, dst, 7, padded);
  expect(dst[7 + len]).toBe(0);
  expect(dst[6]).toBe(0xa5);
  expect(dst[8 + len]).toBe(0xa5);
  return Buffer.from(dst.subarray(7, 7 + len)).toString('latin1');
}

/** The name, or null. */
function decrypt(key: KeyHandle, text: string, padded: boolean, tweak = TWEAK): Uint8Array | null {
  const src = Uint8Array.from(Buffer.from(text, 'latin1'));
  const dst = new Uint8Array(3000).fill(0xa5);
  const len = crypto.nameDecrypt(key, tweak, 0, src, 0, src.length, dst, 0, padded);
  if (len === -1) {
    expect(dst.every((x) => x === 0xa5)).toBe(true);
    return null;
  }
  expect(dst[len]).toBe(0);
  return dst.slice(0, len);
}

/** EME as in format.md 14, on AES-ECB of OpenSSL. */
function emeOracle(key: Uint8Array, tweak: Uint8Array, data: Uint8Array, decryptIt: boolean): Uint8Array {
  const name = key.length === 16 ? 'aes-128-ecb' : 'aes-256-ecb';
  const aes = (block: Uint8Array, inverse: boolean) => {
    const cipher = inverse ? nodeCrypto.createDecipheriv(name, key, null) : nodeCrypto.createCipheriv(name, key, null);
    cipher.setAutoPadding(false);
    return Uint8Array.from(cipher.update(block));
  };
  const twice = (block: Uint8Array) => block.map((x, i) => ((x << 1) & 0xff) ^ (i === 0 ? (block[15]! >> 7) * 0x87 : block[i - 1]! >> 7));
  const xor = (a: Uint8Array, b: Uint8Array) => a.map((x, i) => x ^ b[i]!);
  const blocks = Array.from({ length: data.length / 16 }, (_, i) => data.subarray(16 * i, 16 * i + 16));
  const masks: Uint8Array[] = [];
  for (let l = twice(aes(new Uint8Array(16), false)); masks.length < blocks.length; l = twice(l)) masks.push(l);
  const ppp = blocks.map((block, i) => aes(xor(block, masks[i]!), decryptIt));
  const mp = ppp.reduce(xor, tweak);
  const mc = aes(mp, decryptIt);
  let m = xor(mp, mc);
  const ccc = ppp.map((block) => block);
  for (let i = 1; i < ccc.length; i++) {
    m = twice(m);
    ccc[i] = xor(ppp[i]!, m);
  }
  ccc[0] = ccc.slice(1).reduce(xor, xor(mc, tweak));
  return join(...ccc.map((block, i) => xor(aes(block, decryptIt), masks[i]!)));
}

describe.each(crypto.tiers())('on tier %s', (tier) => {
  it('all name vectors', () => {
    expect(names.length).toBeGreaterThan(40);
    onTier(tier, () => {
      for (const v of names) {
        withKey(KeyKind.Eme, hex(v.eme_key), (key) => {
          expect(encrypt(key, hex(v.name_hex), false, hex(v.iv))).toBe(v.raw64);
          expect(encrypt(key, hex(v.name_hex), true, hex(v.iv))).toBe(v.padded64);
          expect(toHex(decrypt(key, v.raw64, false, hex(v.iv))!)).toBe(v.name_hex);
          expect(toHex(decrypt(key, v.padded64, true, hex(v.iv))!)).toBe(v.name_hex);
        });
      }
    });
  });

  it.each([16, 32])('EME with a key of %i bytes agrees with the definition for every number of blocks', (keyLen) => {
    onTier(tier, () => {
      withKey(KeyKind.Eme, pattern(keyLen, 3), (key) => {
        for (const blocks of [1, 2, 3, 4, 5, 7, 8, 9, 12, 15, 16, 17, 31, 32, 33, 64, 127, 128]) {
          for (const inverse of [false, true]) {
            const data = pattern(16 * blocks, blocks);
            const expected = emeOracle(pattern(keyLen, 3), TWEAK, data, inverse);
            crypto.emeTransform(key, inverse, TWEAK, 0, data, 0, data.length);
            expect(toHex(data), `${blocks} blocks, inverse ${inverse}`).toBe(toHex(expected));
          }
        }
      });
    });
  });
});

describe('round trips', () => {
  it('every length from 1 to 255 and the lengths on disk of format.md 8.2', () => {
    withKey(KeyKind.Eme, KEY, (key) => {
      for (let len = 1; len <= 255; len++) {
        const name = pattern(len, len);
        const bytes = 16 * (Math.floor(len / 16) + 1);
        for (const padded of [false, true]) {
          const text = encrypt(key, name, padded);
          expect(text.length).toBe(padded ? 4 * Math.ceil(bytes / 3) : Math.ceil((4 * bytes) / 3));
          expect(text).toBe(
            Buffer.from(text.replace(/=+$/, ''), 'base64url').toString('base64url') + (padded ? '='.repeat((3 - (bytes % 3)) % 3) : ''),
          );
          expect(decrypt(key, text, padded)).toEqual(name);
        }
      }
    });
  });

  it('the longest name EME allows, and one more', () => {
    withKey(KeyKind.Eme, KEY, (key) => {
      expect(decrypt(key, encrypt(key, pattern(2047, 1), true), true)).toEqual(pattern(2047, 1));
      expect(() => encrypt(key, pattern(2048, 1), true)).toThrow(RangeError);
    });
  });

  it('a name depends on the whole tweak', () => {
    withKey(KeyKind.Eme, KEY, (key) => {
      const seen = new Set<string>();
      for (let i = 0; i < 16; i++)
        seen.add(
          encrypt(
            key,
            pattern(20, 1),
            false,
            Uint8Array.from(TWEAK, (x, j) => (i === j ? x ^ 1 : x)),
          ),
        );
      expect(seen.size).toBe(16);
    });
  });
});

describe('texts that are refused', () => {
  const textOf = (padded: Uint8Array) => {
    const data = Uint8Array.from(padded);
    withKey(KeyKind.Eme, KEY, (key) => crypto.emeTransform(key, false, TWEAK, 0, data, 0, data.length));
    return Buffer.from(data).toString('base64url');
  };
  const refused = (text: string, padded = false) => withKey(KeyKind.Eme, KEY, (key) => expect(decrypt(key, text, padded), text).toBeNull());

  it('wrong alphabet, line breaks, length and padding', () => {
    withKey(KeyKind.Eme, KEY, (key) => {
      const raw = encrypt(key, pattern(5, 1), false);
      const padded = encrypt(key, pattern(5, 1), true);
      expect(padded).toBe(`${raw}==`);
      expect(decrypt(key, raw, false)).not.toBeNull();
      for (const text of [
        '',
        'A',
        'AA',
        'AAAA',
        padded,
        `${raw}=`,
        `${raw}\n`,
        `\r${raw}`,
        `${raw}A`,
        `${raw}AA`,
        raw.slice(1),
        `+${raw.slice(1)}`,
        `/${raw.slice(1)}`,
      ]) {
        refused(text);
      }
      for (const text of [
        '',
        raw,
        `${raw}=`,
        `${raw}===`,
        `${raw}====`,
        `${padded}\n`,
        `${raw.slice(0, 10)}=${raw.slice(11)}==`,
        '=',
        '==',
        '====',
      ]) {
        refused(text, true);
      }
      for (let c = 0; c < 256; c++) {
        const char = String.fromCharCode(c);
        if (!/[A-Za-z0-9_-]/.test(char)) refused(char + raw.slice(1));
      }
    });
  });

  it('unused low bits of the last character', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    withKey(KeyKind.Eme, KEY, (key) => {
      for (const len of [5, 20]) {
        const raw = encrypt(key, pattern(len, 1), false);
        const unused = len === 5 ? 4 : 2;
        const last = alphabet.indexOf(raw.slice(-1));
        for (let bits = 1; bits < 1 << unused; bits++) refused(raw.slice(0, -1) + alphabet[last + bits]);
      }
    });
  });

  it('broken padding inside', () => {
    const block = (...tail: number[]) => join(new Uint8Array(16 - tail.length).fill(0x61), Uint8Array.from(tail));
    const whole = (p: number) => new Uint8Array(16).fill(p);
    for (const padded of [block(0), block(17), block(255), block(2, 3, 3), block(4, 4, 4, 5), block(1, 2), whole(16)])
      refused(textOf(padded));
    // A second block of nothing but padding is how names of 16 bytes end.
    withKey(KeyKind.Eme, KEY, (key) => {
      expect(decrypt(key, textOf(join(block(), whole(16))), false)).toEqual(new Uint8Array(16).fill(0x61));
      expect(decrypt(key, textOf(block(1)), false)).toEqual(new Uint8Array(15).fill(0x61));
      expect(decrypt(key, textOf(join(Uint8Array.of(0x61), new Uint8Array(15).fill(15))), false)).toEqual(Uint8Array.of(0x61));
    });
  });

  it('any text: either refused, or the one encoding of what comes out', () => {
    withKey(KeyKind.Eme, KEY, (key) => {
      fc.assert(
        fc.property(fc.string({ unit: fc.constantFrom(...'Aa0-_=\n'), maxLength: 60 }), fc.boolean(), (text, padded) => {
          const name = decrypt(key, text, padded);
          if (name !== null) expect(encrypt(key, name, padded)).toBe(text);
        }),
        { numRuns: 300 },
      );
    });
  });

  it('a destination that is too small throws', () => {
    withKey(KeyKind.Eme, KEY, (key) => {
      const src = Uint8Array.from(Buffer.from(encrypt(key, pattern(20, 1), false)));
      expect(crypto.nameDecrypt(key, TWEAK, 0, src, 0, src.length, new Uint8Array(21), 0, false)).toBe(20);
      expect(() => crypto.nameDecrypt(key, TWEAK, 0, src, 0, src.length, new Uint8Array(20), 0, false)).toThrow(RangeError);
      expect(() => crypto.nameEncrypt(key, TWEAK, 0, pattern(20, 1), 0, 20, new Uint8Array(43), 0, false)).toThrow(RangeError);
      expect(crypto.nameEncrypt(key, TWEAK, 0, pattern(20, 1), 0, 20, new Uint8Array(44), 0, false)).toBe(43);
      expect(() => crypto.nameEncrypt(key, TWEAK, 1, pattern(20, 1), 0, 20, new Uint8Array(100), 0, false)).toThrow(RangeError);
      expect(() => crypto.emeTransform(key, false, TWEAK, 0, new Uint8Array(40), 0, 17)).toThrow(RangeError);
      expect(() => crypto.emeTransform(key, false, TWEAK, 0, new Uint8Array(4000), 0, 2064)).toThrow(RangeError);
    });
  });
});
