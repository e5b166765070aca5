import assert from 'node:assert/strict';
import fs, { constants as C } from 'node:fs';
import { fails } from '../support/errno.ts';
import { pattern, readAt, withFile } from '../support/files.ts';
import type { Check, Subject } from './context.ts';

/** Takes the name of an open file away: by unlink, and by renaming another file over it. */
const WAYS: [string, (file: string) => void][] = [
  ['unlinked', (file) => fs.unlinkSync(file)],
  [
    'overwritten',
    (file) => {
      fs.writeFileSync(`${file}2`, 'other');
      fs.renameSync(`${file}2`, file);
    },
  ],
];

const forEachWay = (name: string, check: (fd: number, file: string) => void): [string, Check][] =>
  WAYS.flatMap(([way, remove]) =>
    ['f', 'L'.repeat(230)].map((base): [string, Check] => [
      `${way} but open, ${base.length === 1 ? 'short' : 'long'} name: ${name}`,
      ({ root }) => {
        const file = `${root}/${base}`;
        withFile(file, 'w+', (fd) => {
          fs.writeSync(fd, pattern(6000));
          remove(file);
          check(fd, file);
        });
      },
    ]),
  );

/** Files and directories that have lost their name while they are open. */
export const unlinked: Subject = {
  ...Object.fromEntries([
    ...forEachWay('reads, writes and sizes', (fd) => {
      assert.equal(fs.fstatSync(fd).nlink, 0);
      assert.equal(fs.fstatSync(fd).size, 6000);
      assert.ok(readAt(fd, 0, 9000).equals(pattern(6000)));
      fs.writeSync(fd, 'more', 8000);
      assert.equal(fs.fstatSync(fd).size, 8004);
      fs.ftruncateSync(fd, 3);
      assert.ok(readAt(fd, 0, 9000).equals(pattern(3)));
      fs.ftruncateSync(fd, 0);
      fs.writeSync(fd, 'again', 0);
      assert.equal(readAt(fd, 0, 100).toString(), 'again');
    }),
    ...forEachWay('mode, owner, times and syncs', (fd) => {
      fs.fchmodSync(fd, 0o640);
      fs.fchownSync(fd, 1, 2);
      fs.futimesSync(fd, 1_000_000, 2_000_000);
      const stat = fs.fstatSync(fd);
      assert.deepEqual([stat.mode & 0o7777, stat.uid, stat.gid, stat.mtimeMs], [0o640, 1, 2, 2_000_000_000]);
      fs.fsyncSync(fd);
      fs.fdatasyncSync(fd);
      assert.equal(fs.fstatSync(fd).mtimeMs, 2_000_000_000);
    }),
  ]),
  'a file created under the name of an unlinked open one is another file': ({ root }) => {
    withFile(`${root}/f`, 'w+', (old) => {
      fs.writeSync(old, pattern(5000));
      fs.unlinkSync(`${root}/f`);
      fs.writeFileSync(`${root}/f`, 'new');
      assert.ok(readAt(old, 0, 9000).equals(pattern(5000)));
      assert.notEqual(fs.fstatSync(old).ino, fs.statSync(`${root}/f`).ino);
      fs.writeSync(old, 'x', 0);
      assert.equal(fs.readFileSync(`${root}/f`, 'utf8'), 'new');
    });
  },
  'times of two hundred deleted files can be set': ({ root }) => {
    for (let i = 0; i < 200; i++) {
      withFile(`${root}/f`, 'wx+', (fd) => {
        fs.writeSync(fd, pattern(i));
        fs.unlinkSync(`${root}/f`);
        fs.futimesSync(fd, 1, 2);
        fs.fchmodSync(fd, 0o600);
        fs.ftruncateSync(fd, 3);
        assert.equal(fs.fstatSync(fd).size, 3);
      });
    }
  },
  'xattrs of an unlinked open file': ({ root, me }) => {
    const fd = me.number('os.open', `${root}/f`, C.O_CREAT | C.O_RDWR, 0o600);
    me.run('os.setxattr', fd, 'user.a', Buffer.from('1'));
    me.run('os.unlink', `${root}/f`);
    assert.equal(me.bytes('os.getxattr', fd, 'user.a').toString(), '1');
    me.run('os.setxattr', fd, 'user.b', Buffer.from('2'));
    assert.deepEqual(me.strings('os.listxattr', fd), ['user.a', 'user.b']);
    me.run('os.removexattr', fd, 'user.a');
    assert.deepEqual(me.strings('os.listxattr', fd), ['user.b']);
    me.run('os.close', fd);
  },
  'holes and allocation of an unlinked open file': ({ root, me }) => {
    const fd = me.number('os.open', `${root}/f`, C.O_CREAT | C.O_RDWR, 0o600);
    me.run('os.unlink', `${root}/f`);
    me.run('x.fallocate', fd, 0, 0, 5000);
    me.run('os.pwrite', fd, pattern(5000), 0);
    me.run('os.ftruncate', fd, 1_000_000);
    assert.equal(me.number('os.lseek', fd, 0, 2), 1_000_000);
    const hole = me.number('os.lseek', fd, 0, 4);
    assert.ok(hole >= 5000 && hole <= 12288, `hole at ${hole}`);
    me.run('os.close', fd);
  },
  'a removed directory that is open is empty and has no links': ({ root, me }) => {
    fs.mkdirSync(`${root}/d`);
    const fd = me.number('os.open', `${root}/d`, C.O_RDONLY);
    fs.rmdirSync(`${root}/d`);
    assert.equal(me.stat('os.fstat', fd).st_nlink, 0);
    assert.deepEqual(me.run('os.listdir', fd), []);
    me.run('os.close', fd);
  },
  'a removed FIFO that is open can be looked at': ({ root, me }) => {
    me.run('os.mkfifo', `${root}/p`);
    const fd = me.number('os.open', `${root}/p`, C.O_RDWR | C.O_NONBLOCK);
    me.run('os.unlink', `${root}/p`);
    const stat = me.stat('os.fstat', fd);
    assert.deepEqual([stat.st_mode & C.S_IFMT, stat.st_nlink], [C.S_IFIFO, 0]);
    me.run('os.close', fd);
  },
  'a directory that is open stays usable when it is renamed': ({ root, me }) => {
    fs.mkdirSync(`${root}/d`);
    fs.writeFileSync(`${root}/d/f`, 'x');
    const fd = me.number('os.open', `${root}/d`, C.O_RDONLY);
    fs.renameSync(`${root}/d`, `${root}/e`);
    assert.deepEqual(me.run('os.listdir', fd), ['f']);
    assert.equal(me.stat('os.fstat', fd).st_ino, fs.statSync(`${root}/e`).ino);
    me.run('os.close', fd);
    fails('ENOENT', () => fs.statSync(`${root}/d`));
  },
};
