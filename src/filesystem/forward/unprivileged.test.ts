import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Stat } from '../../sys/stat.ts';
import { ViewFixture } from './fixture.ts';
import { ChangePart } from './types.ts';

const FRESH = ['gocryptfs.conf', 'gocryptfs.diriv'];
const USER = 12345;
const isRoot = process.getuid?.() === 0;

/** What a daemon without privileges meets; run as root, the tests give them up for their own length. */
describe('an unprivileged daemon', () => {
  let view: ViewFixture;
  beforeEach(() => {
    view = new ViewFixture({ options: { defaultPermissions: false } });
    if (!isRoot) return;
    fs.chownSync(view.dir, USER, USER);
    for (const name of FRESH) fs.chownSync(`${view.dir}/${name}`, USER, USER);
    process.setegid?.(USER);
    process.seteuid?.(USER);
  });
  afterEach(() => {
    if (isRoot) {
      process.seteuid?.(0);
      process.setegid?.(0);
    }
    expect(view.warnings).toEqual([]);
    view.dispose();
  });

  it('removes its own directories of every permission, with short and long names', () => {
    for (const name of ['d', 'l'.repeat(200)]) {
      for (let mode = 0; mode <= 0o700; mode += 0o100) {
        expect(view.mkdir(name, mode).result).toBe(0);
        expect(view.rmdir(name)).toBe(0);
        expect(view.backing()).toEqual(FRESH);
      }
    }
  });

  it('gives a directory its permissions back if it cannot be removed', () => {
    view.mkdir('d');
    view.touch('d/child');
    view.setattr(view.node('d'), { valid: ChangePart.Mode, mode: 0o300 });
    expect(view.rmdir('d')).toBe(-39);
    expect(view.mode('d')).toBe(0o040300);
    view.setattr(view.node('d'), { valid: ChangePart.Mode, mode: 0o500 });
    expect(view.rmdir('d')).toBe(-39);
    expect(view.mode('d')).toBe(0o040500);
  });

  it('replaces an empty directory without permissions by rename', () => {
    view.mkdir('from');
    view.mkdir('to', 0o000);
    expect(view.rename('from', 'to')).toBe(0);
    expect(view.list('')).toEqual(['to']);
  });

  it('answers EACCES, without a word, for a directory it may read but not search', () => {
    view.mkdir('d');
    view.touch('d/child');
    view.setattr(view.node('d'), { valid: ChangePart.Mode, mode: 0o444 });
    view.supervisor.trim(0);
    expect(view.opendir('d')).toBe(-13);
    view.setattr(view.node('d'), { valid: ChangePart.Mode, mode: 0o111 });
    expect(view.opendir('d')).toBe(-13);
  });

  it('reads names below a directory it may search but not read', () => {
    view.mkdir('d');
    view.write('d/child', 'text');
    view.setattr(view.node('d'), { valid: ChangePart.Mode, mode: 0o100 });
    view.supervisor.trim(0);
    expect(view.read('d/child')).toBe('text');
  });

  it('empties and writes a file that it may write but not read', () => {
    view.write('f', 'content');
    const node = view.node('f');
    view.setattr(node, { valid: ChangePart.Mode, mode: 0o200 });
    const handle = view.open('f', 1);
    expect(handle).toBeGreaterThan(0);
    expect(view.setattr(node, { valid: ChangePart.Size, size: 0 }).attr[Stat.size]).toBe(0);
    view.op.release(view.req(node), handle, 0);
    expect(view.setattr(node, { valid: ChangePart.Size, size: 10 }).attr[Stat.size]).toBe(10);
    expect(view.mode('f')).toBe(0o100200);
  });

  it('does not cut a file that may not be written, even while another has it open for writing', () => {
    view.write('f', 'content');
    const node = view.node('f');
    const handle = view.open('f', 1);
    view.setattr(node, { valid: ChangePart.Mode, mode: 0o444 });
    expect(view.setattr(node, { valid: ChangePart.Size, size: 0 }).result).toBe(-13);
    expect(view.setattr(node, { valid: ChangePart.Size | ChangePart.Handle, handle, size: 3 }).result).toBe(0);
    view.op.release(view.req(node), handle, 0);
    expect(view.read('f')).toBe('con');
  });

  it('sets attributes on what it may not open', () => {
    view.touch('f', 0o000);
    view.mkdir('d', 0o000);
    for (const name of ['f', 'd']) {
      const node = view.node(name);
      expect(view.setattr(node, { valid: ChangePart.Mode, mode: 0o600 }).result).toBe(0);
      expect(view.setattr(node, { valid: ChangePart.Mode, mode: 0 }).result).toBe(0);
      expect(view.setattr(node, { valid: ChangePart.Mtime, mtimeSec: 77 }).attr[Stat.mtimeSec]).toBe(77);
      expect(view.listxattr(node)).toEqual([]);
    }
  });
});
