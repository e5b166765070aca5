import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bytesOfText, fsPath, textOfBytes } from './byte-text.ts';

describe('text that stands for bytes', () => {
  it('comes back as the same bytes, whatever they are', () => {
    const bytes = fc.array(
      fc.oneof(fc.integer({ min: 0, max: 255 }), fc.constantFrom(0xc3, 0xa4, 0xe2, 0x82, 0xac, 0xf0, 0x9f, 0x92, 0xa9, 0xed)),
    );
    fc.assert(
      fc.property(bytes, (list) => {
        expect([...bytesOfText(textOfBytes(Uint8Array.from(list)))]).toEqual(list);
      }),
    );
  });

  it('is the text itself where the bytes are UTF-8', () => {
    for (const text of ['', 'a b', 'ä€💩', '\ufeffx', 'a\nb']) {
      expect(textOfBytes(Buffer.from(text))).toBe(text);
      expect(fsPath(text)).toBe(text);
    }
  });

  it('keeps the characters around a byte that is none', () => {
    expect(textOfBytes(Buffer.concat([Buffer.from('ä'), Buffer.of(0xff), Buffer.from('💩')]))).toBe('ä\udcff💩');
    expect(fsPath('ä\udcff💩')).toEqual(Buffer.concat([Buffer.from('ä'), Buffer.of(0xff), Buffer.from('💩')]));
  });
});
