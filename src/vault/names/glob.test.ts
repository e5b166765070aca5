import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { utf8 } from '../../../tests/support/vectors.ts';
import { Glob } from './glob.ts';

function matches(pattern: string, name: string | Uint8Array): boolean {
  const glob = Glob.compile(pattern);
  expect(glob, pattern).not.toBeNull();
  return glob!.matches(typeof name === 'string' ? utf8(name) : name);
}

/** The documented examples of the pattern language, and its corners. */
const CASES: readonly [string, string, boolean][] = [
  ['abc', 'abc', true],
  ['abc', 'abcd', false],
  ['*', 'abc', true],
  ['*', '', true],
  ['*c', 'abc', true],
  ['a*', 'a', true],
  ['a*', 'ab/c', false],
  ['a*/b', 'abc/b', true],
  ['a*/b', 'a/c/b', false],
  ['a*b*c*d*e*/f', 'axbxcxdxe/f', true],
  ['a*b*c*d*e*/f', 'axbxcxdxe/xxx/f', false],
  ['a*b?c*x', 'abxbbxdbxebxczzx', true],
  ['a*b?c*x', 'abxbbxdbxebxczzy', false],
  ['ab[c]', 'abc', true],
  ['ab[b-d]', 'abc', true],
  ['ab[e-g]', 'abc', false],
  ['ab[^c]', 'abc', false],
  ['ab[^e-g]', 'abc', true],
  ['a\\*b', 'a*b', true],
  ['a\\*b', 'axb', false],
  ['a?b', 'a☺b', true],
  ['a[^a]b', 'a☺b', true],
  ['a???b', 'a☺b', false],
  ['[a-ζ]*', 'α', true],
  ['*[a-ζ]', 'A', false],
  ['a?b', 'a/b', false],
  ['[\\]a]', ']', true],
  ['[\\-x]', '-', true],
  ['[x\\-]', 'z', false],
  ['[a-b-c]', 'b', false],
  ['**', 'ab', true],
  ['*x', 'xxx', true],
  ['', '', true],
  ['', 'a', false],
  ['?', '', false],
];

/** `-` in front of a class, or right behind a range, has to be escaped. */
const MALFORMED = ['[', '[]', '[]a]', '[-]', '[x-]', '[-x]', '[a-b-c]', '[^', '[^]', '[^bc', 'a[', 'a\\', '[\\', '[a', '[a-', '[a-]', '*['];

describe('Glob', () => {
  it.each(CASES.filter(([pattern]) => !MALFORMED.includes(pattern)))('%j and %j: %s', (pattern, name, expected) => {
    expect(matches(pattern, name)).toBe(expected);
  });

  it.each(MALFORMED)('%j is malformed', (pattern) => {
    expect(Glob.compile(pattern)).toBeNull();
  });

  it('agrees with a regular expression on names, which have no slash', () => {
    const terms = fc.constantFrom('*', '?', 'a', 'b', '[ab]', '[^a]', '\\*', '.');
    const meanings: Record<string, string> = {
      '*': '[^/]*',
      '?': '[^/]',
      a: 'a',
      b: 'b',
      '[ab]': '[ab]',
      '[^a]': '[^a]',
      '\\*': '\\*',
      '.': '\\.',
    };
    fc.assert(
      fc.property(
        fc.array(terms, { maxLength: 6 }),
        fc.string({ unit: fc.constantFrom('a', 'b', '*', '.'), maxLength: 8 }),
        (parts, name) => {
          const regexp = new RegExp(`^${parts.map((part) => meanings[part]).join('')}$`, 's');
          expect(matches(parts.join(''), name)).toBe(regexp.test(name));
        },
      ),
      { numRuns: 5000 },
    );
  });

  it('takes an invalid byte for one character', () => {
    expect(matches('a?b', new Uint8Array([0x61, 0xff, 0x62]))).toBe(true);
  });

  it('does not take exponential time', () => {
    expect(matches(`${'a*'.repeat(40)}b`, 'a'.repeat(255))).toBe(false);
  });
});
