import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { STATFS_FIELDS, Stat } from '../../sys/stat.ts';
import { ViewFixture } from './fixture.ts';
import { ChangePart } from './types.ts';

const FRESH = ['gocryptfs.conf', 'gocryptfs.diriv'];

function only(view: ViewFixture, sub = '.'): string {
  return path.join(view.dir, sub, view.backing(sub).find((name) => !FRESH.includes(name))!);
}

describe('objects', () => {
  let view: ViewFixture;
  beforeEach(() => {
    view = new ViewFixture();
  });
  afterEach(() => {
    expect(view.warnings).toEqual([]);
    view.dispose();
  });

  it('shows plaintext sizes of files, symlinks and hard links in the creating reply', () => {
    view.write('f', 'twelve bytes');
    expect(view.link('f', 'g').entry.attr[Stat.size]).toBe(12);
    expect(view.link('f', 'h').entry.attr[Stat.nlink]).toBe(3);
    expect(view.symlink('s', 'some/target').entry.attr[Stat.size]).toBe(11);
    expect(view.link('s', 't').entry.attr[Stat.size]).toBe(11);
    expect(view.readlink('t')).toBe('some/target');
    expect(view.node('f')).toBe(view.node('g'));
    expect(view.read('g')).toBe('twelve bytes');
  });

  it('takes symlink targets of up to 3039 bytes', () => {
    expect(view.symlink('s', 't'.repeat(3039)).result).toBe(0);
    expect(view.readlink('s')).toBe('t'.repeat(3039));
    expect(view.symlink('s2', 't'.repeat(3040)).result).toBe(-36);
  });

  it('does not change the access time of a symlink by looking at it', () => {
    const { entry } = view.symlink('s', 'target');
    view.setattr(entry.node, { valid: ChangePart.Atime, atimeSec: 1000 });
    for (let i = 0; i < 3; i++) {
      const { attr } = view.getattr(view.node('s'));
      expect([attr[Stat.atimeSec], attr[Stat.size]]).toEqual([1000, 6]);
    }
    expect(view.symlink('empty', '').result).toBeLessThan(0);
  });

  it('answers a symlink that does not decrypt with size 0 and EIO', () => {
    view.symlink('s', 'target');
    const backing = only(view);
    const stored = fs.readlinkSync(backing);
    // Made beside the old one, so that it gets another inode number.
    fs.symlinkSync(`${stored.slice(0, -4)}AAAA`, `${backing}.new`);
    fs.renameSync(`${backing}.new`, backing);
    const entry = view.lookup('s');
    expect(typeof entry === 'object' && entry.attr[Stat.size]).toBe(0);
    expect(view.readlink('s')).toBe(-5);
    expect(view.warnings.splice(0)[0]).toContain('decrypting target failed');
  });

  it('serves every attribute operation of a deleted open file from any handle', () => {
    view.write('f', 'content');
    const node = view.node('f');
    const handle = view.open('f', 2);
    expect(view.unlink('f')).toBe(0);
    let { result, attr } = view.getattr(node);
    expect([result, attr[Stat.size], attr[Stat.nlink]]).toEqual([0, 7, 0]);
    ({ result, attr } = view.setattr(node, { valid: ChangePart.Mode, mode: 0o600 }));
    expect([result, attr[Stat.mode]]).toEqual([0, 0o100600]);
    ({ result, attr } = view.setattr(node, { valid: ChangePart.Mtime, mtimeSec: 1234, mtimeNsec: 5 }));
    expect([result, attr[Stat.mtimeSec], attr[Stat.mtimeNsec]]).toEqual([0, 1234, 5]);
    ({ result, attr } = view.setattr(node, { valid: ChangePart.Size, size: 3 }));
    expect([result, attr[Stat.size]]).toEqual([0, 3]);
    expect(view.setxattr(node, 'user.a', 'b')).toBe(0);
    expect(view.getxattr(node, 'user.a')).toBe('b');
    expect(view.op.fsync(view.req(node), handle, false)).toBe(0);
    expect(view.op.release(view.req(node), handle, 0)).toBe(0);
    expect(view.getattr(node).result).toBe(-2);
    expect(view.setattr(node, { valid: ChangePart.Mode, mode: 0o600 }).result).toBe(-2);
  });

  it('still answers for a deleted FIFO', () => {
    const { entry } = view.mknod('p', 0o010644);
    expect(view.unlink('p')).toBe(0);
    const { result, attr } = view.getattr(entry.node);
    expect(result).toBe(0);
    expect([attr[Stat.mode], attr[Stat.nlink], attr[Stat.uid], attr[Stat.gid], attr[Stat.blksize]]).toEqual([
      0o010000, 0, 65534, 65534, 4096,
    ]);
  });

  it('uses another hard link when the name seen last was removed behind our back', () => {
    view.write('f', 'x');
    view.link('f', 'g');
    const node = view.node('g');
    const names = view.backing().filter((name) => !FRESH.includes(name));
    expect(names).toHaveLength(2);
    for (const name of names) {
      fs.linkSync(path.join(view.dir, name), path.join(view.dir, 'saved'));
      fs.unlinkSync(path.join(view.dir, name));
      expect(view.getattr(node).result).toBe(0);
      expect(view.setattr(node, { valid: ChangePart.Mode, mode: 0o640 }).result).toBe(0);
      fs.renameSync(path.join(view.dir, 'saved'), path.join(view.dir, name));
    }
    for (const name of names) fs.unlinkSync(path.join(view.dir, name));
    expect(view.getattr(node).result).toBe(-2);
  });

  it('gives a new object a node of its own and lookups of a known one the same', () => {
    const { entry } = view.create('f');
    expect(view.node('f')).toBe(entry.node);
    const first = entry.node;
    view.unlink('f');
    const second = view.create('f').entry.node;
    expect(second).not.toBe(first);
    expect(view.node('f')).toBe(second);
  });

  it('asks for a new lookup when another file took the name', () => {
    view.write('f', 'old');
    const node = view.node('f');
    const backing = only(view);
    fs.copyFileSync(backing, `${backing}.copy`);
    fs.renameSync(`${backing}.copy`, backing);
    const out = { handle: 0, flags: 0 };
    expect(view.op.open(view.req(node), 0, out)).toBe(-116);
    expect(view.node('f')).not.toBe(node);
    fs.unlinkSync(backing);
    fs.mkdirSync(backing);
    expect(view.getattr(view.node('f')).result).toBe(0);
    expect(view.getattr(node).result).toBe(-2);
  });

  it('never blocks on a FIFO that took the name of a file', () => {
    view.write('f', 'x');
    const node = view.node('f');
    const backing = only(view);
    fs.unlinkSync(backing);
    view.mknod('p', 0o010600);
    fs.renameSync(only(view), backing);
    const out = { handle: 0, flags: 0 };
    expect(view.op.open(view.req(node), 0, out)).toBe(-116);
  });

  it('sets times by nanosecond, omits what is not named, and works on dangling symlinks', () => {
    const { entry } = view.symlink('dangling', 'nowhere');
    const change = { valid: ChangePart.Atime | ChangePart.Mtime, atimeSec: 11, atimeNsec: 12, mtimeSec: 13, mtimeNsec: 14 };
    let { attr } = view.setattr(entry.node, change);
    expect([...attr.subarray(Stat.atimeSec, Stat.mtimeNsec + 1)]).toEqual([11, 12, 13, 14]);
    ({ attr } = view.setattr(entry.node, { ...change, valid: ChangePart.Atime, atimeNsec: 99 }));
    expect([...attr.subarray(Stat.atimeSec, Stat.mtimeNsec + 1)]).toEqual([11, 99, 13, 14]);
    ({ attr } = view.setattr(entry.node, { valid: ChangePart.Mtime | ChangePart.MtimeNow }));
    expect(Math.abs(attr[Stat.mtimeSec]! - Date.now() / 1000)).toBeLessThan(60);
    expect(view.setattr(entry.node, { valid: ChangePart.Uid, uid: 0 }).result).toBe(0);
  });

  it('truncates by path and through a handle to the same content', () => {
    view.write('f', '0123456789');
    const node = view.node('f');
    expect(view.setattr(node, { valid: ChangePart.Size, size: 4 }).attr[Stat.size]).toBe(4);
    expect(view.read('f')).toBe('0123');
    const handle = view.open('f', 2);
    expect(view.setattr(node, { valid: ChangePart.Size | ChangePart.Handle, handle, size: 2 }).attr[Stat.size]).toBe(2);
    view.op.release(view.req(node), handle, 0);
    expect(view.read('f')).toBe('01');
    expect(view.setattr(1, { valid: ChangePart.Size, size: 0 }).result).toBe(-21);
  });

  it('reports damaged sizes as behaviour demands', () => {
    view.write('f', 'x');
    const backing = only(view);
    fs.truncateSync(backing, 5);
    expect(view.getattr(view.node('f')).attr[Stat.size]).toBe(0);
    expect(new Set(view.warnings.splice(0))).toEqual(new Set(['cipherSize 5 < header size 18: corrupt file']));
    fs.truncateSync(backing, 30);
    expect(view.getattr(view.node('f')).attr[Stat.size]).toBe(1);
    expect(new Set(view.warnings.splice(0))).toEqual(new Set(['cipherSize 30: incomplete last block (12 bytes), padding to 51 bytes']));
  });

  it('refuses handles that were released', () => {
    const { handle, entry } = view.create('f');
    view.op.release(view.req(1), handle, 0);
    expect(view.setattr(entry.node, { valid: ChangePart.Mode | ChangePart.Handle, handle, mode: 0o600 }).result).toBe(-9);
    expect(view.op.read(view.req(1), handle, 0, 10, new Uint8Array(10), 0)).toBe(-9);
    expect(view.readdir(handle, [0, 0], 1)).toBe(-9);
    expect(view.warnings.splice(0)).toHaveLength(3);
  });

  it('makes FIFOs, sockets and regular files by mknod and shows their numbers', () => {
    for (const [name, mode] of [
      ['p', 0o010640],
      ['s', 0o140600],
      ['r', 0o100400],
    ] as const) {
      const { result, entry } = view.mknod(name, mode);
      expect(result).toBe(0);
      expect(entry.attr[Stat.mode]).toBe(mode);
    }
    expect(view.list('')).toEqual(['p', 'r', 's']);
    expect(view.mknod('p', 0o010640).result).toBe(-17);
  });

  it('gives the root the number of CIPHERDIR, and statfs its filesystem', () => {
    const { result, attr } = view.getattr(1);
    expect([result, attr[Stat.inoLo]]).toEqual([0, fs.statSync(view.dir).ino % 2 ** 32]);
    const out = new Float64Array(STATFS_FIELDS);
    expect(view.op.statfs(view.req(1), out)).toBe(0);
    expect(out[1]).toBe(Number(fs.statfsSync(view.dir).bsize));
  });

  it('checks access itself when the kernel does not', () => {
    view.touch('f', 0o644);
    view.symlink('s', 'nowhere');
    const file = view.req(view.node('f'));
    expect(view.op.access(file, 4)).toBe(0);
    expect(view.op.access(file, 1)).toBe(-13);
    expect(view.op.access(view.req(view.node('s')), 1)).toBe(0);
    expect(view.op.access(view.req(1), 7)).toBe(0);
  });

  it('marks use below the root, and counts handles, for -idle', () => {
    view.getattr(1);
    expect(view.supervisor.takeBusy()).toBe(false);
    view.lookup('x');
    expect(view.supervisor.takeBusy()).toBe(true);
    expect(view.supervisor.takeBusy()).toBe(false);
    const handle = view.opendir('');
    expect(view.supervisor.takeBusy()).toBe(true);
    view.op.releasedir(view.req(1), handle);
    expect(view.supervisor.takeBusy()).toBe(false);
  });
});

describe('options', () => {
  it('shows the forced owner in every reply', () => {
    const view = new ViewFixture({ options: { forceOwner: { uid: 1234, gid: 5678 } } });
    const owners = [
      view.create('f').entry.attr,
      view.mkdir('d').entry.attr,
      view.mknod('p', 0o010600).entry.attr,
      view.symlink('s', 't').entry.attr,
      view.link('f', 'g').entry.attr,
      view.getattr(1).attr,
      view.getattr(view.node('d')).attr,
      view.setattr(view.node('f'), { valid: ChangePart.Mode, mode: 0o600 }).attr,
    ];
    for (const attr of owners) expect([attr[Stat.uid], attr[Stat.gid]]).toEqual([1234, 5678]);
    expect(fs.lstatSync(only(view)).uid).toBe(process.getuid?.());
    view.dispose();
  });

  it('keeps every entry its own node on shared storage, and sees changes at once', () => {
    const view = new ViewFixture({ options: { sharedStorage: true } });
    view.write('f', 'x');
    const linked = view.link('f', 'g').entry;
    expect(linked.entryTimeout).toBe(0);
    expect(linked.node).not.toBe(view.node('f'));
    expect(view.node('g')).toBe(linked.node);
    const again = view.lookup('g');
    expect(typeof again === 'object' && [again.node, again.generation]).toEqual([linked.node, linked.generation]);
    const other = view.lookup('f');
    expect(typeof other === 'object' && other.generation).not.toBe(linked.generation);
    expect(view.lookup('missing')).toBe(-2);
    view.dispose();
  });

  it('creates as the caller, with helper files of the daemon, when root serves others', () => {
    if (process.getuid?.() !== 0) return;
    const view = new ViewFixture({ options: { createAsCaller: true } });
    fs.chmodSync(view.dir, 0o777);
    const as = { ...view.req(1), uid: 4321, gid: 8765 };
    const buf = Buffer.from(`${'n'.repeat(200)}\0`);
    const entry = { node: 0, generation: 0, entryTimeout: 0, attrTimeout: 0, attr: new Float64Array(17) };
    expect(view.op.mkdir(as, { buf, off: 0, len: 200 }, 0o750, 0, entry)).toBe(0);
    expect([entry.attr[Stat.uid], entry.attr[Stat.gid]]).toEqual([4321, 8765]);
    const [content, nameFile] = view.backing().filter((name) => name.startsWith('gocryptfs.longname.'));
    expect(fs.statSync(path.join(view.dir, content!)).uid).toBe(4321);
    expect(fs.statSync(path.join(view.dir, nameFile!)).uid).toBe(0);
    expect(fs.statSync(path.join(view.dir, content!, 'gocryptfs.diriv')).uid).toBe(0);
    expect(
      view.op.mkdir({ ...as, node: view.node('n'.repeat(200)), uid: 999, gid: 999 }, { buf, off: 190, len: 10 }, 0o700, 0, entry),
    ).toBe(-13);
    view.dispose();
  });
});
