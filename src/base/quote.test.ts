import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { quoteName } from './quote.ts';

/** A text as the bytes of its UTF-8 form, one character per byte. */
function bytesOf(text: string): string {
  return Buffer.from(text, 'utf8').toString('latin1');
}

describe('quoteName', () => {
  // The first five rows are lines of gocryptfs 2.3 -fsck; the rest follows the rules of Go's strconv.Quote (https://pkg.go.dev/strconv).
  it.each([
    ['', '""'],
    ['new\nline', String.raw`"new\nline"`],
    ['q\n"x', String.raw`"q\n\"x"`],
    ['bad\xffutf\xc3\xa9', String.raw`"bad\xffutfé"`],
    ['name (conflict)', '"name (conflict)"'],
    ['\x07\b\f\r\t\v\\', String.raw`"\a\b\f\r\t\v\\"`],
    ['\x00\x1b[31m\x7f', String.raw`"\x00\x1b[31m\x7f"`],
    [bytesOf('\u0085\u200b\u00a0'), String.raw`"\u0085\u200b\u00a0"`],
    [bytesOf('\u{1f512}\u{e0001}'), String.raw`"🔒\U000e0001"`],
    [bytesOf('\ufffd\ufeff'), String.raw`"�\ufeff"`],
    // A sequence cut short, an overlong one and a surrogate half are no UTF-8.
    ['\xe2\x82', String.raw`"\xe2\x82"`],
    ['\xc0\xaf', String.raw`"\xc0\xaf"`],
    ['\xed\xa0\x80', String.raw`"\xed\xa0\x80"`],
    ['\xe2(\xa1', String.raw`"\xe2(\xa1"`],
  ])('%j becomes %s', (bytes, quoted) => {
    expect(quoteName(bytes)).toBe(quoted);
  });

  it('gives one printable line for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(quoteName(Buffer.from(bytes).toString('latin1'))).toMatch(/^"[^\p{C}\p{Zl}\p{Zp}]*"$/u);
      }),
    );
  });
});
