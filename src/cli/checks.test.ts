import { describe, expect, it } from 'vitest';
import { checkOptions, parseForceOwner } from './checks.ts';
import { isWellFormedGlob } from './glob-syntax.ts';
import { parseCommandLine } from './parse.ts';

function check(...argv: string[]): string | undefined {
  const line = parseCommandLine('gocryptfs', argv);
  if (line.kind !== 'options') {
    throw new Error('not options');
  }
  return checkOptions(line.values);
}

describe('checkOptions (behaviour.md 1.4)', () => {
  it.each([
    [['-extpass=a', '-passfile=b'], 'The options -extpass and -passfile cannot be used at the same time'],
    [['-passfile=b', '-masterkey=c'], 'The options -passfile and -masterkey cannot be used at the same time'],
    [['-passfile=b', '-masterkey=c', '-init'], 'The options -passfile and -masterkey cannot be used at the same time'],
    [['-extpass=a', '-masterkey=c'], 'The options -extpass and -masterkey cannot be used at the same time'],
    [['-extpass=a', '-masterkey=c', '-init'], undefined],
    [['-extpass=a', '-fido2=/dev/hidraw0'], 'The options -extpass and -fido2 cannot be used at the same time'],
    [['-idle=-5s'], 'Idle timeout cannot be less than 0'],
    [['-badname=['], '-badname: invalid pattern "[" supplied'],
    [['-badname=*', '-badname=a['], '-badname: invalid pattern "a[" supplied'],
    [['-badname=a\\'], '-badname: invalid pattern "a\\\\" supplied'],
    [['-longnamemax=0'], undefined],
    [['-longnamemax=1'], '-longnamemax: value 1 is outside allowed range 62 ... 255'],
    [['-longnamemax=61'], '-longnamemax: value 61 is outside allowed range 62 ... 255'],
    [['-longnamemax=62'], undefined],
    [['-openssl=auto'], undefined],
    [['-openssl=true'], undefined],
    [['-openssl=F'], undefined],
    [['-openssl=x'], 'Invalid "-openssl" setting: parsing "x": invalid syntax'],
    [['-q', 'C', 'M'], undefined],
  ])('%j', (argv, expected) => {
    expect(check(...argv)).toBe(expected);
  });
  it('reports the first rule that is broken', () => {
    expect(check('-extpass=a', '-passfile=b', '-masterkey=c', '-idle=-1s')).toContain('-extpass and -passfile');
    expect(check('-openssl=x', '-extpass=a', '-passfile=b')).toContain('-openssl');
  });
});

describe('parseForceOwner (behaviour.md 5.5)', () => {
  it.each([
    ['', null],
    ['1000:100', { uid: 1000, gid: 100 }],
    ['0:0', { uid: 0, gid: 0 }],
    ['0x10:2147483647', { uid: 16, gid: 2147483647 }],
    ['1000', 'force_owner must be in form UID:GID'],
    ['1:2:3', 'force_owner must be in form UID:GID'],
    ['x:1', 'force_owner: Unable to parse UID x as positive integer'],
    ['-1:1', 'force_owner: Unable to parse UID -1 as positive integer'],
    ['1:2147483648', 'force_owner: Unable to parse GID 2147483648 as positive integer'],
    ['1:', 'force_owner: Unable to parse GID  as positive integer'],
  ])('%s', (text, expected) => {
    expect(parseForceOwner(text)).toEqual(expected);
  });
});

describe('isWellFormedGlob', () => {
  it.each(['', '*', 'a?b', '[a]', '[a-z]', '[^a]', '[^a-c]x', '\\[', '[\\]]', '[a\\-b]', '[a-bc]', '[z-a]'])('%s is fine', (pattern) => {
    expect(isWellFormedGlob(pattern)).toBe(true);
  });
  it.each(['[', '[a', '[]', '[^]', '[]a]', '[a-]', '[-a]', 'a\\', '[\\'])('%s is malformed', (pattern) => {
    expect(isWellFormedGlob(pattern)).toBe(false);
  });
});
