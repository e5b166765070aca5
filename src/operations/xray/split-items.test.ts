import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitItems } from './split-items.ts';

async function* chunksOf(...chunks: string[]): AsyncGenerator<Uint8Array> {
  for (const chunk of chunks) yield Buffer.from(chunk, 'latin1');
}

async function split(separator: string, ...chunks: string[]): Promise<string[]> {
  const items: string[] = [];
  for await (const item of splitItems(chunksOf(...chunks), separator.charCodeAt(0))) items.push(Buffer.from(item).toString('latin1'));
  return items;
}

describe('splitItems', () => {
  it.each([
    [[], []],
    [[''], []],
    [['\n'], ['']],
    [['a'], ['a']],
    [['a\n'], ['a']],
    [['a\nb'], ['a', 'b']],
    [['a\n\nb\n'], ['a', '', 'b']],
    [
      ['a', 'b\nc', '\n', 'd'],
      ['ab', 'c', 'd'],
    ],
    [['a\0b\r\n'], ['a\0b\r']],
  ])('%j gives %j', async (chunks, expected) => {
    expect(await split('\n', ...chunks)).toEqual(expected);
  });

  it('takes NUL as well', async () => {
    expect(await split('\0', 'a\nb\0', 'c')).toEqual(['a\nb', 'c']);
  });

  it('gives an item as soon as it is complete', async () => {
    const seen: string[] = [];
    async function* source(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('a\nb');
      seen.push('asked for more');
      yield Buffer.from('\n');
    }
    for await (const item of splitItems(source(), 10)) seen.push(Buffer.from(item).toString());
    expect(seen).toEqual(['a', 'asked for more', 'b']);
  });

  it('does not depend on where the stream is cut', async () => {
    const item = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(fc.array(item, { maxLength: 6 }), fc.infiniteStream(fc.integer({ min: 1, max: 4 })), async (items, sizes) => {
        const stream = items.map((text) => `${text}\n`).join('');
        const chunks: string[] = [];
        for (let at = 0; at < stream.length; ) {
          const size = sizes.next().value ?? 1;
          chunks.push(stream.slice(at, at + size));
          at += size;
        }
        expect(await split('\n', ...chunks)).toEqual(items);
      }),
    );
  });
});
