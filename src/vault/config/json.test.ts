import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { JsonSyntaxError, type JsonValue, parseJson } from './json.ts';

/** Back to what JSON.parse would give. */
function plain(value: JsonValue): unknown {
  switch (value.kind) {
    case 'null':
      return null;
    case 'number':
      return Number(value.literal);
    case 'array':
      return value.items.map(plain);
    case 'object':
      return Object.fromEntries(value.entries.map(([key, item]) => [key, plain(item)]));
    default:
      return value.value;
  }
}

describe('parseJson', () => {
  it('reads what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), fc.constantFrom('', '\t', '  '), (value, indent) => {
        const text = JSON.stringify(value, null, indent);
        expect(plain(parseJson(text))).toEqual(JSON.parse(text));
      }),
    );
  });

  it('accepts exactly what JSON.parse accepts', () => {
    const unit = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ':',
      ',',
      '"',
      '"a"',
      '\\',
      '\\u12',
      '0',
      '1',
      '-',
      '.',
      'e',
      '+',
      'true',
      'null',
      ' ',
      '\n',
      '\t',
      '\u0000',
      '\u007f',
      'é',
    );
    fc.assert(
      fc.property(fc.string({ unit, maxLength: 8 }), (text) => {
        let expected: unknown;
        let valid = true;
        try {
          expected = JSON.parse(text);
        } catch {
          valid = false;
        }
        if (valid) expect(plain(parseJson(text))).toEqual(expected);
        else expect(() => parseJson(text)).toThrow(JsonSyntaxError);
      }),
      { numRuns: 20_000 },
    );
  });

  it('keeps literals, order and repeated names', () => {
    expect(parseJson('{"b":1e3,"a":18446744073709551615,"b":-0}')).toEqual({
      kind: 'object',
      entries: [
        ['b', { kind: 'number', literal: '1e3' }],
        ['a', { kind: 'number', literal: '18446744073709551615' }],
        ['b', { kind: 'number', literal: '-0' }],
      ],
    });
  });

  it('ends with an ordinary error when nested too deeply', () => {
    expect(() => parseJson('['.repeat(100_000))).toThrow(JsonSyntaxError);
  });
});
