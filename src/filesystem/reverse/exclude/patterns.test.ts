import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePatterns, isHidden, patternExpression } from './patterns.ts';

/** The tree of behaviour.md appendix B, with all parents. */
const TREE = [
  ...[
    'a',
    'a/f.txt',
    'a/b',
    'a/b/f.txt',
    'a/b/c',
    'a/b/c/f.txt',
    'foo',
    'foo/bar',
    'x',
    'x/foo',
    'Documentation',
    'Documentation/git.html',
  ],
  ...[
    'Documentation/ppc',
    'Documentation/ppc/ppc.html',
    'abc',
    'abc/d',
    'abc/d/e',
    'q1.txt',
    'q?.txt',
    '#hash',
    '!bang',
    '[ab]',
    'aa',
    'b',
  ],
  ...['p+q', '(x)', 'star*x', 'starAx'],
];
const ALL_A = TREE.filter((entry) => entry === 'a' || entry.startsWith('a/'));

/** Entries that cannot be reached: hidden themselves or below something hidden. */
function hidden(...lines: string[]): string[] {
  const patterns = compilePatterns(lines);
  const isGone = (entry: string): boolean => {
    const parts = entry.split('/');
    return parts.some((_, i) => isHidden(patterns, Buffer.from(parts.slice(0, i + 1).join('/'))));
  };
  return TREE.filter(isGone).sort();
}

describe('exclusion patterns hide what gocryptfs hides (behaviour.md appendix B)', () => {
  it.each<[string[], string[]]>([
    [['f.txt'], ['a/f.txt', 'a/b/f.txt', 'a/b/c/f.txt']],
    [['/f.txt'], []],
    [['b/f.txt'], ['a/b/f.txt']],
    [['Documentation/*.html'], ['Documentation/git.html']],
    [['**/foo'], ['foo', 'foo/bar', 'x/foo']],
    [['foo'], ['foo', 'foo/bar', 'x/foo']],
    [['abc/**'], ['abc', 'abc/d', 'abc/d/e']],
    [['a/**/f.txt'], ['a/f.txt', 'a/b/f.txt', 'a/b/c/f.txt']],
    [['foo/'], ['foo/bar']],
    [['foo/*'], ['foo/bar']],
    [['a/b/'], ['a/b/c', 'a/b/c/f.txt', 'a/b/f.txt']],
    [['q?.txt'], ['q?.txt']],
    [['\\#hash'], ['#hash']],
    [['\\!bang'], ['!bang']],
    [['#hash'], []],
    [['!bang'], []],
    [['[ab]'], [...ALL_A, 'b']],
    [['[!a]'], ALL_A],
    [['p+q'], []],
    [['('], []],
    [['(x)'], ['x', 'x/foo']],
    [['star\\*x'], ['star*x']],
    [['b|aa'], ['a/b', 'a/b/c', 'a/b/c/f.txt', 'a/b/f.txt', 'aa', 'b', 'foo/bar']],
    [['q[0-9].txt'], ['q1.txt']],
    [['*', '!/foo'], TREE.filter((entry) => entry !== 'foo' && entry !== 'foo/bar')],
    [['a', '!a/b/f.txt'], ALL_A],
    // -exclude puts a slash in front.
    [['/a/f.txt'], ['a/f.txt']],
    [['//a'], []],
    [['/'], TREE],
    [
      [' b \r', '', '   '],
      ['a/b', 'a/b/c', 'a/b/c/f.txt', 'a/b/f.txt', 'b'],
    ],
    [['B'], []],
    [['***'], TREE],
  ])('%j', (lines, expected) => {
    expect(hidden(...lines)).toEqual([...expected].sort());
  });

  it('takes bytes that are no UTF-8 and line breaks in names', () => {
    const patterns = compilePatterns(['/dir']);
    expect(isHidden(patterns, Buffer.from([0x64, 0x69, 0x72, 0x2f, 0xff, 0x0a, 0x61]))).toBe(true);
    expect(isHidden(compilePatterns(['*.x']), Buffer.from('a\nb.x'))).toBe(true);
  });

  it('agrees with the regular expressions of this runtime', () => {
    const piece = fc.constantFrom('a', 'b', '/', '*', '**', '?', '.', '[ab]', '(a|b)', '|', '+', '\\*', '!', 'c');
    const line = fc.array(piece, { minLength: 1, maxLength: 7 }).map((parts) => parts.join(''));
    const path = fc.stringMatching(/^[abc*.?/]{1,8}$/).filter((text) => !/^\/|\/\/|\/$/.test(text));
    fc.assert(
      fc.property(line, path, (pattern, subject) => {
        const parsed = patternExpression(pattern);
        if (parsed === null) return;
        const [mine] = compilePatterns([pattern.replace(/^!+/, '')]);
        const positive = patternExpression(pattern.replace(/^!+/, ''));
        if (positive === null || mine === undefined) return;
        expect(mine.regex.test(Array.from(subject, (char) => char.codePointAt(0)!))).toBe(
          new RegExp(positive.expression, 'su').test(subject),
        );
      }),
      { numRuns: 2000 },
    );
  });

  it('takes time in proportion to the path for patterns that would make others backtrack', () => {
    const patterns = compilePatterns([`${'*a'.repeat(30)}x`, '((a+)+)+x', '(a|aa)+x']);
    expect(patterns).toHaveLength(3);
    expect(isHidden(patterns, Buffer.from('a'.repeat(4000)))).toBe(false);
  });
});
