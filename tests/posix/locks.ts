import assert from 'node:assert/strict';
import fs, { constants as C } from 'node:fs';
import { fails } from '../support/errno.ts';
import { pattern, withFile } from '../support/files.ts';
import type { Context, Subject } from './context.ts';

const SHARED = 1;
const EXCLUSIVE = 2;
const NOW = 4;
const UNLOCK = 8;

/** The same file opened by two processes. */
function withBoth({ root, me, other }: Context, use: (mine: number, theirs: number) => void): void {
  const mine = me.number('os.open', `${root}/f`, C.O_CREAT | C.O_RDWR, 0o600);
  const theirs = other.number('os.open', `${root}/f`, C.O_RDWR);
  try {
    use(mine, theirs);
  } finally {
    me.run('os.close', mine);
    other.run('os.close', theirs);
  }
}

/** Locks between processes, shared memory mappings, and a program that needs both. */
export const locks: Subject = {
  'flock excludes, shares and is released by closing': (t) => {
    withBoth(t, (mine, theirs) => {
      t.me.run('x.flock', mine, EXCLUSIVE | NOW);
      fails('EAGAIN', () => t.other.run('x.flock', theirs, SHARED | NOW));
      t.me.run('x.flock', mine, UNLOCK);
      t.other.run('x.flock', theirs, SHARED | NOW);
      t.me.run('x.flock', mine, SHARED | NOW);
      fails('EAGAIN', () => t.me.run('x.flock', mine, EXCLUSIVE | NOW));
    });
    withBoth(t, (_, theirs) => {
      const again = t.me.number('os.open', `${t.root}/f`, C.O_RDWR);
      t.me.run('x.flock', again, EXCLUSIVE | NOW);
      t.me.run('os.close', again);
      t.other.run('x.flock', theirs, EXCLUSIVE | NOW);
    });
  },
  'POSIX locks cover ranges and belong to processes': (t) => {
    withBoth(t, (mine, theirs) => {
      t.me.run('x.lockf', mine, EXCLUSIVE | NOW, 100, 0);
      fails('EAGAIN EACCES', () => t.other.run('x.lockf', theirs, EXCLUSIVE | NOW, 1, 99));
      t.other.run('x.lockf', theirs, EXCLUSIVE | NOW, 100, 100);
      t.me.run('x.lockf', mine, EXCLUSIVE | NOW, 50, 0);
      t.me.run('x.lockf', mine, UNLOCK, 50, 0);
      t.other.run('x.lockf', theirs, EXCLUSIVE | NOW, 50, 0);
      fails('EAGAIN EACCES', () => t.me.run('x.lockf', mine, SHARED | NOW, 200, 0));
    });
  },
  'a waiting lock is granted when the holder lets go': (t) => {
    withBoth(t, (mine, theirs) => {
      t.me.run('x.lockf', mine, EXCLUSIVE, 10, 0);
      t.other.start('x.lockf', theirs, EXCLUSIVE, 10, 0);
      t.me.run('os.pwrite', mine, Buffer.from('first'), 0);
      t.me.run('x.lockf', mine, UNLOCK, 10, 0);
      t.other.finish();
      assert.equal(t.other.bytes('os.pread', theirs, 10, 0).toString(), 'first');
    });
  },
  'a shared mapping and the file show the same bytes': ({ root, me }) => {
    fs.writeFileSync(`${root}/f`, pattern(20_000));
    const fd = me.number('os.open', `${root}/f`, C.O_RDWR);
    const map = me.number('x.mmap', fd, 20_000);
    assert.ok(me.bytes('x.mmap_read', map, 0, 20_000).equals(pattern(20_000)));
    me.run('x.mmap_write', map, 4090, Buffer.from('mapped write'));
    me.run('x.mmap_flush', map);
    withFile(`${root}/f`, 'r+', (other) => fs.writeSync(other, 'plain write', 9000));
    assert.equal(me.bytes('x.mmap_read', map, 9000, 11).toString(), 'plain write');
    me.run('x.mmap_write', map, 19_990, Buffer.from('end'));
    me.run('x.mmap_close', map);
    me.run('os.close', fd);
    const want = pattern(20_000);
    want.write('mapped write', 4090);
    want.write('plain write', 9000);
    want.write('end', 19_990);
    assert.ok(fs.readFileSync(`${root}/f`).equals(want));
  },
  'two processes share a mapping': (t) => {
    fs.writeFileSync(`${t.root}/f`, Buffer.alloc(8192));
    withBoth(t, (mine, theirs) => {
      const a = t.me.number('x.mmap', mine, 8192);
      const b = t.other.number('x.mmap', theirs, 8192);
      t.me.run('x.mmap_write', a, 5000, Buffer.from('seen'));
      assert.equal(t.other.bytes('x.mmap_read', b, 5000, 4).toString(), 'seen');
      t.me.run('x.mmap_close', a);
      t.other.run('x.mmap_close', b);
    });
    assert.equal(fs.readFileSync(`${t.root}/f`).subarray(5000, 5004).toString(), 'seen');
  },
  'mapped pages written back after the descriptor is closed arrive': ({ root, me }) => {
    fs.writeFileSync(`${root}/f`, Buffer.alloc(1_000_000));
    const fd = me.number('os.open', `${root}/f`, C.O_RDWR);
    const map = me.number('x.mmap', fd, 1_000_000);
    me.run('os.close', fd);
    me.run('x.mmap_write', map, 1000, pattern(900_000));
    me.run('x.mmap_close', map);
    assert.ok(fs.readFileSync(`${root}/f`).subarray(1000, 901_000).equals(pattern(900_000)));
  },
  'two processes use one SQLite database, with and without WAL': ({ root, me, other }) => {
    for (const journal of ['wal', 'delete']) {
      const file = `${root}/${journal}.db`;
      assert.equal(me.run('x.sqlite_insert', file, journal, 'setup', 1), journal);
      me.start('x.sqlite_insert', file, journal, 'me', 40);
      other.start('x.sqlite_insert', file, journal, 'other', 40);
      me.finish();
      other.finish();
      assert.deepEqual(me.run('x.sqlite_check', file), ['ok', 81]);
    }
  },
};
