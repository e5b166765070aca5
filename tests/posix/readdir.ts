import assert from 'node:assert/strict';
import fs, { constants as C } from 'node:fs';
import type { Actor, Entry } from '../support/actor.ts';
import type { Context, Subject } from './context.ts';

const DT = { fifo: 1, char: 2, dir: 4, block: 6, file: 8, link: 10, socket: 12 } as const;
const COUNT = 3000;

function fill(root: string, count: number): void {
  for (let i = 0; i < count; i++) fs.closeSync(fs.openSync(`${root}/${String(i).padStart(5, '0')}${'z'.repeat(i % 200)}`, 'wx'));
}

function withStream(me: Actor, dir: string, use: (stream: number) => void): void {
  const stream = me.number('x.opendir', dir);
  try {
    use(stream);
  } finally {
    me.run('x.closedir', stream);
  }
}

function realNames(entries: readonly Entry[]): string[] {
  return entries
    .map((entry) => entry.name)
    .filter((name) => name !== '.' && name !== '..')
    .sort();
}

/** Listing directories. */
export const readdir: Subject = {
  'dot and dot-dot are listed with the numbers that stat shows': ({ root, me }) => {
    fs.mkdirSync(`${root}/d`);
    fs.writeFileSync(`${root}/d/f`, '');
    withStream(me, `${root}/d`, (stream) => {
      const numbers = new Map(me.entries(stream, 100).map((entry) => [entry.name, entry.ino]));
      assert.deepEqual([...numbers.keys()].sort(), ['.', '..', 'f']);
      assert.equal(numbers.get('.'), fs.statSync(`${root}/d`).ino);
      assert.equal(numbers.get('..'), fs.statSync(root).ino);
      assert.equal(numbers.get('f'), fs.statSync(`${root}/d/f`).ino);
    });
  },
  'types are right': ({ root, me }) => {
    fs.writeFileSync(`${root}/file`, '');
    fs.mkdirSync(`${root}/dir`);
    fs.symlinkSync('x', `${root}/link`);
    me.run('os.mkfifo', `${root}/fifo`);
    me.run('x.mknod', `${root}/char`, C.S_IFCHR | 0o600, 0x103);
    me.run('x.mknod', `${root}/block`, C.S_IFBLK | 0o600, 0x103);
    me.run('x.mknod', `${root}/socket`, C.S_IFSOCK | 0o600, 0);
    withStream(me, root, (stream) => {
      const types = new Map(me.entries(stream, 100).map((entry) => [entry.name, entry.type]));
      for (const [name, type] of Object.entries(DT)) assert.equal(types.get(name), type, name);
    });
  },
  'rewinding after a partial read begins again': ({ root, me }) => {
    fill(root, 500);
    withStream(me, root, (stream) => {
      const first = me.entries(stream, 100);
      me.run('x.rewinddir', stream);
      const all = me.entries(stream, 10_000);
      assert.deepEqual(all.slice(0, 100), first);
      assert.equal(all.length, 502);
      fs.writeFileSync(`${root}/new`, '');
      me.run('x.rewinddir', stream);
      assert.ok(realNames(me.entries(stream, 10_000)).includes('new'), 'a rewound stream shows a new entry');
    });
  },
  'any position can be returned to': ({ root, me }) => {
    fill(root, 400);
    withStream(me, root, (stream) => {
      const all = me.entries(stream, 10_000);
      for (const index of [0, 1, 50, 399, 200, 401]) {
        me.run('x.seekdir', stream, all[index]?.behind ?? '0');
        assert.deepEqual(me.entries(stream, 10_000), all.slice(index + 1), `from ${index}`);
      }
    });
  },
  'three thousand entries are listed once each, and can be deleted while listing': ({ root, me }) => {
    fill(root, COUNT);
    const names = fs.readdirSync(root).sort();
    assert.equal(new Set(names).size, COUNT);
    withStream(me, root, (stream) => {
      const seen = new Set<string>();
      for (let page = me.entries(stream, 37); page.length > 0; page = me.entries(stream, 37)) {
        for (const name of realNames(page)) {
          assert.ok(!seen.has(name), `${name.slice(0, 10)} twice`);
          seen.add(name);
          fs.unlinkSync(`${root}/${name}`);
        }
      }
      assert.equal(seen.size, COUNT);
    });
    fs.rmdirSync(root);
    fs.mkdirSync(root);
  },
  'entries that stay are listed once while others come and go': ({ root, me }) => {
    fill(root, 1000);
    withStream(me, root, (stream) => {
      const seen = new Map<string, number>();
      for (let page = me.entries(stream, 50), round = 0; page.length > 0; page = me.entries(stream, 50), round++) {
        for (const name of realNames(page)) seen.set(name, (seen.get(name) ?? 0) + 1);
        fs.writeFileSync(`${root}/extra${round}`, '');
        if (round > 0) fs.unlinkSync(`${root}/extra${round - 1}`);
      }
      const stayed = [...seen].filter(([name]) => !name.startsWith('extra'));
      assert.equal(stayed.length, 1000);
      assert.ok(stayed.every(([, times]) => times === 1));
    });
  },
  'two streams of one directory do not disturb each other': ({ root, me, other }) => {
    fill(root, 300);
    withStream(me, root, (one) =>
      withStream(other, root, (two) => {
        const a: Entry[] = [];
        const b: Entry[] = [];
        for (let i = 0; i < 20; i++) {
          a.push(...me.entries(one, 20));
          b.push(...other.entries(two, 31));
        }
        assert.deepEqual(realNames(a), realNames(b));
        assert.equal(realNames(a).length, 300);
      }),
    );
  },
  'a recursive removal leaves nothing': ({ root }: Context) => {
    for (let i = 0; i < 20; i++) {
      fs.mkdirSync(`${root}/t/${i}/${'deep'.repeat(i)}x/y`, { recursive: true });
      fs.writeFileSync(`${root}/t/${i}/${'file'.repeat(i * 3)}y`, 'x');
    }
    fs.rmSync(`${root}/t`, { recursive: true });
    assert.deepEqual(fs.readdirSync(root), []);
  },
};
