import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Stat } from '../../sys/stat.ts';
import { ViewFixture } from './fixture.ts';

const FRESH = ['gocryptfs.conf', 'gocryptfs.diriv'];

function openDescriptors(): number {
  return fs.readdirSync('/proc/self/fd').length;
}

describe('directories', () => {
  let view: ViewFixture;
  beforeEach(() => {
    view = new ViewFixture();
  });
  afterEach(() => {
    expect(view.warnings).toEqual([]);
    view.dispose();
  });

  function backingOf(name: string): string {
    const { attr } = view.getattr(view.node(name));
    const found = view.backing().find((entry) => fs.lstatSync(path.join(view.dir, entry)).ino % 2 ** 32 === attr[Stat.inoLo]);
    return path.join(view.dir, found!);
  }

  it('makes and removes directories of every permission', () => {
    for (let mode = 0; mode <= 0o700; mode += 0o100) {
      const { result, entry } = view.mkdir('d', mode);
      expect([result, entry.attr[Stat.mode]]).toEqual([0, 0o040000 | mode]);
      expect(view.mode('d')).toBe(0o040000 | mode);
      expect(view.rmdir('d')).toBe(0);
    }
    expect(view.mkdir('d', 0o555).entry.attr[Stat.mode]).toBe(0o040555);
    expect(view.backing()).toHaveLength(3);
  });

  it('keeps a setgid bit handed down by the parent', () => {
    fs.chmodSync(view.dir, 0o2777);
    expect(view.mkdir('d', 0o555).entry.attr[Stat.mode]).toBe(0o042555);
    expect(view.mkdir('e', 0o755).entry.attr[Stat.mode]).toBe(0o042755);
  });

  it('does not touch a directory that is not empty', () => {
    view.mkdir('d');
    view.touch('d/child');
    const before = view.backing(path.basename(backingOf('d')));
    expect(view.rmdir('d')).toBe(-39);
    expect(view.backing(path.basename(backingOf('d')))).toEqual(before);
    expect(view.unlink('d/child')).toBe(0);
    expect(view.rmdir('d')).toBe(0);
    expect(view.backing()).toEqual(FRESH);
    expect(view.rmdir('d')).toBe(-2);
    view.touch('f');
    expect(view.rmdir('f')).toBe(-20);
    expect(view.unlink('f')).toBe(0);
  });

  it('removes an empty directory that lost its IV file, but not one with a foreign file', () => {
    view.mkdir('d');
    view.mkdir('e');
    const backing = backingOf('d');
    fs.unlinkSync(path.join(backing, 'gocryptfs.diriv'));
    fs.writeFileSync(path.join(backing, 'foreign'), '');
    expect(view.rmdir('d')).toBe(-2);
    expect(view.warnings.splice(0)[0]).toMatch(/^Rmdir: Renaming gocryptfs\.diriv to gocryptfs\.diriv\.rmdir\.\d+ failed: ENOENT$/);
    fs.unlinkSync(path.join(backing, 'foreign'));
    expect(view.rmdir('d')).toBe(0);
    expect(view.warnings.splice(0)).toHaveLength(1);
    fs.renameSync(path.join(backingOf('e'), 'gocryptfs.diriv'), path.join(backingOf('e'), 'foreign'));
    expect(view.rmdir('e')).toBe(-2);
    expect(view.warnings.splice(0)).toHaveLength(1);
  });

  it('answers a missing or malformed IV file with the errno of the operation', () => {
    view.mkdir('d');
    view.touch('d/x');
    const iv = path.join(backingOf('d'), 'gocryptfs.diriv');
    const good = fs.readFileSync(iv);
    const node = view.node('d');
    for (const [content, lookupErrno] of [
      [null, -2],
      [Buffer.alloc(16), -5],
      [Buffer.alloc(15, 1), -5],
      [Buffer.alloc(17, 1), -5],
    ] as const) {
      fs.rmSync(iv);
      if (content !== null) fs.writeFileSync(iv, content);
      view.supervisor.trim(0);
      expect(view.child(node, 'x')).toBe(lookupErrno);
      expect(view.opendir('d')).toBe(-5);
      expect(view.warnings.some((text) => text.startsWith('OpendirHandle: could not read gocryptfs.diriv: '))).toBe(true);
      view.warnings.length = 0;
      if (content === null) fs.writeFileSync(iv, '');
    }
    fs.writeFileSync(iv, good);
    expect(view.list('d')).toEqual(['x']);
  });

  it('lists what belongs there, in both kinds, and continues from any cookie', () => {
    const names = Array.from({ length: 300 }, (_, i) => (i % 3 === 0 ? `${i}-${'long'.repeat(50)}` : `file ${i}`));
    view.mkdir('d');
    for (const name of names) expect(view.touch(`d/${name}`)).toBe(0);
    expect(view.list('d')).toEqual([...names].sort());
    expect(view.list('d', true)).toEqual([...names].sort());
    const handle = view.opendir('d');
    const all = view.readdir(handle, [0, 0], 1000);
    if (typeof all === 'number') throw new Error(`${all}`);
    expect(all.filter((entry) => entry.name === '.' || entry.name === '..')).toHaveLength(2);
    const other = view.anotherWorker();
    for (const at of [0, 1, 17, 150, 299, 300]) {
      const rest = view.readdir(handle, all[at]!.next, 1000, false, at % 2 === 0 ? view.op : other);
      expect(typeof rest === 'object' && rest.map((entry) => entry.name)).toEqual(all.slice(at + 1).map((entry) => entry.name));
    }
    expect(view.readdir(handle, all.at(-1)!.next, 1000)).toEqual([]);
    const again = view.readdir(handle, [0, 0], 1000);
    expect(typeof again === 'object' && again.length).toBe(all.length);
    view.op.releasedir(view.req(1), handle);
  });

  it('gives READDIRPLUS the node and attributes that a lookup gives', () => {
    view.write('f', 'five!');
    view.symlink('s', 'target');
    const handle = view.opendir('');
    const listed = view.readdir(handle, [0, 0], 100, true);
    if (typeof listed === 'number') throw new Error(`${listed}`);
    for (const [name, size] of [
      ['f', 5],
      ['s', 6],
    ] as const) {
      const entry = listed.find((candidate) => candidate.name === name)!;
      expect([entry.node, entry.attr[Stat.size]]).toEqual([view.node(name), size]);
    }
    expect(listed.find((candidate) => candidate.name === '..')!.node).toBe(0);
    view.op.releasedir(view.req(1), handle);
  });

  it('does not warn about a long name removed while it was read ahead', () => {
    view.mkdir('d');
    for (let i = 0; i < 20; i++) view.touch(`d/${i}${'x'.repeat(200)}`);
    const handle = view.opendir('d');
    const page = view.readdir(handle, [0, 0], 4);
    if (typeof page === 'number') throw new Error(`${page}`);
    for (let i = 0; i < 20; i++) view.unlink(`d/${i}${'x'.repeat(200)}`);
    const rest = view.readdir(handle, page.at(-1)!.next, 100);
    expect(typeof rest === 'object' && rest.filter((entry) => !entry.name.startsWith('.'))).toEqual([]);
    view.op.releasedir(view.req(1), handle);
  });

  it('hides foreign entries with a warning', () => {
    fs.writeFileSync(path.join(view.dir, 'gocryptfs.conf.bak'), '');
    fs.writeFileSync(path.join(view.dir, 'gocryptfs.longname.AAAA'), '');
    fs.writeFileSync(path.join(view.dir, 'gocryptfs.longname.BBBB.name'), 'x');
    expect(view.list('')).toEqual([]);
    expect(view.warnings.splice(0).sort()).toEqual([
      'Readdirent: could not decrypt entry "gocryptfs.conf.bak": not an encrypted name',
      'Readdirent: incomplete entry "gocryptfs.longname.AAAA": Could not read .name: ENOENT',
    ]);
  });

  it('lists and removes an open directory that was renamed, and one that is gone', () => {
    view.mkdir('d');
    view.touch('d/x');
    const handle = view.opendir('d');
    view.rename('d', 'e');
    const listed = view.readdir(handle, [0, 0], 10);
    expect(typeof listed === 'object' && listed.map((entry) => entry.name).sort()).toEqual(['.', '..', 'x']);
    view.unlink('e/x');
    expect(view.rmdir('e')).toBe(0);
    view.supervisor.trim(0);
    const gone = view.readdir(handle, [0, 0], 10);
    expect(typeof gone === 'number' ? gone : gone.length).toBeLessThanOrEqual(0);
    view.op.releasedir(view.req(1), handle);
  });

  it('works in a tree deeper than the cache, and closes what it opened', () => {
    const before = openDescriptors();
    let node = 1;
    const nodes = [1];
    for (let depth = 0; depth < 60; depth++) {
      const entry = { node: 0, generation: 0, entryTimeout: 0, attrTimeout: 0, attr: new Float64Array(17) };
      expect(view.op.mkdir(view.req(node), { buf: Buffer.from('deep\0'), off: 0, len: 4 }, 0o755, 0, entry)).toBe(0);
      node = entry.node;
      nodes.push(node);
    }
    expect(openDescriptors() - before).toBeLessThanOrEqual(16);
    view.supervisor.trim(0);
    expect(openDescriptors()).toBe(before);
    for (let i = nodes.length - 1; i > 0; i -= 7) expect(view.getattr(nodes[i]!).result).toBe(0);
    expect(view.child(node, 'nothing')).toBe(-2);
    expect(openDescriptors() - before).toBeLessThanOrEqual(16);
    view.supervisor.trim(60_000);
    expect(openDescriptors()).toBeGreaterThan(before);
    view.supervisor.trim(0);
    expect(openDescriptors()).toBe(before);
  });

  it('is not led out of the tree by a symlink in place of a directory', () => {
    view.mkdir('d');
    view.touch('d/x');
    const node = view.node('d');
    const backing = backingOf('d');
    fs.renameSync(backing, `${backing}.moved`);
    fs.symlinkSync('/tmp', backing);
    view.supervisor.trim(0);
    expect(view.child(node, 'x')).toBe(-20);
    fs.unlinkSync(backing);
    fs.renameSync(`${backing}.moved`, backing);
    expect(typeof view.child(node, 'x')).toBe('object');
  });

  it('frees nodes as the kernel forgets them', () => {
    view.mkdir('a');
    view.mkdir('a/b');
    const [a, b] = [view.node('a'), view.node('a/b')];
    view.touch('a/b/c');
    const c = view.node('a/b/c');
    view.op.forget(a, 1000);
    view.op.forget(b, 1000);
    expect(view.getattr(c).result).toBe(0);
    view.op.forget(c, 1000);
    expect(view.getattr(c).result).toBe(-116);
    expect(view.getattr(a).result).toBe(-116);
  });
});

describe('-badname', () => {
  it('shows, opens, renames and removes undecryptable names', () => {
    const view = new ViewFixture({ options: { badNamePatterns: ['*'] } });
    view.write('good', 'content');
    const cName = view.backing().find((name) => !FRESH.includes(name))!;
    fs.renameSync(path.join(view.dir, cName), path.join(view.dir, `${cName}-conflict`));
    const shown = 'good-conflict GOCRYPTFS_BAD_NAME';
    expect(view.list('')).toEqual([shown]);
    expect(view.list('', true)).toEqual([shown]);
    expect(view.read(shown)).toBe('content');
    expect(view.lookup('other GOCRYPTFS_BAD_NAME')).toBe(-2);
    expect(view.touch('new GOCRYPTFS_BAD_NAME')).toBe(-2);
    expect(view.rename(shown, 'repaired')).toBe(0);
    expect(view.list('')).toEqual(['repaired']);
    fs.writeFileSync(path.join(view.dir, 'nonsense'), '');
    expect(view.list('')).toEqual(['nonsense GOCRYPTFS_BAD_NAME', 'repaired']);
    expect(view.unlink('nonsense GOCRYPTFS_BAD_NAME')).toBe(0);
    expect(view.list('')).toEqual(['repaired']);
    expect(view.warnings).toEqual([]);
    view.dispose();
  });
});
