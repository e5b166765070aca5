import assert from 'node:assert/strict';
import fs, { constants as C } from 'node:fs';
import { fails } from '../support/errno.ts';
import { pattern } from '../support/files.ts';
import type { SharedSubject } from './context.ts';

const NOBODY = 65534;

function owner(file: string): [number, number] {
  const { uid, gid } = fs.lstatSync(file);
  return [uid, gid];
}

/** What other users may do, and who owns what they make. */
export const permissions: SharedSubject = {
  'what a user makes belongs to that user': ({ root, user }) => {
    fs.chmodSync(root, 0o1777);
    const long = 'D'.repeat(200);
    for (const name of ['f', long]) user.run('os.close', user.number('os.open', `${root}/${name}`, C.O_CREAT | C.O_RDWR, 0o600));
    user.run('os.mkdir', `${root}/d`);
    user.run('os.mkdir', `${root}/d${long}`);
    user.run('os.symlink', 'x', `${root}/l`);
    user.run('os.mkfifo', `${root}/p`);
    user.run('x.mknod', `${root}/r`, C.S_IFREG | 0o600, 0);
    user.run('x.bind', `${root}/s`);
    user.run('os.link', `${root}/f`, `${root}/h`);
    for (const name of fs.readdirSync(root)) assert.deepEqual(owner(`${root}/${name}`), [NOBODY, NOBODY], name);
    assert.equal(fs.readdirSync(root).length, 9);
    user.run('os.rmdir', `${root}/d${long}`);
    user.run('os.unlink', `${root}/${long}`);
  },
  'permission bits are enforced': ({ root, user }) => {
    fs.writeFileSync(`${root}/private`, 'secret', { mode: 0o600 });
    fs.writeFileSync(`${root}/public`, 'open', { mode: 0o644 });
    fs.mkdirSync(`${root}/closed`, { mode: 0o700 });
    fs.writeFileSync(`${root}/closed/f`, '');
    fails('EACCES', () => user.run('os.open', `${root}/private`, C.O_RDONLY));
    fails('EACCES', () => user.run('os.open', `${root}/public`, C.O_WRONLY));
    fails('EACCES', () => user.run('os.stat', `${root}/closed/f`));
    fails('EACCES', () => user.run('os.listdir', `${root}/closed`));
    fails('EACCES', () => user.run('os.open', `${root}/new`, C.O_CREAT | C.O_RDWR, 0o600));
    fails('EACCES', () => user.run('os.unlink', `${root}/public`));
    fails('EACCES', () => user.run('os.rename', `${root}/public`, `${root}/x`));
    fails('EPERM', () => user.run('os.chmod', `${root}/public`, 0o666));
    fails('EPERM', () => user.run('os.chown', `${root}/public`, NOBODY, NOBODY));
    const fd = user.number('os.open', `${root}/public`, C.O_RDONLY);
    assert.equal(user.bytes('os.read', fd, 100).toString(), 'open');
    user.run('os.close', fd);
  },
  'the sticky bit keeps others from removing': ({ root, user, member }) => {
    fs.chmodSync(root, 0o1777);
    user.run('os.mkdir', `${root}/d`);
    user.run('os.mkfifo', `${root}/p`);
    fails('EPERM EACCES', () => member.run('os.rmdir', `${root}/d`));
    fails('EPERM EACCES', () => member.run('os.unlink', `${root}/p`));
    fails('EPERM EACCES', () => member.run('os.rename', `${root}/p`, `${root}/q`));
    user.run('os.unlink', `${root}/p`);
  },
  'a right that comes from a supplementary group is enough': ({ root, user, member }) => {
    fs.chownSync(root, 0, 4002);
    fs.chmodSync(root, 0o770);
    member.run('os.mkdir', `${root}/d`);
    member.run('os.close', member.number('os.open', `${root}/f`, C.O_CREAT | C.O_RDWR, 0o600));
    member.run('os.symlink', 'x', `${root}/l`);
    assert.deepEqual(owner(`${root}/d`), [4001, 4001]);
    fails('EACCES', () => user.run('os.mkdir', `${root}/e`));
  },
  'setgid directories give their group on': ({ root, user }) => {
    fs.chownSync(root, 0, 4002);
    fs.chmodSync(root, 0o2777);
    user.run('os.mkdir', `${root}/d`, 0o755);
    user.run('os.close', user.number('os.open', `${root}/f`, C.O_CREAT | C.O_RDWR, 0o644));
    assert.deepEqual(
      [owner(`${root}/d`), owner(`${root}/f`)],
      [
        [NOBODY, 4002],
        [NOBODY, 4002],
      ],
    );
    assert.equal(fs.statSync(`${root}/d`).mode & 0o2000, 0o2000);
  },
  'owners change modes and times of their own objects': ({ root, user, member }) => {
    fs.chmodSync(root, 0o777);
    user.run('os.close', user.number('os.open', `${root}/f`, C.O_CREAT | C.O_RDWR, 0o644));
    for (const mode of [0o000, 0o200, 0o400, 0o755]) {
      user.run('os.chmod', `${root}/f`, mode);
      assert.equal(fs.statSync(`${root}/f`).mode & 0o777, mode);
    }
    user.run('x.utimensat', `${root}/f`, [5, 6], [7, 8], 0);
    assert.equal(fs.statSync(`${root}/f`, { bigint: true }).mtimeNs, 7_000_000_008n);
    fails('EPERM', () => member.run('x.utimensat', `${root}/f`, [5, 6], [7, 8], 0));
    fails('EPERM', () => user.run('os.chown', `${root}/f`, 0, -1));
  },
  'a file of mode 0200 can be written by its owner and not read': ({ root, user }) => {
    fs.chmodSync(root, 0o777);
    user.run('os.close', user.number('os.open', `${root}/f`, C.O_CREAT | C.O_RDWR, 0o600));
    user.run('os.chmod', `${root}/f`, 0o200);
    for (const flags of [C.O_WRONLY, C.O_WRONLY | C.O_APPEND, C.O_WRONLY | C.O_TRUNC]) {
      const fd = user.number('os.open', `${root}/f`, flags);
      user.run('os.write', fd, pattern(100));
      user.run('os.close', fd);
    }
    fails('EACCES', () => user.run('os.open', `${root}/f`, C.O_RDONLY));
    assert.equal(fs.statSync(`${root}/f`).mode & 0o777, 0o200);
    assert.ok(fs.readFileSync(`${root}/f`).equals(pattern(100)));
  },
  'a directory its owner may not enter can be removed by its owner': ({ root, user }) => {
    fs.chmodSync(root, 0o777);
    for (const name of ['d', 'D'.repeat(200)]) {
      for (const mode of [0o000, 0o100, 0o200, 0o300, 0o400, 0o500, 0o600, 0o700]) {
        user.run('os.mkdir', `${root}/${name}`, mode);
        assert.deepEqual([fs.statSync(`${root}/${name}`).mode & 0o777, ...owner(`${root}/${name}`)], [mode, NOBODY, NOBODY]);
        user.run('os.rmdir', `${root}/${name}`);
      }
    }
  },
  'access asks for the caller': ({ root, user }) => {
    fs.writeFileSync(`${root}/f`, '', { mode: 0o640 });
    fs.writeFileSync(`${root}/g`, '', { mode: 0o655 });
    assert.deepEqual([user.run('os.access', `${root}/f`, C.R_OK), user.run('os.access', `${root}/g`, C.R_OK)], [false, true]);
    assert.deepEqual([user.run('os.access', `${root}/g`, C.X_OK), user.run('os.access', `${root}/g`, C.W_OK)], [true, false]);
  },
  'writing takes the setuid bit away': ({ root, user }) => {
    fs.chmodSync(root, 0o777);
    user.run('os.close', user.number('os.open', `${root}/f`, C.O_CREAT | C.O_RDWR, 0o755));
    user.run('os.chmod', `${root}/f`, 0o6755);
    const fd = user.number('os.open', `${root}/f`, C.O_WRONLY);
    user.run('os.write', fd, Buffer.from('x'));
    user.run('os.close', fd);
    assert.equal(fs.statSync(`${root}/f`).mode & 0o7777, 0o755);
  },
  'users working at the same time do not take over each other’s identity': ({ root, user, member }) => {
    fs.chmodSync(root, 0o777);
    user.start('x.make_files', root, 'nobody', 100);
    member.start('x.make_files', root, 'member', 100);
    for (let i = 0; i < 100; i++) fs.writeFileSync(`${root}/root${i}`, '');
    assert.deepEqual([user.finish(), member.finish()], [0, 0]);
    const want = { nobody: NOBODY, member: 4001, root: 0 };
    for (const [tag, uid] of Object.entries(want)) {
      const mine = fs.readdirSync(root).filter((name) => name.startsWith(tag));
      assert.equal(mine.length, 100);
      for (const name of mine) assert.equal(owner(`${root}/${name}`)[0], uid, name);
    }
  },
};
