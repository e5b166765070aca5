import { describe, expect, it } from 'vitest';
import { LinearRegex } from './regex.ts';
import { SyntaxFault } from './regex-syntax.ts';

function test(expression: string, text: string): boolean {
  return new LinearRegex(expression).test(Array.from(text, (char) => char.codePointAt(0)!));
}

describe('expressions', () => {
  it.each<[string, string[], string[]]>([
    ['^a{2,3}$', ['aa', 'aaa'], ['a', 'aaaa']],
    ['^a{2}$', ['aa'], ['aaa']],
    ['^a{2,}$', ['aa', 'aaaaa'], ['a']],
    ['^a{x}$', ['a{x}'], ['a']],
    ['^(ab|c)*d$', ['d', 'abcd'], ['abd c', 'ad']],
    ['^a+?b??$', ['a', 'aab'], ['b']],
    ['^[^a-c]$', ['d', 'é'], ['b']],
    ['^[]a]$', [']', 'a'], ['b']],
    ['^[a-]$', ['a', '-'], ['b']],
    ['^[[:digit:]x]$', ['5', 'x'], ['y']],
    ['^[[:^digit:]]$', ['y'], ['5']],
    ['^[\\d_]$', ['1', '_'], ['a']],
    ['^\\d\\D\\w\\W\\s\\S$', ['1a_- x'], ['aa_- x']],
    ['^\\pL\\p{Greek}\\P{Lu}$', ['éβx'], ['1βx', 'éβX']],
    ['^\\x41\\x{e9}\\101\\n$', ['AéA\n'], ['AéB\n']],
    ['^\\Qa.b\\E+$', ['a.bb'], ['axb']],
    ['\\bfoo\\b', ['a foo b', 'foo'], ['afoo']],
    ['o\\Bo', ['foo'], ['o o']],
    ['\\Aa\\z', ['a'], ['ab', 'ba']],
    ['(|a)+b', ['b', 'aab'], ['a']],
    ['^.$', ['\n', '🙂'], ['']],
  ])('%s', (expression, matching, others) => {
    expect(matching.filter((text) => !test(expression, text))).toEqual([]);
    expect(others.filter((text) => test(expression, text))).toEqual([]);
  });

  it.each([
    '(',
    ')',
    'a)',
    '[',
    '[b-a]',
    '*a',
    'a**',
    'a++',
    'a{1001}',
    'a{2,1}',
    '\\',
    '\\q',
    '\\1',
    '(?i)a',
    '\\p{Nope}',
    '[[:nope:]]',
    '((a{1000}){1000})',
  ])('refuses %s', (expression) => {
    expect(() => new LinearRegex(expression)).toThrow(SyntaxFault);
  });
});
