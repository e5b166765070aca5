import { afterAll, describe, expect, it } from 'vitest';
import { freeKeys, testParameters } from '../../../tests/support/vault-parameters.ts';
import { text, utf8 } from '../../../tests/support/vectors.ts';
import { BAD_NAME_SUFFIX, BadNames, isBadNamePattern } from './bad-name.ts';
import { NameCodec } from './codec.ts';

const parameters = testParameters(new Uint8Array(32).fill(4));
const padded = { ...parameters, paddedBase64: true };
afterAll(() => freeKeys(parameters));

const IV = new Uint8Array(16).fill(6);
const codec = new NameCodec(parameters);
const paddedCodec = new NameCodec(padded);

function cNameOf(name: string, which = codec): string {
  const bytes = utf8(name);
  expect(which.encryptName(IV, 0, bytes, 0, bytes.length)).toBe(0);
  return text(which.disk.buf, which.disk.textOff, which.disk.textLen);
}

function display(bad: BadNames, cName: string): string | null {
  const bytes = utf8(`.${cName}.`);
  const shown = bad.display(IV, 0, bytes, 1, bytes.length - 2);
  return shown === null ? null : text(shown);
}

function candidates(bad: BadNames, name: string, isRoot = false): string[] {
  const bytes = utf8(name);
  return bad.candidates(IV, 0, bytes, 0, bytes.length, isRoot).map((candidate) => text(candidate));
}

describe('showing bad names', () => {
  const all = new BadNames(codec, ['*']);

  it('decrypts the longest prefix and keeps the rest', () => {
    expect(display(all, `${cNameOf('file')}.sync-conflict`)).toBe(`file.sync-conflict${BAD_NAME_SUFFIX}`);
    const long = `${cNameOf('a name of 20 bytes..')}X`;
    expect(display(all, long)).toBe(`a name of 20 bytes..X${BAD_NAME_SUFFIX}`);
    const withPadding = new BadNames(paddedCodec, ['*']);
    expect(display(withPadding, `${cNameOf('file', paddedCodec)} (copy)`)).toBe(`file (copy)${BAD_NAME_SUFFIX}`);
  });

  it('shows the backing name if no prefix decrypts', () => {
    expect(display(all, 'gocryptfs.conf.tmp')).toBe(`gocryptfs.conf.tmp${BAD_NAME_SUFFIX}`);
    expect(display(all, 'x'.repeat(80))).toBe(`${'x'.repeat(80)}${BAD_NAME_SUFFIX}`);
  });

  it('hides what would be no valid name', () => {
    expect(display(all, 'x'.repeat(236))).toBe(`${'x'.repeat(236)}${BAD_NAME_SUFFIX}`);
    expect(display(all, 'x'.repeat(237))).toBeNull();
  });

  it('needs a pattern that matches the whole encrypted name', () => {
    const some = new BadNames(codec, ['*.tmp', 'x?']);
    expect(display(some, 'a.tmp')).not.toBeNull();
    expect(display(some, 'xy')).not.toBeNull();
    expect(display(some, 'a.tmp2')).toBeNull();
    expect(display(new BadNames(codec, []), 'a.tmp')).toBeNull();
  });
});

describe('reaching bad names', () => {
  const all = new BadNames(codec, ['*']);

  it('recognises the mark only if patterns are given', () => {
    const marked = utf8(`a${BAD_NAME_SUFFIX}`);
    expect(all.isMarked(marked, 0, marked.length)).toBe(true);
    expect(all.isMarked(marked, 0, marked.length - 1)).toBe(false);
    expect(new BadNames(codec, []).isMarked(marked, 0, marked.length)).toBe(false);
    expect(new BadNames(new NameCodec({ ...parameters, plaintextNames: true }), ['*']).isMarked(marked, 0, marked.length)).toBe(false);
  });

  it.each(['file.sync-conflict', 'x', 'gocryptfs.conf.tmp', 'ab'])('offers the backing name of %s once', (bare) => {
    const found = candidates(all, bare + BAD_NAME_SUFFIX);
    expect(new Set(found).size).toBe(found.length);
    expect(found[0]).toBe(bare);
    for (let split = bare.length; split > 0; split--) expect(found).toContain(cNameOf(bare.slice(0, split)) + bare.slice(split));
    expect(found).toHaveLength(bare.length + 1);
  });

  it('inverts what is shown', () => {
    for (const cName of [`${cNameOf('file')}.sync-conflict`, 'gocryptfs.conf.tmp', `${cNameOf('a name of 20 bytes..')}X`]) {
      expect(candidates(all, display(all, cName)!)).toContain(cName);
    }
  });

  it('never offers names with a meaning of their own, or too long ones', () => {
    expect(candidates(all, `gocryptfs.diriv${BAD_NAME_SUFFIX}`)).not.toContain('gocryptfs.diriv');
    expect(candidates(all, `gocryptfs.conf${BAD_NAME_SUFFIX}`, true)).not.toContain('gocryptfs.conf');
    expect(candidates(all, `gocryptfs.conf${BAD_NAME_SUFFIX}`, false)).toContain('gocryptfs.conf');
    expect(candidates(all, `.${BAD_NAME_SUFFIX}`)).toEqual([]);
    expect(candidates(all, `..${BAD_NAME_SUFFIX}`)).toEqual([]);
    expect(candidates(all, BAD_NAME_SUFFIX)).toEqual([]);
    for (const candidate of candidates(all, 'y'.repeat(230) + BAD_NAME_SUFFIX)) expect(candidate.length).toBeLessThanOrEqual(255);
  });
});

it.each([
  ['*', true],
  ['a[b]', true],
  ['[', false],
  ['\\', false],
])('pattern %j is valid: %s', (pattern, valid) => {
  expect(isBadNamePattern(pattern)).toBe(valid);
});
