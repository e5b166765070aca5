import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { base64UrlLength, base64UrlText, decodeBase64, decodeBase64Url, encodeBase64, encodeBase64Url } from './base64.ts';
import { asciiBytes } from './bytes.ts';

/** What node:buffer makes of it, with the padding that it leaves out. */
function reference(bytes: Uint8Array, padded: boolean): string {
  const raw = Buffer.from(bytes).toString('base64url');
  return padded ? raw.padEnd(Math.ceil(raw.length / 4) * 4, '=') : raw;
}

function decode(text: string, padded: boolean): Uint8Array | null {
  const dst = new Uint8Array(text.length + 3);
  const len = decodeBase64Url(asciiBytes(`??${text}??`), 2, text.length, dst, 1, padded);
  return len < 0 ? null : dst.slice(1, 1 + len);
}

describe('base64url', () => {
  it.each([true, false])('agrees with node, padded %s', (padded) => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (bytes) => {
        const text = reference(bytes, padded);
        expect(base64UrlLength(bytes.length, padded)).toBe(text.length);
        expect(base64UrlText(bytes, padded)).toBe(text);
        expect(decode(text, padded)).toEqual(bytes);
        if (text.includes('=')) expect(decode(text, !padded)).toBeNull();
      }),
    );
  });

  it('accepts a text only if it is the encoding of its result', () => {
    const chars = fc.constantFrom(...'ABQgw_-=+/\r\n.09az');
    fc.assert(
      fc.property(fc.string({ unit: chars, maxLength: 9 }), fc.boolean(), (text, padded) => {
        const bytes = decode(text, padded);
        if (bytes !== null) expect(reference(bytes, padded)).toBe(text);
        else expect(reference(new Uint8Array(Buffer.from(text, 'base64url')), padded)).not.toBe(text);
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['A', false],
    ['AAAAA', false],
    ['AB', false],
    ['AAB', false],
    ['AA==', false],
    ['AA=', true],
    ['AA', true],
    ['AAA', true],
    ['====', true],
    ['A===', true],
    ['AA==AA==', true],
    ['=', false],
    ['AA\n', false],
    ['A+', false],
    ['A/', false],
  ])('refuses %j, padded %s', (text, padded) => {
    expect(decode(text, padded)).toBeNull();
  });

  it('refuses every unused bit that is set', () => {
    const chars = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    for (let i = 0; i < 64; i++) {
      expect(decode(`A${chars[i]}`, false) !== null, chars[i]).toBe(i % 16 === 0);
      expect(decode(`AA${chars[i]}`, false) !== null, chars[i]).toBe(i % 4 === 0);
    }
  });

  it('writes nothing outside its range', () => {
    const dst = new Uint8Array(12).fill(7);
    expect(encodeBase64Url(asciiBytes('xyza'), 0, 4, dst, 2, true)).toBe(8);
    expect([dst[0], dst[1], dst[10], dst[11]]).toEqual([7, 7, 7, 7]);
  });
});

describe('standard base64', () => {
  it('round-trips, also with line breaks inside', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 100 }), fc.nat(), (bytes, at) => {
        const text = encodeBase64(bytes);
        const cut = at % text.length;
        expect(text).toBe(Buffer.from(bytes).toString('base64'));
        expect(decodeBase64(`${text.slice(0, cut)}\r\n${text.slice(cut)}\n`)).toEqual(bytes);
      }),
    );
  });

  it.each(['A', 'AA', 'AA=', 'AAA', 'A===', 'AA==AA==', 'A-_=', 'AA ==', '!AAA', 'AAAA='])('refuses %j', (text) => {
    expect(decodeBase64(text)).toBeNull();
  });

  it('does not mind unused low bits, as the original does not', () => {
    expect(decodeBase64('AB==')).toEqual(new Uint8Array([0]));
  });
});
