import assert from 'node:assert/strict';
import fs, { constants as C } from 'node:fs';
import { fails } from '../support/errno.ts';
import type { Subject } from './context.ts';

const MODES = [0o000, 0o100, 0o200, 0o300, 0o400, 0o500, 0o600, 0o700, 0o555, 0o711, 0o755, 0o777, 0o1777];

/** Making, removing and looking at directories. */
export const directories: Subject = {
  'every mode is kept, and every mode can be removed': ({ root, me }) => {
    const before = me.number('os.umask', 0);
    for (const name of ['d', 'D'.repeat(200)]) {
      for (const mode of MODES) {
        me.run('os.mkdir', `${root}/${name}`, mode);
        assert.equal(fs.statSync(`${root}/${name}`).mode & 0o7777, mode);
        fs.rmdirSync(`${root}/${name}`);
        fs.mkdirSync(`${root}/${name}`);
        fs.chmodSync(`${root}/${name}`, mode);
        fs.rmdirSync(`${root}/${name}`);
      }
    }
    me.run('os.umask', before);
    assert.deepEqual(fs.readdirSync(root), []);
  },
  'errors of mkdir, rmdir and unlink': ({ root }) => {
    fs.mkdirSync(`${root}/d/e`, { recursive: true });
    fs.writeFileSync(`${root}/f`, '');
    for (const name of ['d', 'f', '.']) fails('EEXIST', () => fs.mkdirSync(`${root}/${name}`));
    fails('ENOTEMPTY', () => fs.rmdirSync(`${root}/d`));
    assert.ok(fs.existsSync(`${root}/d/e`));
    fails('ENOTDIR', () => fs.rmdirSync(`${root}/f`));
    fails('ENOTDIR', () => fs.mkdirSync(`${root}/f/x`));
    fails('ENOENT', () => fs.rmdirSync(`${root}/missing`));
    fails('ENOENT', () => fs.mkdirSync(`${root}/missing/x`));
    fails('EISDIR EPERM', () => fs.unlinkSync(`${root}/d`));
    fails('EINVAL', () => fs.rmdirSync(`${root}/d/e/.`));
    fails('ENAMETOOLONG', () => fs.mkdirSync(`${root}/${'x'.repeat(256)}`));
  },
  'a non-empty directory of each mode survives rmdir with its mode': ({ root }) => {
    for (const mode of [0o000, 0o500, 0o700]) {
      fs.mkdirSync(`${root}/d`);
      fs.writeFileSync(`${root}/d/f`, 'x');
      fs.chmodSync(`${root}/d`, mode);
      fails('ENOTEMPTY', () => fs.rmdirSync(`${root}/d`));
      assert.equal(fs.statSync(`${root}/d`).mode & 0o777, mode);
      assert.equal(fs.readFileSync(`${root}/d/f`, 'utf8'), 'x');
      fs.rmSync(`${root}/d`, { recursive: true });
    }
  },
  'setgid is inherited, also with a mode without rwx': ({ root, me }) => {
    fs.chownSync(root, 0, 4002);
    fs.chmodSync(root, 0o2775);
    for (const mode of [0o755, 0o555, 0o000]) {
      me.run('os.mkdir', `${root}/d${mode}`, mode);
      const stat = fs.statSync(`${root}/d${mode}`);
      assert.deepEqual([stat.mode & 0o7777, stat.gid], [0o2000 | mode, 4002]);
    }
    fs.writeFileSync(`${root}/f`, '');
    assert.equal(fs.statSync(`${root}/f`).gid, 4002);
  },
  'link counts, sizes and times change with the entries': ({ root, me }) => {
    const before = fs.statSync(root, { bigint: true });
    fs.utimesSync(root, 1, 1);
    fs.mkdirSync(`${root}/d`);
    assert.ok(fs.statSync(root).mtimeMs > 1000);
    for (let i = 0; i < 5; i++) fs.mkdirSync(`${root}/d/${i}`);
    assert.equal(fs.statSync(`${root}/d`).nlink, 7);
    const fd = me.number('os.open', `${root}/d`, C.O_RDONLY);
    for (let i = 0; i < 300; i++) fs.writeFileSync(`${root}/d/${i}${'x'.repeat(60)}`, '');
    const stat = fs.statSync(`${root}/d`);
    assert.ok(stat.size >= 8192, `size ${stat.size}`);
    assert.equal(me.stat('os.fstat', fd).st_size, stat.size);
    me.run('os.close', fd);
    assert.equal(fs.statSync(root, { bigint: true }).ino, before.ino);
  },
  'the working directory has a name at every depth, and none when removed': ({ root, me }) => {
    let dir = root;
    for (let depth = 0; depth < 12; depth++) {
      dir += `/${depth % 3 ? 'n' : 'N'.repeat(210)}${depth}`;
      fs.mkdirSync(dir);
      me.run('os.chdir', dir);
      assert.equal(me.run('os.getcwd'), dir);
      assert.equal(me.stat('os.stat', '..').st_ino, fs.statSync(`${dir}/..`).ino);
    }
    fs.rmdirSync(dir);
    fails('ENOENT', () => me.run('os.getcwd'));
    fails('ENOENT', () => me.run('os.mkdir', 'x'));
    me.run('os.chdir', '/');
  },
  'paths of 4095 bytes work, longer ones fail': ({ root, me }) => {
    const step = 'p'.repeat(200);
    let length = root.length;
    me.run('os.chdir', root);
    while (length + 201 < 4000) {
      me.run('os.mkdir', step);
      me.run('os.chdir', step);
      length += 201;
    }
    const rest = 'r'.repeat(4095 - length - 1);
    me.run('os.mkdir', rest);
    me.run('os.chdir', '/');
    const dir = root + `/${step}`.repeat((length - root.length) / 201);
    assert.equal(`${dir}/${rest}`.length, 4095);
    assert.ok(fs.statSync(`${dir}/${rest}`).isDirectory());
    fails('ENAMETOOLONG', () => fs.statSync(`${dir}/${rest}r`));
  },
  'removing and making the same name again and again': ({ root }) => {
    for (let i = 0; i < 100; i++) {
      if (i % 2) fs.writeFileSync(`${root}/x`, String(i));
      else fs.mkdirSync(`${root}/x`);
      assert.equal(fs.statSync(`${root}/x`).isDirectory(), i % 2 === 0);
      if (i % 2) fs.unlinkSync(`${root}/x`);
      else fs.rmdirSync(`${root}/x`);
    }
  },
};
