import assert from 'node:assert/strict';
import fs, { constants as C } from 'node:fs';
import { fails } from '../support/errno.ts';
import { pattern, withFile } from '../support/files.ts';
import type { Subject } from './context.ts';

const OMIT = 0x3ffffffe;
const NOW = 0x3fffffff;
const NS = 1_000_000_000n;

function times(file: string): { atime: bigint; mtime: bigint; ctime: bigint } {
  const stat = fs.lstatSync(file, { bigint: true });
  return { atime: stat.atimeNs, mtime: stat.mtimeNs, ctime: stat.ctimeNs };
}

/** Modes and times. */
export const attributes: Subject = {
  'nanoseconds are kept, on files, directories, links and FIFOs': ({ root, me }) => {
    fs.writeFileSync(`${root}/f`, 'x');
    fs.mkdirSync(`${root}/d`);
    fs.symlinkSync('f', `${root}/l`);
    me.run('os.mkfifo', `${root}/p`);
    for (const name of ['f', 'd', 'l', 'p']) {
      me.run('x.utimensat', `${root}/${name}`, [1_234_567_890, 111_111_111], [1_345_678_901, 999_999_999], 0x100);
      const { atime, mtime } = times(`${root}/${name}`);
      assert.deepEqual([atime, mtime], [1_234_567_890n * NS + 111_111_111n, 1_345_678_901n * NS + 999_999_999n], name);
    }
  },
  'a time can be left as it is, or set to now': ({ root, me }) => {
    fs.writeFileSync(`${root}/f`, '');
    const fd = me.number('os.open', `${root}/f`, C.O_RDWR);
    const set = (how: string, atime: [number, number], mtime: [number, number]) =>
      how === 'path' ? me.run('x.utimensat', `${root}/f`, atime, mtime, 0) : me.run('x.futimens', fd, atime, mtime);
    for (const how of ['path', 'descriptor']) {
      set(how, [1000, 1], [2000, 2]);
      set(how, [3000, 3], [0, OMIT]);
      assert.deepEqual([times(`${root}/f`).atime, times(`${root}/f`).mtime], [3000n * NS + 3n, 2000n * NS + 2n]);
      set(how, [0, OMIT], [4000, 4]);
      assert.deepEqual([times(`${root}/f`).atime, times(`${root}/f`).mtime], [3000n * NS + 3n, 4000n * NS + 4n]);
      set(how, [0, OMIT], [0, NOW]);
      assert.equal(times(`${root}/f`).atime, 3000n * NS + 3n);
      assert.ok(BigInt(Date.now()) * 1_000_000n - times(`${root}/f`).mtime < 5n * NS);
    }
    me.run('os.close', fd);
  },
  'times before 1970 and after 2038': ({ root, me }) => {
    fs.writeFileSync(`${root}/f`, '');
    for (const seconds of [-1_000_000_000, 0, 4_000_000_000]) {
      me.run('x.utimensat', `${root}/f`, [seconds, 5], [seconds, 6], 0);
      assert.equal(times(`${root}/f`).mtime, BigInt(seconds) * NS + 6n);
    }
  },
  'set times survive closing, also after writes through the same descriptor': ({ root, me }) => {
    for (const size of [0, 1, 5000, 300_000]) {
      const fd = me.number('os.open', `${root}/f${size}`, C.O_CREAT | C.O_RDWR, 0o600);
      me.run('os.write', fd, pattern(size));
      me.run('x.futimens', fd, [1_500_000_000, 123], [1_500_000_000, 123_456_789]);
      me.run('os.close', fd);
      assert.equal(times(`${root}/f${size}`).mtime, 1_500_000_000n * NS + 123_456_789n);
    }
  },
  'writing, truncating and changing the mode move the times they should': ({ root }) => {
    fs.writeFileSync(`${root}/f`, 'x');
    const old = () => fs.utimesSync(`${root}/f`, 1000, 1000);
    for (const change of [
      () => fs.appendFileSync(`${root}/f`, 'y'),
      () => fs.truncateSync(`${root}/f`, 1),
      () => withFile(`${root}/f`, 'w', () => undefined),
    ]) {
      old();
      change();
      assert.ok(times(`${root}/f`).mtime > 2000n * NS);
    }
    old();
    const before = times(`${root}/f`);
    fs.chmodSync(`${root}/f`, 0o600);
    assert.equal(times(`${root}/f`).mtime, before.mtime);
    assert.ok(times(`${root}/f`).ctime >= before.ctime);
  },
  'every mode of a file is kept, by path and by descriptor': ({ root }) => {
    fs.writeFileSync(`${root}/f`, pattern(5000));
    withFile(`${root}/f`, 'r+', (fd) => {
      for (const mode of [0o000, 0o200, 0o400, 0o644, 0o755, 0o777, 0o1644, 0o2755, 0o4755, 0o7777]) {
        fs.chmodSync(`${root}/f`, mode);
        assert.equal(fs.statSync(`${root}/f`).mode & 0o7777, mode);
        fs.fchmodSync(fd, mode ^ 0o111);
        assert.equal(fs.fstatSync(fd).mode & 0o7777, mode ^ 0o111);
      }
    });
    assert.ok(fs.readFileSync(`${root}/f`).equals(pattern(5000)));
  },
  'owners are kept, one or both, by path and by descriptor': ({ root }) => {
    fs.writeFileSync(`${root}/f`, '');
    const owners = () => {
      const { uid, gid } = fs.statSync(`${root}/f`);
      return [uid, gid];
    };
    fs.chownSync(`${root}/f`, 11, 12);
    assert.deepEqual(owners(), [11, 12]);
    fs.chownSync(`${root}/f`, 13, 0xffffffff);
    assert.deepEqual(owners(), [13, 12]);
    withFile(`${root}/f`, 'r+', (fd) => fs.fchownSync(fd, 0xffffffff, 14));
    assert.deepEqual(owners(), [13, 14]);
  },
  'the umask decides the modes of new objects': ({ root, me }) => {
    const before = me.number('os.umask', 0o027);
    me.run('os.close', me.number('os.open', `${root}/f`, C.O_CREAT | C.O_RDWR, 0o666));
    me.run('os.mkdir', `${root}/d`, 0o777);
    me.run('os.mkfifo', `${root}/p`, 0o666);
    me.run('os.umask', before);
    const modes = ['f', 'd', 'p'].map((name) => fs.statSync(`${root}/${name}`).mode & 0o777);
    assert.deepEqual(modes, [0o640, 0o750, 0o640]);
  },
  'access tells the truth to root': ({ root }) => {
    fs.writeFileSync(`${root}/f`, '', { mode: 0o600 });
    fs.accessSync(`${root}/f`, C.R_OK | C.W_OK);
    fails('EACCES', () => fs.accessSync(`${root}/f`, C.X_OK));
    fs.chmodSync(`${root}/f`, 0o100);
    fs.accessSync(`${root}/f`, C.X_OK | C.R_OK);
    fails('ENOENT', () => fs.accessSync(`${root}/missing`));
  },
};
