import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  asciiBytes,
  concatBytes,
  copyBytes,
  endsWith,
  equalBytes,
  fromHex,
  isBytes,
  isZero,
  readBE16,
  readBE32,
  readBE64,
  startsWith,
  toHex,
  writeBE16,
  writeBE32,
  writeBE64,
} from './bytes.ts';

describe('big-endian numbers', () => {
  it('are written as node writes them', () => {
    fc.assert(
      fc.property(fc.nat(0xffff), fc.nat(0xffff_ffff), fc.maxSafeNat(), (a, b, c) => {
        const ours = new Uint8Array(15);
        writeBE16(ours, 1, a);
        writeBE32(ours, 3, b);
        writeBE64(ours, 7, c);
        const theirs = Buffer.alloc(15);
        theirs.writeUInt16BE(a, 1);
        theirs.writeUInt32BE(b, 3);
        theirs.writeBigUInt64BE(BigInt(c), 7);
        expect(Buffer.from(ours)).toEqual(theirs);
        expect([readBE16(ours, 1), readBE32(ours, 3), readBE64(ours, 7)]).toEqual([a, b, c]);
      }),
    );
  });
});

describe('ranges', () => {
  const buf = asciiBytes('..abcab..');

  it('compare inside their limits only', () => {
    expect(equalBytes(buf, 2, buf, 5, 2)).toBe(true);
    expect(equalBytes(buf, 2, buf, 5, 3)).toBe(false);
    expect(startsWith(buf, 2, 5, asciiBytes('abc'))).toBe(true);
    expect(startsWith(buf, 2, 2, asciiBytes('abc'))).toBe(false);
    expect(endsWith(buf, 2, 5, asciiBytes('cab'))).toBe(true);
    expect(endsWith(buf, 5, 2, asciiBytes('cab'))).toBe(false);
    expect(isBytes(buf, 2, 3, asciiBytes('abc'))).toBe(true);
    expect(isBytes(buf, 2, 4, asciiBytes('abc'))).toBe(false);
  });

  it('are zero only if every byte is', () => {
    const zeros = new Uint8Array(18);
    zeros[0] = 1;
    zeros[17] = 1;
    expect(isZero(zeros, 1, 16)).toBe(true);
    expect(isZero(zeros, 1, 17)).toBe(false);
    expect(isZero(zeros, 0, 16)).toBe(false);
    expect(isZero(zeros, 0, 0)).toBe(true);
  });

  it('copy and join', () => {
    const dst = new Uint8Array(5);
    copyBytes(buf, 2, dst, 1, 3);
    expect(toHex(dst)).toBe('0061626300');
    expect(toHex(concatBytes(dst, new Uint8Array(0), asciiBytes('z')))).toBe('00616263007a');
  });
});

describe('hexadecimal text', () => {
  it('round-trips and accepts either case', () => {
    fc.assert(
      fc.property(fc.uint8Array(), (bytes) => {
        expect(toHex(bytes)).toBe(Buffer.from(bytes).toString('hex'));
        expect(fromHex(toHex(bytes))).toEqual(bytes);
        expect(fromHex(toHex(bytes).toUpperCase())).toEqual(bytes);
      }),
    );
  });

  it.each(['a', 'zz', '0x', ' a', 'a\n', '1 ', 'é0'])('refuses %j', (text) => {
    expect(fromHex(text)).toBeNull();
  });
});
