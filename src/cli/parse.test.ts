import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FLAGS } from './flags.ts';
import { doubleDashes, expandOptionLists, type ParsedLine, type ParseResult, parseCommandLine, quoteWords } from './parse.ts';

function parse(...argv: string[]): ParseResult {
  return parseCommandLine('gocryptfs', argv);
}

function options(...argv: string[]): ParsedLine {
  const result = parse(...argv);
  if (result.kind !== 'options') {
    throw new Error(`not options: ${JSON.stringify(result)}`);
  }
  return result;
}

function message(...argv: string[]): string {
  const result = parse(...argv);
  return result.kind === 'error' ? result.message : `no error: ${result.kind}`;
}

describe('pass 1: -o lists (behaviour.md 1.2)', () => {
  it('puts the items in front, in order', () => {
    expect(expandOptionLists(['C', 'M', '-o', 'q,passfile=/f'])).toEqual(['-q', '-passfile=/f', 'C', 'M']);
  });
  it('takes a list behind the equals sign', () => {
    expect(expandOptionLists(['-o=ro,,q', 'C'])).toEqual(['-ro', '-q', 'C']);
  });
  it('collects all lists in order', () => {
    expect(expandOptionLists(['-o', 'a', 'C', '-o=b', '-o', 'c,d'])).toEqual(['-a', '-b', '-c', '-d', 'C']);
  });
  it('does nothing if "--" stands anywhere', () => {
    expect(expandOptionLists(['-o', 'q', '--', 'C'])).toEqual(['-o', 'q', '--', 'C']);
    expect(message('-o', 'q', '--', 'C')).toContain('unknown flag: --o.');
  });
  it('does nothing for fewer than two words', () => {
    expect(expandOptionLists(['-o=q'])).toEqual(['-o=q']);
    expect(message('-o')).toContain(': unknown flag: --o. Try');
  });
  it('refuses -o as the last word', () => {
    expect(message('foo', 'bar', '-o')).toBe('the "-o" option requires an argument');
  });
  it.each(['o', '-o', 'q,o', 'ro,-o'])('refuses the item o in %s', (list) => {
    expect(message('C', 'M', '-o', list)).toBe(`You can't pass "-o" to "-o"`);
  });
  it('allows one dash of its own per item, not two', () => {
    expect(options('C', '-o', '-q').values.quiet).toBe(true);
    expect(message('C', '-o', '--q')).toContain(': bad flag syntax: ---q.');
  });
  it.each(['-oro', '-oooo', '--o'])('does not take %s for a list', (word) => {
    expect(message(word, 'q')).toContain(`unknown flag: --${word.replace(/^-+/, '')}.`);
  });
  it('lets an explicit option win over the list', () => {
    expect(options('-q=false', 'C', '-o', 'q').values.quiet).toBe(false);
    expect(options('C', '-o', 'scryptn=11', '-scryptn=12').values.scryptn).toBe(12);
  });
  it('refuses unknown items', () => {
    expect(message('C', 'M', '-o', 'noatime')).toContain('unknown flag: --noatime.');
  });
});

describe('pass 2: dash doubling', () => {
  it('doubles a single dash, but not -h, a lone dash or a double one', () => {
    expect(doubleDashes(['-q', '--q', '-h', '-', '', 'x', '-x=-y'])).toEqual(['--q', '--q', '-h', '-', '', 'x', '--x=-y']);
  });
  it('stops at the first "--"', () => {
    expect(doubleDashes(['-a', '--', '-b'])).toEqual(['--a', '--', '-b']);
  });
  it('hits values given as separate words, not those behind an equals sign', () => {
    expect(options('-extpass', '-X', 'C').values.extpass).toEqual(['--X']);
    expect(options('-extpass=-X', 'C').values.extpass).toEqual(['-X']);
  });
});

describe('pass 3: options', () => {
  it('keeps positional arguments in order, wherever they stand', () => {
    expect(options('a', '-q', 'b', '-', '', '-ro').positional).toEqual(['a', 'b', '-', '']);
  });
  it('ends at "--" and leaves the rest unchanged', () => {
    const line = options('-q', '--', '-e', '--x', '--');
    expect(line.positional).toEqual(['-e', '--x', '--']);
    expect(line.values.quiet).toBe(true);
  });
  it('never lets a bool take the next word', () => {
    const line = options('-ro', 'false');
    expect([line.values.ro, line.positional]).toEqual([true, ['false']]);
  });
  it('lets other kinds take any next word, "--" included', () => {
    const line = options('-extpass', 'my program', '-extpass', '--', 'C', 'M');
    expect(line.values.extpass).toEqual(['my program', '--']);
    expect(line.positional).toEqual(['C', 'M']);
  });
  it('then refuses single dashes', () => {
    expect(message('-extpass', '--', '-xchacha', '/tmp')).toBe(
      `Invalid command line: "gocryptfs" "-extpass" "--" "-xchacha" "/tmp": unknown shorthand flag: 'x' in -xchacha. Try 'gocryptfs -help'.`,
    );
    expect(parse('-extpass', '--', '-h').kind).toBe('help');
    expect(options('-extpass', '--', '--xchacha').values.xchacha).toBe(true);
  });
  it.each([
    ['--=3', '--=3'],
    ['---x', '---x'],
    ['-=x', '--=x'],
  ])('refuses %s as malformed', (word, shown) => {
    expect(message(word)).toContain(`: bad flag syntax: ${shown}. Try`);
  });
  it('stops at the first error, and help counts only where it is met', () => {
    expect(message('-nope', '-help')).toContain('unknown flag: --nope.');
    for (const word of ['-h', '-help', '--help', '--help=x']) {
      expect(parse(word, '-nope').kind).toBe('help');
    }
    expect(message('--h')).toContain('unknown flag: --h.');
  });
  it.each(['-QUIET', '-qui', '-Ro'])('matches names exactly: %s', (word) => {
    expect(message(word)).toContain('unknown flag');
  });
  it('names the option when its value is missing', () => {
    expect(message('a', '-scryptn')).toBe(
      `Invalid command line: "gocryptfs" "a" "-scryptn": flag needs an argument: --scryptn. Try 'gocryptfs -help'.`,
    );
  });
  it('names option and value when the value is bad, in the spelling used', () => {
    expect(message('-i', '5')).toContain(`invalid argument "5" for "--i" flag: missing unit`);
    expect(message('-ro=5')).toContain(`invalid argument "5" for "--ro" flag: `);
    expect(message('-longnamemax', '256')).toContain(`invalid argument "256" for "--longnamemax" flag: `);
  });
  it('takes the last of a repeated option and all elements of a list', () => {
    expect(options('-q', '-q=false').values.quiet).toBe(false);
    expect(options('-passfile', 'a,b', '-passfile=c').values.passfile).toEqual(['a,b', 'c']);
  });
  it('gives both spellings one value', () => {
    expect(options('-d').values.debug).toBe(true);
    expect(options('-f').values.fg).toBe(true);
    expect(options('-q').given.has('quiet')).toBe(true);
    expect(options('-i', '1s', '-idle', '2s').values.idle).toBe(2e9);
    expect(options('-e', 'a', '-exclude', 'b', '-e', 'c').values.exclude).toEqual(['a', 'b', 'c']);
    expect(options('-ew', 'a', '-exclude-wildcard', 'b').values['exclude-wildcard']).toEqual(['a', 'b']);
  });
  it('remembers what was written out', () => {
    expect(options('C').given.size).toBe(0);
    expect([...options('-scryptn=16', 'C').given]).toEqual(['scryptn']);
  });
  it('accepts an empty value', () => {
    expect(options('-config=', '-extpass=').values.extpass).toEqual(['']);
  });
});

describe('the table', () => {
  it('knows every option in either spelling and with one or two dashes', () => {
    for (const flag of FLAGS) {
      const value = flag.kind === 'bool' ? '' : `=${flag.kind === 'duration' ? '1s' : '7'}`;
      for (const name of 'alias' in flag ? [flag.name, flag.alias] : [flag.name]) {
        expect(options(`-${name}${value}`).given.has(flag.name)).toBe(true);
        expect(options(`--${name}${value}`).given.has(flag.name)).toBe(true);
      }
    }
  });
});

describe('parseCommandLine', () => {
  it('never throws, and quotes control characters', () => {
    expect(quoteWords(['a"b\\', 'c\nd\u001b'])).toBe('"a\\"b\\\\" "c\\nd\\x1b"');
    const word = fc.oneof(fc.string(), fc.constantFrom('-o', '--', '-q', '-extpass', '-i', '-o=q', '-h', '-', '=', ','));
    fc.assert(
      fc.property(fc.array(word), (argv) => {
        expect(['options', 'help', 'error']).toContain(parseCommandLine('aegisfs', argv).kind);
      }),
    );
  });
});
