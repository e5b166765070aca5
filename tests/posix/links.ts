import assert from 'node:assert/strict';
import fs, { constants as C } from 'node:fs';
import { fails } from '../support/errno.ts';
import { pattern, readAt, withFile } from '../support/files.ts';
import type { Subject } from './context.ts';

const AT_SYMLINK_NOFOLLOW = 0x100;

/** Hard links, symbolic links, and objects that are neither file nor directory. */
export const links: Subject = {
  'hard links share content, attributes and number': ({ root }) => {
    fs.writeFileSync(`${root}/a`, 'one');
    for (const name of ['b', 'L'.repeat(220)]) {
      fs.linkSync(`${root}/a`, `${root}/${name}`);
      fs.writeFileSync(`${root}/${name}`, pattern(5000));
      assert.ok(fs.readFileSync(`${root}/a`).equals(pattern(5000)));
      fs.chmodSync(`${root}/${name}`, 0o600);
      assert.equal(fs.statSync(`${root}/a`).mode & 0o777, 0o600);
      assert.equal(fs.statSync(`${root}/a`).ino, fs.statSync(`${root}/${name}`).ino);
      assert.equal(fs.statSync(`${root}/${name}`).size, 5000);
    }
    assert.equal(fs.statSync(`${root}/a`).nlink, 3);
    fs.unlinkSync(`${root}/a`);
    assert.equal(fs.statSync(`${root}/b`).nlink, 2);
    assert.ok(fs.readFileSync(`${root}/${'L'.repeat(220)}`).equals(pattern(5000)));
  },
  'hard links in two directories, written through two handles': ({ root }) => {
    fs.mkdirSync(`${root}/d`);
    withFile(`${root}/a`, 'w+', (one) => {
      fs.linkSync(`${root}/a`, `${root}/d/b`);
      withFile(`${root}/d/b`, 'r+', (two) => {
        fs.writeSync(one, pattern(100), 0, 100, 0);
        fs.writeSync(two, 'tail', 100);
        assert.equal(fs.fstatSync(one).size, 104);
        assert.ok(readAt(one, 0, 100).equals(pattern(100)));
        fs.truncateSync(`${root}/a`, 0);
        fs.writeSync(two, 'new', 0);
        assert.equal(readAt(one, 0, 100).toString(), 'new');
      });
    });
  },
  'errors of link': ({ root }) => {
    fs.writeFileSync(`${root}/f`, '');
    fs.mkdirSync(`${root}/d`);
    fails('EEXIST', () => fs.linkSync(`${root}/f`, `${root}/d`));
    fails('EEXIST', () => fs.linkSync(`${root}/f`, `${root}/f`));
    fails('EPERM', () => fs.linkSync(`${root}/d`, `${root}/e`));
    fails('ENOENT', () => fs.linkSync(`${root}/missing`, `${root}/x`));
    assert.equal(fs.statSync(`${root}/f`).nlink, 1);
  },
  'a hard link to a symbolic link is a symbolic link': ({ root, me }) => {
    fs.symlinkSync('target', `${root}/l`);
    me.run('x.link_nofollow', `${root}/l`, `${root}/m`);
    assert.equal(fs.readlinkSync(`${root}/m`), 'target');
    assert.equal(fs.lstatSync(`${root}/m`).size, 6);
    assert.equal(fs.lstatSync(`${root}/l`).nlink, 2);
  },
  'symbolic links keep targets of every length, and their size at once': ({ root }) => {
    for (const length of [1, 2, 15, 16, 17, 59, 60, 255, 256, 1000, 2000, 3000]) {
      const target = pattern(length).toString('base64url').slice(0, length);
      fs.symlinkSync(target, `${root}/${length}`);
      assert.equal(fs.lstatSync(`${root}/${length}`).size, length);
      assert.equal(fs.readlinkSync(`${root}/${length}`), target);
    }
    fs.symlinkSync('/absolute/päth with blanks\nand a line break', `${root}/odd`);
    assert.equal(fs.readlinkSync(`${root}/odd`), '/absolute/päth with blanks\nand a line break');
  },
  'symbolic links are followed, also to directories, and loops are refused': ({ root }) => {
    fs.mkdirSync(`${root}/d`);
    fs.writeFileSync(`${root}/d/f`, 'x');
    fs.symlinkSync('d', `${root}/${'l'.repeat(200)}`);
    fs.symlinkSync('../d/f', `${root}/d/up`);
    assert.equal(fs.readFileSync(`${root}/${'l'.repeat(200)}/up`, 'utf8'), 'x');
    fs.symlinkSync('b', `${root}/a`);
    fs.symlinkSync('a', `${root}/b`);
    fails('ELOOP', () => fs.statSync(`${root}/a`));
    fails('EINVAL', () => fs.readlinkSync(`${root}/d/f`));
    fails('EEXIST', () => fs.symlinkSync('x', `${root}/d`));
  },
  'owner and times of a dangling link': ({ root, me }) => {
    fs.symlinkSync('nowhere', `${root}/l`);
    fs.lchownSync(`${root}/l`, 5, 6);
    me.run('x.utimensat', `${root}/l`, [1_111_111_111, 123_456_789], [1_222_222_222, 987_654_321], AT_SYMLINK_NOFOLLOW);
    const stat = fs.lstatSync(`${root}/l`, { bigint: true });
    assert.deepEqual([stat.uid, stat.gid, stat.mtimeNs], [5n, 6n, 1_222_222_222_987_654_321n]);
    fails('ENOENT', () => fs.chownSync(`${root}/l`, 7, 8));
    fails('ENOENT', () => fs.chmodSync(`${root}/l`, 0o600));
    fails('ENOENT', () => fs.utimesSync(`${root}/l`, 1, 2));
  },
  'an O_PATH descriptor of a link shows its size': ({ root, me }) => {
    fs.symlinkSync('twelve bytes', `${root}/l`);
    const fd = me.number('os.open', `${root}/l`, 0x200000 | C.O_NOFOLLOW);
    assert.equal(me.stat('os.fstat', fd).st_size, 12);
    me.run('os.close', fd);
  },
  'a FIFO passes bytes': ({ root, me, other }) => {
    for (const name of ['p', 'P'.repeat(200)]) {
      me.run('os.mkfifo', `${root}/${name}`, 0o640);
      assert.equal(fs.lstatSync(`${root}/${name}`).mode, C.S_IFIFO | 0o640);
      const fd = me.number('os.open', `${root}/${name}`, C.O_RDWR);
      const writer = other.number('os.open', `${root}/${name}`, C.O_WRONLY);
      other.run('os.write', writer, Buffer.from('hello'));
      assert.equal(me.bytes('os.read', fd, 100).toString(), 'hello');
      other.run('os.close', writer);
      me.run('os.close', fd);
    }
  },
  'a socket can be bound and connected to': ({ root, me }) => {
    me.run('x.bind', `${root}/s`);
    assert.ok(fs.lstatSync(`${root}/s`).isSocket());
    assert.equal(me.bytes('x.talk', `${root}/s`).toString(), 'hello');
    fails('ENXIO', () => fs.openSync(`${root}/s`, 'r'));
  },
  'device nodes and plain files by mknod keep type, mode and number': ({ root, me }) => {
    const cases = [
      ['c', C.S_IFCHR | 0o620, 0x0103],
      ['b', C.S_IFBLK | 0o660, 0x0801],
      ['f', C.S_IFREG | 0o604, 0],
      ['D'.repeat(200), C.S_IFCHR | 0o600, 0x0105],
    ] as const;
    for (const [name, mode, device] of cases) {
      me.run('x.mknod', `${root}/${name}`, mode, device);
      const stat = fs.lstatSync(`${root}/${name}`);
      assert.deepEqual([stat.mode, stat.rdev], [mode, device], name);
    }
    fs.writeFileSync(`${root}/f`, pattern(5000));
    assert.ok(fs.readFileSync(`${root}/f`).equals(pattern(5000)));
    fails('EEXIST', () => me.run('x.mknod', `${root}/f`, C.S_IFREG | 0o600, 0));
  },
};
