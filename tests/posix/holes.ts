import assert from 'node:assert/strict';
import fs, { constants as C } from 'node:fs';
import type { Actor } from '../support/actor.ts';
import { fails } from '../support/errno.ts';
import { pattern, readAt, withFile } from '../support/files.ts';
import type { Subject } from './context.ts';

const SEEK_DATA = 3;
const SEEK_HOLE = 4;
const KEEP_SIZE = 1;

/** Data segments [from, to) of a file, by SEEK_DATA and SEEK_HOLE. */
function segments(me: Actor, fd: number): [number, number][] {
  const found: [number, number][] = [];
  for (let at = 0; ; ) {
    let data: number;
    try {
      data = me.number('os.lseek', fd, at, SEEK_DATA);
    } catch (error) {
      assert.equal((error as { code: string }).code, 'ENXIO');
      return found;
    }
    at = me.number('os.lseek', fd, data, SEEK_HOLE);
    assert.ok(at > data, `a hole at ${at} behind data at ${data}`);
    found.push([data, at]);
  }
}

function withActorFile(me: Actor, file: string, use: (fd: number) => void): void {
  const fd = me.number('os.open', file, C.O_CREAT | C.O_RDWR, 0o644);
  try {
    use(fd);
  } finally {
    me.run('os.close', fd);
  }
}

/** Sparse files and allocation. */
export const holes: Subject = {
  'writing far behind the end leaves zeros in between': ({ root }) => {
    for (const [size, at] of [
      [0, 100],
      [0, 4096],
      [0, 9000],
      [10, 4095],
      [10, 4096],
      [10, 100_000],
      [4096, 8192],
      [4096, 20_000],
    ] as const) {
      fs.writeFileSync(`${root}/f`, pattern(size));
      withFile(`${root}/f`, 'r+', (fd) => fs.writeSync(fd, 'data', at));
      const want = Buffer.concat([pattern(size), Buffer.alloc(at - size), Buffer.from('data')]);
      assert.ok(fs.readFileSync(`${root}/f`).equals(want), `${size} bytes, then data at ${at}`);
    }
  },
  'a hole stays a hole when something is written into it': ({ root }) => {
    withFile(`${root}/f`, 'w+', (fd) => {
      fs.ftruncateSync(fd, 1_000_000);
      fs.writeSync(fd, 'middle', 500_000);
      const want = Buffer.alloc(1_000_000);
      want.write('middle', 500_000);
      assert.ok(readAt(fd, 0, 1_000_000).equals(want));
      assert.ok(fs.fstatSync(fd).blocks * 512 < 100_000, 'stays sparse');
    });
  },
  'SEEK_DATA and SEEK_HOLE cover all data and find an end': ({ root, me }) => {
    withActorFile(me, `${root}/f`, (fd) => {
      me.run('os.ftruncate', fd, 3_000_000);
      for (const at of [1_234_567, 2_000_000]) me.run('os.pwrite', fd, Buffer.from('data'), at);
      const found = segments(me, fd);
      for (const at of [1_234_567, 2_000_000])
        assert.ok(
          found.some(([from, to]) => from <= at && at + 4 <= to),
          `data at ${at}`,
        );
      const covered = found.reduce((sum, [from, to]) => sum + to - from, 0);
      assert.ok(covered < 100_000, `${covered} bytes of data in a sparse file`);
      for (const whence of [SEEK_DATA, SEEK_HOLE]) fails('ENXIO', () => me.run('os.lseek', fd, 3_000_000, whence));
    });
  },
  'a file without holes is one piece of data': ({ root, me }) => {
    fs.writeFileSync(`${root}/f`, pattern(10_000));
    withActorFile(me, `${root}/f`, (fd) => {
      assert.deepEqual(segments(me, fd), [[0, 10_000]]);
      assert.equal(me.number('os.lseek', fd, 5000, SEEK_DATA), 5000);
      assert.equal(me.number('os.lseek', fd, 5000, SEEK_HOLE), 10_000);
    });
  },
  'SEEK_DATA leaps over a gigabyte at once': ({ root, me }) => {
    withActorFile(me, `${root}/f`, (fd) => {
      me.run('os.pwrite', fd, Buffer.from('x'), 0);
      me.run('os.pwrite', fd, Buffer.from('y'), 2 ** 30);
      const hole = me.number('os.lseek', fd, 0, SEEK_HOLE);
      assert.ok(hole >= 1 && hole <= 8192, `hole at ${hole}`);
      const data = me.number('os.lseek', fd, hole, SEEK_DATA);
      assert.ok(data > 2 ** 30 - 65_536 && data <= 2 ** 30, `data at ${data}`);
    });
  },
  'fallocate in mode 0 grows, never shrinks, and reads as zeros': ({ root, me }) => {
    withActorFile(me, `${root}/f`, (fd) => {
      me.run('x.fallocate', fd, 0, 0, 9000);
      assert.equal(fs.statSync(`${root}/f`).size, 9000);
      assert.ok(fs.readFileSync(`${root}/f`).equals(Buffer.alloc(9000)));
      me.run('os.pwrite', fd, pattern(9000), 0);
      for (const [offset, length] of [
        [0, 10],
        [4000, 200],
        [8999, 1],
      ] as const)
        me.run('x.fallocate', fd, 0, offset, length);
      assert.ok(fs.readFileSync(`${root}/f`).equals(pattern(9000)));
      me.run('x.fallocate', fd, 0, 8000, 12_000);
      assert.ok(fs.readFileSync(`${root}/f`).equals(Buffer.concat([pattern(9000), Buffer.alloc(11_000)])));
    });
  },
  'fallocate with KEEP_SIZE reserves space only': ({ root, me }) => {
    withActorFile(me, `${root}/f`, (fd) => {
      me.run('x.fallocate', fd, KEEP_SIZE, 0, 1_000_000);
      const stat = me.stat('os.fstat', fd);
      assert.equal(stat.st_size, 0);
      assert.ok(stat.st_blocks * 512 >= 1_000_000);
      me.run('os.pwrite', fd, pattern(5000), 0);
      assert.ok(fs.readFileSync(`${root}/f`).equals(pattern(5000)));
    });
    fails('EINVAL', () => withActorFile(me, `${root}/f`, (fd) => me.run('x.fallocate', fd, 0, 0, 0)));
  },
};
