import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { ViewFixture } from './fixture.ts';

const SHORT = ['a', 'another'];
const LONG = ['l'.repeat(200), 'm'.repeat(255)];
const FRESH = ['gocryptfs.conf', 'gocryptfs.diriv'];

describe('names', () => {
  let view: ViewFixture;
  beforeEach(() => {
    view = new ViewFixture();
  });
  afterEach(() => {
    expect(view.warnings).toEqual([]);
    view.dispose();
  });

  it('creates one listed entry for every length from 1 to 255 and refuses 256', () => {
    for (let len = 1; len <= 255; len++) {
      const name = 'x'.repeat(len);
      expect(view.touch(name)).toBe(0);
      expect(view.list('')).toEqual([name]);
      expect(view.unlink(name)).toBe(0);
      expect(view.backing()).toEqual(FRESH);
    }
    expect(view.touch('x'.repeat(256))).toBe(-36);
  });

  it('takes the names of its own helper files as ordinary names', () => {
    const names = ['gocryptfs.conf', 'gocryptfs.diriv', 'gocryptfs.longname.XXX', 'gocryptfs.longname.XXX.name'];
    for (const name of names) expect(view.touch(name)).toBe(0);
    expect(view.list('')).toEqual([...names].sort());
    for (const name of names) expect(view.unlink(name)).toBe(0);
    for (const name of names) expect(view.mkdir(name).result).toBe(0);
    for (const name of names) expect(view.rmdir(name)).toBe(0);
    for (const name of names) expect(view.symlink(name, 'target').result).toBe(0);
    for (const name of names) expect(view.unlink(name)).toBe(0);
    for (const name of names) expect(view.mknod(name, 0o010644).result).toBe(0);
    for (const name of names) expect(view.rename(name, `${name}2`)).toBe(0);
    for (const name of names) expect(view.unlink(`${name}2`)).toBe(0);
    expect(view.backing()).toEqual(FRESH);
  });

  for (const from of [...SHORT.slice(0, 1), ...LONG.slice(0, 1)]) {
    for (const to of [...SHORT.slice(1), ...LONG.slice(1)]) {
      for (const target of ['absent', 'file', 'directory'] as const) {
        for (const flags of [0, 1, 2, 4, 5]) {
          it(`renames ${from.length} to ${to.length} bytes, target ${target}, flags ${flags}`, () => {
            const isDirectory = target === 'directory';
            const make = (name: string): number => (isDirectory ? view.mkdir(name).result : view.touch(name));
            const remove = (name: string): number => {
              const entry = view.lookup(name);
              if (typeof entry === 'number') return entry;
              return (entry.attr[3]! & 0o170000) === 0o040000 ? view.rmdir(name) : view.unlink(name);
            };
            expect(make(from)).toBe(0);
            const source = view.node(from);
            if (target !== 'absent') expect(make(to)).toBe(0);
            const mustNotExist = (flags & 1) !== 0;
            const expected = mustNotExist && target !== 'absent' ? -17 : flags === 2 && target === 'absent' ? -2 : 0;
            const result = view.rename(from, to, flags);
            expect(result).toBe(expected);
            if (result === 0) {
              expect(view.node(to)).toBe(source);
              expect(view.list('').includes(from)).toBe((flags & 6) !== 0);
            }
            for (const name of view.list('')) expect(remove(name)).toBe(0);
            expect(view.backing()).toEqual(FRESH);
          });
        }
      }
    }
  }

  it('refuses unknown rename flags', () => {
    view.touch('a');
    expect(view.rename('a', 'b', 3)).toBe(-22);
    expect(view.rename('a', 'b', 8)).toBe(-22);
    expect(view.warnings.splice(0)).toEqual([
      'rejectRenameFlags: unknown flag combination 0x3',
      'rejectRenameFlags: unknown flag combination 0x8',
    ]);
  });

  it('does not overwrite a directory that is not empty, and leaves it whole', () => {
    const long = 'd'.repeat(220);
    view.mkdir('from');
    view.mkdir(long);
    view.touch(`${long}/child`);
    expect(view.rename('from', long)).toBe(-39);
    expect(view.list(long)).toEqual(['child']);
    expect(view.list('')).toEqual([long, 'from'].sort());
  });

  it('resolves below a renamed directory with the IV of that directory at once', () => {
    view.mkdir('dir1');
    view.mkdir('dir2');
    view.touch('dir1/x');
    expect(typeof view.lookup('dir2/x')).toBe('number');
    expect(view.rename('dir1', 'dir2')).toBe(0);
    expect(typeof view.lookup('dir2/x')).toBe('object');
    expect(view.list('dir2')).toEqual(['x']);
  });

  it('gives EEXIST for an orphaned .name file, but renames over it', () => {
    const long = 'o'.repeat(200);
    view.touch(long);
    const content = view.backing().find((name) => name.startsWith('gocryptfs.longname.') && !name.endsWith('.name'))!;
    fs.unlinkSync(path.join(view.dir, content));
    expect(view.touch(long)).toBe(-17);
    expect(view.mkdir(long).result).toBe(-17);
    view.touch('short');
    expect(view.rename('short', long)).toBe(0);
    expect(view.list('')).toEqual([long]);
    expect(view.unlink(long)).toBe(0);
    expect(view.backing()).toEqual(FRESH);
  });

  it('removes the .name file it made when the object cannot be made', () => {
    const long = 'p'.repeat(200);
    expect(view.rename('missing', long)).toBe(-2);
    expect(view.symlink(long, 't'.repeat(3500)).result).toBe(-36);
    expect(view.backing()).toEqual(FRESH);
  });

  it('keeps both names when one hard link is renamed to another of the same file', () => {
    const long = 'q'.repeat(200);
    view.touch(long);
    view.link(long, 'other');
    expect(view.rename(long, 'other')).toBe(0);
    expect(view.list('')).toEqual(['other', long].sort());
    expect(view.unlink(long)).toBe(0);
    expect(view.unlink('other')).toBe(0);
    expect(view.backing()).toEqual(FRESH);
  });

  it('answers names that cannot be with their errno', () => {
    expect(view.child(1, '')).toBe(-74);
    expect(view.child(1, 'a/b')).toBe(-74);
    expect(view.warnings.splice(0)).toHaveLength(2);
    expect(view.child(1, 'n'.repeat(256))).toBe(-36);
  });
});

describe('name modes', () => {
  it('hashes from 64 bytes on with a limit of 100', () => {
    const view = new ViewFixture({ parameters: { longNameMax: 100 } });
    view.touch('s'.repeat(63));
    expect(view.backing().filter((name) => name.startsWith('gocryptfs.longname.'))).toEqual([]);
    view.touch('s'.repeat(64));
    expect(view.backing().filter((name) => name.startsWith('gocryptfs.longname.'))).toHaveLength(2);
    expect(view.list('', true)).toEqual(['s'.repeat(63), 's'.repeat(64)]);
    view.dispose();
  });

  it('reserves gocryptfs.conf in the root with plaintext names', () => {
    const view = new ViewFixture({ parameters: { plaintextNames: true, dirIV: false, longNames: false } });
    expect(view.lookup('gocryptfs.conf')).toBe(-1);
    expect(view.touch('gocryptfs.conf')).toBe(-1);
    expect(view.unlink('gocryptfs.conf')).toBe(-1);
    view.touch('a');
    expect(view.rename('a', 'gocryptfs.conf')).toBe(-1);
    expect(view.rename('gocryptfs.conf', 'b')).toBe(-1);
    expect(view.mkdir('d').result).toBe(0);
    expect(view.touch('d/gocryptfs.conf')).toBe(0);
    expect(view.touch('gocryptfs.diriv')).toBe(0);
    expect(view.touch('gocryptfs.longname.x')).toBe(0);
    expect(view.list('')).toEqual(['a', 'd', 'gocryptfs.diriv', 'gocryptfs.longname.x']);
    expect(view.infos).toHaveLength(5);
    expect(view.warnings).toEqual([]);
    view.dispose();
  });

  it('works without IV files with deterministic names', () => {
    const view = new ViewFixture({ parameters: { dirIV: false } });
    const long = 'z'.repeat(200);
    expect(view.mkdir('d').result).toBe(0);
    expect(view.mkdir(long).result).toBe(0);
    expect(view.touch(`d/${long}`)).toBe(0);
    expect(view.rename('d', long)).toBe(0);
    expect(view.list(long)).toEqual([long]);
    expect(view.unlink(`${long}/${long}`)).toBe(0);
    expect(view.rmdir(long)).toBe(0);
    expect(view.backing()).toEqual(['gocryptfs.conf']);
    expect(view.warnings).toEqual([]);
    view.dispose();
  });
});
