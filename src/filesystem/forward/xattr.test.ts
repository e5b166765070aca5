import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AT_FDCWD } from '../../sys/constants.ts';
import { llistxattrat, lsetxattrat } from '../../sys/xattr.ts';
import { ViewFixture } from './fixture.ts';

/** A valid ACL of version 2: owner, group and others, rw-r--r--. */
const ACL = Buffer.from('0200000001000600ffffffff04000400ffffffff20000400ffffffff', 'hex');

describe('extended attributes', () => {
  let view: ViewFixture;
  beforeEach(() => {
    view = new ViewFixture();
  });
  afterEach(() => {
    expect(view.warnings).toEqual([]);
    view.dispose();
  });

  function backingPath(): Uint8Array {
    const backing = view.backing().find((entry) => !entry.startsWith('gocryptfs.'))!;
    return Buffer.from(`${path.join(view.dir, backing)}\0`);
  }

  function setBacking(name: string, value: Uint8Array): void {
    expect(lsetxattrat(AT_FDCWD, backingPath(), 0, Buffer.from(`${name}\0`), 0, value, 0, value.length, 0)).toBe(0);
  }

  function backingNames(): string[] {
    const list = Buffer.alloc(4096);
    return list
      .subarray(0, llistxattrat(AT_FDCWD, backingPath(), 0, list, 0, list.length))
      .toString()
      .split('\0')
      .slice(0, -1);
  }

  it('sets, gets, lists and removes on every kind of object', () => {
    view.touch('f', 0o000);
    view.mkdir('d', 0o000);
    for (const node of [view.node('f'), view.node('d')]) {
      for (let i = 0; i < 20; i++) expect(view.setxattr(node, `user.name/${i}`, 'v'.repeat(i))).toBe(0);
      for (let i = 0; i < 20; i++) expect(view.getxattr(node, `user.name/${i}`)).toBe('v'.repeat(i));
      expect(view.listxattr(node)).toEqual(Array.from({ length: 20 }, (_, i) => `user.name/${i}`).sort());
      expect(view.removexattr(node, 'user.name/3')).toBe(0);
      expect(view.removexattr(node, 'user.name/3')).toBe(-61);
      expect(view.getxattr(node, 'user.name/3')).toBe(-61);
    }
    expect(view.setxattr(view.mknod('p', 0o010600).entry.node, 'user.a', 'b')).toBe(-1);
    expect(view.listxattr(view.node('p'))).toEqual([]);
  });

  it('answers size questions and too small buffers', () => {
    view.touch('f');
    const node = view.node('f');
    view.setxattr(node, 'user.ab', '12345');
    expect(view.getxattr(node, 'user.ab', 0)).toBe(5);
    expect(view.getxattr(node, 'user.ab', 4)).toBe(-34);
    expect(view.getxattr(node, 'user.ab', 5)).toBe('12345');
    expect(view.listxattr(node, 0)).toBe(8);
    expect(view.listxattr(node, 7)).toBe(-34);
    expect(view.listxattr(node, 8)).toEqual(['user.ab']);
  });

  it('passes the flags for creating and replacing on', () => {
    view.touch('f');
    const node = view.node('f');
    expect(view.setxattr(node, 'user.a', 'x', 2)).toBe(-61);
    expect(view.setxattr(node, 'user.a', 'x', 1)).toBe(0);
    expect(view.setxattr(node, 'user.a', 'x', 1)).toBe(-17);
  });

  it('stores names and values encrypted and names of up to 175 bytes', () => {
    view.touch('f');
    const node = view.node('f');
    expect(view.setxattr(node, `user.${'n'.repeat(170)}`, 'secret')).toBe(0);
    expect(view.setxattr(node, `user.${'n'.repeat(171)}`, 'secret')).toBe(-34);
    expect(view.setxattr(node, '', 'x')).toBe(-22);
    expect(view.removexattr(node, '')).toBe(-22);
    expect(view.getxattr(node, '')).toBe(-5);
  });

  it('answers security.capability at once unless -suid is given', () => {
    view.touch('f');
    expect(view.getxattr(view.node('f'), 'security.capability')).toBe(-95);
    const suid = new ViewFixture({ options: { suid: true } });
    suid.touch('f');
    expect(suid.getxattr(suid.node('f'), 'security.capability')).toBe(-61);
    suid.dispose();
  });

  it('passes ACLs through as they are', () => {
    view.touch('f');
    const node = view.node('f');
    const result = view.setxattr(node, 'system.posix_acl_access', ACL);
    if (result === -95) return;
    expect(result).toBe(0);
    // With a named user and a mask, which mode bits alone cannot say.
    const entries = ['01000600ffffffff', '02000600e8030000', '04000400ffffffff', '10000600ffffffff', '20000400ffffffff'];
    const big = Buffer.from(`02000000${entries.join('')}`, 'hex');
    expect(view.setxattr(node, 'system.posix_acl_access', big)).toBe(0);
    expect(view.getxattr(node, 'system.posix_acl_access')).toBe(big.toString('latin1'));
    expect(view.listxattr(node)).toEqual(['system.posix_acl_access']);
    expect(view.removexattr(node, 'system.posix_acl_access')).toBe(0);
    expect(view.listxattr(node)).toEqual([]);
  });

  it('skips undecryptable names and reports undecryptable values', () => {
    view.touch('f');
    const node = view.node('f');
    setBacking('user.gocryptfs.nonsense', Buffer.from('x'));
    setBacking('user.foreign', Buffer.from('x'));
    expect(view.listxattr(node)).toEqual([]);
    expect(view.warnings.splice(0)[0]).toMatch(/^ListXAttr: invalid xattr name "user\.gocryptfs\.nonsense": /);
    view.setxattr(node, 'user.a', 'value');
    const stored = backingNames();
    setBacking(stored.find((name) => name.startsWith('user.gocryptfs.') && !name.endsWith('nonsense'))!, Buffer.from('damaged'));
    expect(view.getxattr(node, 'user.a')).toBe(-5);
    expect(view.warnings.splice(0)[0]).toMatch(/^GetXAttr: /);
  });

  it('hides everything with -noxattr', () => {
    const none = new ViewFixture({ options: { noXattr: true } });
    none.touch('f');
    const node = none.node('f');
    expect(none.setxattr(node, 'user.a', 'x')).toBe(-95);
    expect(none.getxattr(node, 'user.a')).toBe(-61);
    expect(none.removexattr(node, 'user.a')).toBe(-95);
    expect(none.listxattr(node)).toEqual([]);
    none.dispose();
  });
});
