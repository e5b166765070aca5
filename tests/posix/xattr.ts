import assert from 'node:assert/strict';
import fs, { constants as C } from 'node:fs';
import { fails } from '../support/errno.ts';
import { pattern } from '../support/files.ts';
import type { Subject } from './context.ts';

const CREATE = 1;
const REPLACE = 2;

/** An access ACL in the form the kernel stores: version 2, then (tag, permissions, id) entries. Source: linux/posix_acl_xattr.h. */
export function acl(...entries: readonly (readonly [tag: number, permissions: number, id: number])[]): Buffer {
  const blob = Buffer.alloc(4 + 8 * entries.length);
  blob.writeUInt32LE(2);
  entries.forEach(([tag, permissions, id], i) => {
    blob.writeUInt16LE(tag, 4 + 8 * i);
    blob.writeUInt16LE(permissions, 6 + 8 * i);
    blob.writeUInt32LE(id, 8 + 8 * i);
  });
  return blob;
}

const NONE = 0xffffffff;
/** user::rw-, user:1000:r--, group::r--, mask::rw-, other::r-- */
const SAMPLE = acl([1, 6, NONE], [2, 4, 1000], [4, 4, NONE], [0x10, 6, NONE], [0x20, 4, NONE]);

/** Extended attributes and ACLs. */
export const xattr: Subject = {
  'set, get, list and remove on files and directories, by path and by descriptor': ({ root, me }) => {
    fs.writeFileSync(`${root}/f`, '');
    fs.mkdirSync(`${root}/d`);
    for (const name of ['f', 'd']) {
      const fd = me.number('os.open', `${root}/${name}`, C.O_RDONLY);
      for (const target of [`${root}/${name}`, fd]) {
        assert.deepEqual(me.strings('os.listxattr', target), []);
        me.run('os.setxattr', target, 'user.one', Buffer.from('1'));
        me.run('os.setxattr', target, 'user.two', pattern(300));
        assert.deepEqual(me.strings('os.listxattr', target), ['user.one', 'user.two']);
        assert.equal(me.bytes('os.getxattr', target, 'user.one').toString(), '1');
        assert.ok(me.bytes('os.getxattr', target, 'user.two').equals(pattern(300)));
        me.run('os.setxattr', target, 'user.one', Buffer.from('changed'));
        assert.equal(me.bytes('os.getxattr', target, 'user.one').toString(), 'changed');
        for (const one of ['user.one', 'user.two']) me.run('os.removexattr', target, one);
        fails('ENODATA', () => me.run('os.getxattr', target, 'user.one'));
        fails('ENODATA', () => me.run('os.removexattr', target, 'user.one'));
      }
      me.run('os.close', fd);
    }
  },
  'objects without read permission keep attributes': ({ root, me }) => {
    fs.writeFileSync(`${root}/f`, '');
    fs.mkdirSync(`${root}/d`);
    for (const name of ['f', 'd']) {
      for (const mode of [0o000, 0o200]) {
        fs.chmodSync(`${root}/${name}`, mode);
        me.run('os.setxattr', `${root}/${name}`, 'user.m', Buffer.from(String(mode)));
        assert.equal(me.bytes('os.getxattr', `${root}/${name}`, 'user.m').toString(), String(mode));
        assert.deepEqual(me.strings('os.listxattr', `${root}/${name}`), ['user.m']);
      }
    }
  },
  'FIFOs, sockets, devices and links answer without hanging': ({ root, me }) => {
    me.run('os.mkfifo', `${root}/p`);
    me.run('x.mknod', `${root}/s`, C.S_IFSOCK | 0o600, 0);
    me.run('x.mknod', `${root}/c`, C.S_IFCHR | 0o600, 0x103);
    fs.symlinkSync('x', `${root}/l`);
    for (const name of ['p', 's', 'c', 'l']) {
      fails('EPERM', () => me.run('x.setxattr_nofollow', `${root}/${name}`, 'user.a', Buffer.from('1')));
      assert.deepEqual(me.strings('x.listxattr_nofollow', `${root}/${name}`), [], name);
    }
  },
  'twenty attributes, empty and binary values, names with odd characters': ({ root, me }) => {
    fs.writeFileSync(`${root}/f`, '');
    const all = Array.from({ length: 256 }, (_, i) => i);
    const values: [string, Buffer][] = Array.from({ length: 20 }, (_, i) => [`user.attribute${i}`, pattern(i, i)]);
    values.push(
      ['user.empty', Buffer.alloc(0)],
      ['user.all bytes', Buffer.from(all)],
      ['user.with/slash.and.dots', Buffer.from('x')],
      ['user.ü', Buffer.from('ü')],
    );
    for (const [name, value] of values) me.run('os.setxattr', `${root}/f`, name, value);
    assert.deepEqual(me.strings('os.listxattr', `${root}/f`), values.map(([name]) => name).sort());
    for (const [name, value] of values) assert.ok(me.bytes('os.getxattr', `${root}/f`, name).equals(value), name);
  },
  'create and replace flags': ({ root, me }) => {
    fs.writeFileSync(`${root}/f`, '');
    fails('ENODATA', () => me.run('os.setxattr', `${root}/f`, 'user.a', Buffer.from('1'), REPLACE));
    me.run('os.setxattr', `${root}/f`, 'user.a', Buffer.from('1'), CREATE);
    fails('EEXIST', () => me.run('os.setxattr', `${root}/f`, 'user.a', Buffer.from('2'), CREATE));
    me.run('os.setxattr', `${root}/f`, 'user.a', Buffer.from('3'), REPLACE);
    assert.equal(me.bytes('os.getxattr', `${root}/f`, 'user.a').toString(), '3');
  },
  'sizes are told, and a buffer that is too small is refused': ({ root, me }) => {
    fs.writeFileSync(`${root}/f`, '');
    me.run('os.setxattr', `${root}/f`, 'user.a', pattern(100));
    assert.equal(me.number('x.getxattr_size', `${root}/f`, 'user.a'), 100);
    assert.equal(me.number('x.getxattr_into', `${root}/f`, 'user.a', 100), 100);
    fails('ERANGE', () => me.run('x.getxattr_into', `${root}/f`, 'user.a', 99));
    assert.equal(me.number('x.listxattr_size', `${root}/f`), 'user.a'.length + 1);
    fails('ERANGE', () => me.run('x.listxattr_into', `${root}/f`, 3));
  },
  'values and names beyond the limits are refused, and the rest goes on': ({ root, me }) => {
    fs.writeFileSync(`${root}/f`, '');
    fails('ENOSPC E2BIG', () => me.run('os.setxattr', `${root}/f`, 'user.big', Buffer.alloc(60_000)));
    fails('ERANGE', () => me.run('os.setxattr', `${root}/f`, `user.${'n'.repeat(300)}`, Buffer.from('1')));
    me.run('os.setxattr', `${root}/f`, `user.${'n'.repeat(170)}`, pattern(2000));
    assert.ok(me.bytes('os.getxattr', `${root}/f`, `user.${'n'.repeat(170)}`).equals(pattern(2000)));
  },
  'all namespaces': ({ root, me }) => {
    fs.writeFileSync(`${root}/f`, '');
    for (const name of ['user.a', 'trusted.b', 'security.c']) {
      me.run('os.setxattr', `${root}/f`, name, Buffer.from(name));
      assert.equal(me.bytes('os.getxattr', `${root}/f`, name).toString(), name);
    }
    assert.deepEqual(me.strings('os.listxattr', `${root}/f`), ['security.c', 'trusted.b', 'user.a']);
  },
  'attributes of one link show on the other and survive a rename': ({ root, me }) => {
    fs.writeFileSync(`${root}/f`, '');
    fs.linkSync(`${root}/f`, `${root}/g`);
    me.run('os.setxattr', `${root}/f`, 'user.a', Buffer.from('1'));
    fs.renameSync(`${root}/g`, `${root}/${'h'.repeat(200)}`);
    assert.equal(me.bytes('os.getxattr', `${root}/${'h'.repeat(200)}`, 'user.a').toString(), '1');
  },
  'an access ACL is stored, listed, returned and removed': ({ root, me }) => {
    fs.writeFileSync(`${root}/f`, '', { mode: 0o644 });
    const name = 'system.posix_acl_access';
    me.run('os.setxattr', `${root}/f`, name, SAMPLE);
    assert.ok(me.bytes('os.getxattr', `${root}/f`, name).equals(SAMPLE));
    assert.deepEqual(me.strings('os.listxattr', `${root}/f`), [name]);
    me.run('os.removexattr', `${root}/f`, name);
    fails('ENODATA', () => me.run('os.getxattr', `${root}/f`, name));
  },
  'a default ACL of a directory goes on to what is made in it': ({ root, me }) => {
    fs.mkdirSync(`${root}/d`);
    const name = 'system.posix_acl_default';
    me.run('os.setxattr', `${root}/d`, name, SAMPLE);
    assert.ok(me.bytes('os.getxattr', `${root}/d`, name).equals(SAMPLE));
    fs.mkdirSync(`${root}/d/e`);
    assert.ok(me.bytes('os.getxattr', `${root}/d/e`, name).equals(SAMPLE));
    me.run('os.removexattr', `${root}/d`, name);
    assert.deepEqual(me.strings('os.listxattr', `${root}/d`), []);
  },
};
