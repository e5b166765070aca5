import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { checkMountpoint } from './mountpoint.ts';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'mountpoint-'));
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true });
});

describe('checkMountpoint (behaviour.md 5.1)', () => {
  it.each([
    ['/a/b', '/a/b', 'would shadow'],
    ['/a/b', '/a', 'would shadow'],
    ['/a/b', '/', 'would shadow'],
    ['/a', '/a/b', 'is contained in'],
  ])('refuses CIPHERDIR %s with mountpoint %s', (cipherdir, mountpoint, reason) => {
    expect(() => checkMountpoint(cipherdir, mountpoint, false)).toThrow(reason);
  });

  it('compares whole components', () => {
    const mountpoint = path.join(folder, 'cipher');
    fs.mkdirSync(mountpoint);
    expect(() => checkMountpoint(`${mountpoint}dir`, mountpoint, false)).not.toThrow();
  });

  it('wants an empty directory', () => {
    const entry = path.join(folder, 'x');
    expect(() => checkMountpoint('/c', entry, false)).toThrow(`Invalid mountpoint: stat ${entry}: no such file or directory`);
    expect(() => checkMountpoint('/c', folder, false)).not.toThrow();
    fs.writeFileSync(entry, '');
    expect(() => checkMountpoint('/c', folder, false)).toThrow(`Invalid mountpoint: directory ${folder} not empty`);
    expect(() => checkMountpoint('/c', entry, false)).toThrow(`Invalid mountpoint: ${entry} is not a directory`);
  });

  it('is content with any directory under -nonempty', () => {
    const entry = path.join(folder, 'x');
    fs.writeFileSync(entry, '');
    expect(() => checkMountpoint('/c', folder, true)).not.toThrow();
    expect(() => checkMountpoint('/c', entry, true)).toThrow('is not a directory');
  });

  it('leaves an inherited descriptor alone', () => {
    expect(() => checkMountpoint('/c', '/dev/fd/77', false)).not.toThrow();
  });
});
