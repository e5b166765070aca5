import { describe, expect, it } from 'vitest';
import { parseXrayLine, XRAY_FLAGS, xrayUsage } from './xray-line.ts';

/** The options that are on, the FIDO2 device and the arguments; or the error message; or "help". */
function parse(...argv: string[]) {
  const line = parseXrayLine(argv);
  if (line.kind === 'options') return [[...line.on], line.fido2, line.args];
  return line.kind === 'error' ? line.message : line.kind;
}

describe('parseXrayLine', () => {
  it('takes one dash or two, and values after "="', () => {
    expect(parse('-aessiv', '--0', '-xchacha=false', '--version=T', 'f')).toEqual([['aessiv', '0', 'version'], '', ['f']]);
    expect(parse('-aegis', '-aegis=0', 'f')).toEqual([[], '', ['f']]);
    expect(parse('-fido2', '/dev/x', '--fido2=/dev/y=z', 'f')).toEqual([[], '/dev/y=z', ['f']]);
    expect(parse('-fido2', '-aegis', 'f')).toEqual([[], '-aegis', ['f']]);
    expect(parse('-fido2=', 'f')).toEqual([[], '', ['f']]);
  });

  it('ends with the first argument or "--"', () => {
    expect(parse('f', '-aegis')).toEqual([[], '', ['f', '-aegis']]);
    expect(parse('--', '-aegis')).toEqual([[], '', ['-aegis']]);
    expect(parse('-', '-aegis')).toEqual([[], '', ['-', '-aegis']]);
    expect(parse('', '-aegis')).toEqual([[], '', ['', '-aegis']]);
    expect(parse()).toEqual([[], '', []]);
  });

  // The texts of the flag package of Go, which gocryptfs-xray uses.
  it('says what is wrong', () => {
    expect(parse('-foo', 'f')).toBe('flag provided but not defined: -foo');
    expect(parse('--foo=1')).toBe('flag provided but not defined: -foo');
    expect(parse('-aessiv=maybe', 'f')).toBe('invalid boolean value "maybe" for -aessiv: parse error');
    expect(parse('-fido2')).toBe('flag needs an argument: -fido2');
    for (const word of ['---x', '-=x', '--=x', '---']) expect(parse(word)).toBe(`bad flag syntax: ${word}`);
  });

  it.each(['-h', '--h', '-help', '--help'])('helps on %s', (word) => {
    expect(parse('-aegis', word, '-foo')).toBe('help');
  });
});

it('the usage names every option', () => {
  const usage = xrayUsage('tool');
  expect(usage).toMatch(/^Usage: tool \[OPTIONS\] FILE\n/);
  for (const { name } of XRAY_FLAGS) expect(usage).toContain(`\n  -${name} `);
});
