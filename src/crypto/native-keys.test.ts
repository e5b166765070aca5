/** Key slots, the zero-key defect of format.md 2.1, tiers, random bytes, small helpers. */
import nodeCrypto from 'node:crypto';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { KeyKind } from '../native.ts';
import { CIPHERS, crypto, hex, onTier, pattern, toHex, vectors, withKey } from './native-fixtures.ts';

const KEY_LENGTHS: [KeyKind, number[]][] = [
  [KeyKind.AesGcm, [32]],
  [KeyKind.AesSiv, [64]],
  [KeyKind.XChaCha20Poly1305, [32]],
  [KeyKind.Aegis128X2, [16]],
  [KeyKind.Aegis256X2, [32]],
  [KeyKind.AesGcm96, [32]],
  [KeyKind.Eme, [16, 32]],
];

describe('the key in use', () => {
  it.each(CIPHERS)('$name does not depend on what the caller does with his buffer afterwards', (cipher) => {
    const bytes = pattern(cipher.keyLen, 1);
    const own = crypto.keyCreate(cipher.kind, Uint8Array.from(bytes));
    const given = Uint8Array.from(bytes);
    const wiped = crypto.keyCreate(cipher.kind, given);
    const zero = crypto.keyCreate(cipher.kind, new Uint8Array(cipher.keyLen));
    given.fill(0);
    const nonce = pattern(cipher.nonceLen, 2);
    const sealWith = (key: number) => toHex(crypto.sealOne(key, nonce, pattern(100, 3), pattern(24, 4)));
    for (const tier of crypto.tiers()) {
      onTier(tier, () => {
        expect(sealWith(wiped)).toBe(sealWith(own));
        expect(sealWith(wiped)).not.toBe(sealWith(zero));
      });
    }
    for (const key of [own, wiped, zero]) crypto.keyFree(key);
  });

  it.each(KEY_LENGTHS)('keyIsZero looks at kind %i', (kind, lengths) => {
    for (const len of lengths) {
      withKey(kind, new Uint8Array(len), (key) => expect(crypto.keyIsZero(key)).toBe(true));
      for (let i = 0; i < len; i++) {
        const bytes = new Uint8Array(len);
        bytes[i] = 1;
        withKey(kind, bytes, (key) => expect(crypto.keyIsZero(key), `byte ${i}`).toBe(false));
      }
    }
  });

  it('every byte of a key matters', () => {
    for (const cipher of CIPHERS) {
      const seen = new Set<string>();
      for (let i = -1; i < cipher.keyLen; i++) {
        const bytes = pattern(cipher.keyLen, 1);
        if (i >= 0) bytes[i]! ^= 1;
        withKey(cipher.kind, bytes, (key) =>
          seen.add(toHex(crypto.sealOne(key, pattern(cipher.nonceLen, 2), pattern(64, 3), new Uint8Array(8)))),
        );
      }
      expect(seen.size, cipher.name).toBe(cipher.keyLen + 1);
    }
  });
});

describe('key slots', () => {
  it.each(KEY_LENGTHS)('a wrong length is refused for kind %i', (kind, lengths) => {
    for (const len of [0, 15, 16, 17, 31, 32, 33, 63, 64, 65].filter((n) => !lengths.includes(n))) {
      expect(() => crypto.keyCreate(kind, new Uint8Array(len)), `${len}`).toThrow(RangeError);
    }
  });

  it('an unknown kind is refused', () => {
    expect(() => crypto.keyCreate(7 as KeyKind, new Uint8Array(32))).toThrow(RangeError);
  });

  it('a freed handle stays dead when its slot is used again', () => {
    const old = crypto.keyCreate(KeyKind.AesGcm, pattern(32, 1));
    crypto.keyFree(old);
    const fresh = Array.from({ length: 64 }, () => crypto.keyCreate(KeyKind.AesGcm, pattern(32, 2)));
    expect(fresh).not.toContain(old);
    expect(() => crypto.sealOne(old, null, new Uint8Array(1), new Uint8Array(0))).toThrow(/freed/);
    expect(() => crypto.keyIsZero(old)).toThrow(/freed/);
    expect(() => crypto.keyFree(old)).toThrow(/freed/);
    expect(() => crypto.keyCreate(KeyKind.AesGcm, pattern(32, 3))).toThrow(/slots/);
    for (const key of fresh) crypto.keyFree(key);
  });

  it('invented handles are refused', () => {
    for (const handle of [0, 1, 63, 64, 2 ** 53 - 1]) expect(() => crypto.keyIsZero(handle)).toThrow(/freed/);
    for (const handle of [-1, 0.5, Number.NaN, 2 ** 60]) expect(() => crypto.keyIsZero(handle)).toThrow(RangeError);
  });

  it('keysWipe ends every key', () => {
    const keys = CIPHERS.map((cipher) => crypto.keyCreate(cipher.kind, pattern(cipher.keyLen, 1)));
    crypto.keysWipe();
    for (const key of keys) expect(() => crypto.keyIsZero(key)).toThrow(/freed/);
    // The pool of random bytes works on after a wipe.
    withKey(KeyKind.AesGcm, pattern(32, 1), (key) =>
      expect(crypto.sealOne(key, null, new Uint8Array(1), new Uint8Array(0)).length).toBe(33),
    );
  });

  it('a key serves every thread, until any of them ends it', async () => {
    const key = crypto.keyCreate(KeyKind.Aegis128X2, pattern(16, 1));
    const nonce = pattern(16, 2);
    const source = `
      const { parentPort, workerData } = require('node:worker_threads');
      const { crypto } = require('node-gyp-build')(workerData.root);
      const sealed = crypto.sealOne(workerData.key, workerData.nonce, new Uint8Array(50), new Uint8Array(8));
      crypto.keyFree(workerData.key);
      parentPort.postMessage(sealed);`;
    const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '../..');
    const expected = crypto.sealOne(key, nonce, new Uint8Array(50), new Uint8Array(8));
    const worker = new Worker(source, { eval: true, workerData: { root, key, nonce } });
    const sealed = await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
    await worker.terminate();
    expect(sealed).toEqual(expected);
    expect(() => crypto.keyIsZero(key)).toThrow(/freed/);
  });

  it('keys of the wrong kind are refused', () => {
    const one = new Uint8Array(4200);
    withKey(KeyKind.Eme, pattern(32, 1), (key) => {
      expect(() => crypto.sealOne(key, null, one, one)).toThrow(TypeError);
      expect(() => crypto.openOne(key, one, one)).toThrow(TypeError);
      expect(() => crypto.sealRun(key, one, 0, 1, one, 0, one, 0, 0)).toThrow(TypeError);
    });
    withKey(KeyKind.AesGcm96, pattern(32, 1), (key) => expect(() => crypto.openRun(key, one, 0, 1, one, 0, one, 0, 0)).toThrow(TypeError));
    withKey(KeyKind.AesGcm, pattern(32, 1), (key) => expect(() => crypto.emeTransform(key, false, one, 0, one, 0, 16)).toThrow(TypeError));
  });

  it('a value that is no Uint8Array is refused', () => {
    const wrong = new Float64Array(4) as unknown as Uint8Array;
    expect(() => crypto.keyCreate(KeyKind.AesGcm, wrong)).toThrow(TypeError);
    expect(() => crypto.zero('text' as unknown as Uint8Array)).toThrow(TypeError);
  });
});

describe('tiers', () => {
  it('start with the portable one and can be forced', () => {
    const tiers = crypto.tiers();
    expect(tiers[0]).toBe('portable');
    for (const tier of tiers) {
      onTier(tier, () => {
        for (const [kind] of KEY_LENGTHS) expect(tiers.indexOf(crypto.tierOf(kind))).toBeLessThanOrEqual(tiers.indexOf(tier));
        expect(crypto.tierOf(KeyKind.Aegis128X2)).toBe(tier);
      });
    }
    expect(crypto.tierOf(KeyKind.Aegis128X2)).toBe(tiers[tiers.length - 1]);
    expect(() => crypto.forceTier('sse9')).toThrow(RangeError);
    expect(crypto.hasAesAcceleration()).toBe(tiers.length > 1);
  });

  it('benchSeal reports a speed', () => {
    withKey(KeyKind.Aegis128X2, pattern(16, 1), (key) => {
      expect(crypto.benchSeal(key, 4096, 5)).toBeGreaterThan(0);
      expect(() => crypto.benchSeal(key, 0, 5)).toThrow(RangeError);
    });
  });
});

describe('small helpers', () => {
  it('randomFill fills its range and nothing else', () => {
    for (const len of [0, 1, 15, 16, 31, 32, 33, 5000, 70_000]) {
      const dst = new Uint8Array(len + 20).fill(0xa5);
      crypto.randomFill(dst, 10, len);
      expect(dst.subarray(0, 10).every((x) => x === 0xa5)).toBe(true);
      expect(dst.subarray(10 + len).every((x) => x === 0xa5)).toBe(true);
      if (len >= 15) expect(new Set(dst.subarray(10, 10 + len)).size).toBeGreaterThan(5);
    }
    expect(() => crypto.randomFill(new Uint8Array(4), 1, 4)).toThrow(RangeError);
  });

  it('random bytes do not repeat and are evenly spread', () => {
    const counts = new Uint32Array(256);
    const seen = new Set<string>();
    const dst = new Uint8Array(16);
    for (let i = 0; i < 20_000; i++) {
      crypto.randomFill(dst, 0, 16);
      seen.add(toHex(dst));
      for (const x of dst) counts[x]!++;
    }
    expect(seen.size).toBe(20_000);
    // 1250 expected each, standard deviation 35.
    for (const count of counts) expect(Math.abs(count - 1250)).toBeLessThan(300);
  });

  it('zero erases', () => {
    const bytes = pattern(100, 1);
    crypto.zero(bytes.subarray(10, 90));
    expect(bytes.subarray(10, 90).every((x) => x === 0)).toBe(true);
    expect(bytes.subarray(0, 10)).toEqual(pattern(100, 1).subarray(0, 10));
  });

  it('sha256 agrees with OpenSSL', () => {
    for (const len of [0, 1, 55, 56, 57, 63, 64, 65, 119, 120, 128, 344, 4096]) {
      const src = pattern(len + 3, len);
      const dst = new Uint8Array(40);
      crypto.sha256(src, 3, len, dst, 5);
      expect(toHex(dst.subarray(5, 37))).toBe(nodeCrypto.createHash('sha256').update(src.subarray(3)).digest('hex'));
    }
    expect(() => crypto.sha256(new Uint8Array(1), 0, 1, new Uint8Array(31), 0)).toThrow(RangeError);
  });
});

it('reads vectors', () => expect(hex(vectors<{ masterkey: string }>('kdf.json').masterkey).length).toBe(32));
