import assert from 'node:assert/strict';
import fs, { constants as C } from 'node:fs';
import { pattern, readAt, withFile } from '../support/files.ts';
import type { Context, Subject } from './context.ts';

/** Lets both processes work at the same time. @returns what they found */
function both({ me, other }: Context, mine: [string, ...(string | number | Buffer | number[])[]], theirs: typeof mine): [unknown, unknown] {
  me.start(...mine);
  other.start(...theirs);
  return [me.finish(), other.finish()];
}

/** Several processes at work at the same time. */
export const concurrency: Subject = {
  'reading while everything is rewritten never fails and never shows another size': (t) => {
    fs.writeFileSync(`${t.root}/f`, 'A'.repeat(4096));
    const [, odd] = both(t, ['x.rewrite', `${t.root}/f`, 4096, 400], ['x.watch_lengths', `${t.root}/f`, 8192, 400, [4096]]);
    assert.equal(odd, 0);
  },
  'cutting to nothing and writing shows nothing or everything': (t) => {
    fs.writeFileSync(`${t.root}/f`, '');
    const work = ['x.truncate_and_write', `${t.root}/f`, 10, 400] as [string, string, number, number];
    const [, odd] = both(t, work, ['x.watch_lengths', `${t.root}/f`, 100, 400, [0, 10]]);
    assert.equal(odd, 0);
  },
  'writers of different parts of the same blocks do not lose each other': (t) => {
    const [size, count] = [100, 400];
    fs.writeFileSync(`${t.root}/f`, '');
    both(t, ['x.write_stripe', `${t.root}/f`, 0, 2, count, size], ['x.write_stripe', `${t.root}/f`, 1, 2, count, size]);
    const data = fs.readFileSync(`${t.root}/f`);
    assert.equal(data.length, size * count);
    for (let i = 0; i < count; i++) assert.ok(data.subarray(i * size, (i + 1) * size).equals(Buffer.alloc(size, i % 251)), `record ${i}`);
  },
  'creating and removing against opening and reading': (t) => {
    const content = Buffer.from('whole content');
    const [, bad] = both(t, ['x.create_content_remove', `${t.root}/f`, 300, content], ['x.open_read', `${t.root}/f`, 300, content]);
    assert.equal(bad, 0);
  },
  'a file and a directory of one name, made and removed by two': (t) => {
    both(t, ['x.create_remove', `${t.root}/x`, 300, 0], ['x.create_remove', `${t.root}/x`, 300, 1]);
    fs.rmSync(`${t.root}/x`, { recursive: true, force: true });
    fs.writeFileSync(`${t.root}/x`, 'fine');
    assert.equal(fs.readFileSync(`${t.root}/x`, 'utf8'), 'fine');
  },
  'two processes with files of their own in one directory': (t) => {
    const results = both(t, ['x.make_files', t.root, 'mine', 150], ['x.make_files', t.root, `${'L'.repeat(190)}`, 150]);
    assert.deepEqual(results, [0, 0]);
    assert.equal(fs.readdirSync(t.root).length, 300);
  },
  'overlapping writes through two descriptors are as if one came after the other': ({ root, me, other }) => {
    fs.writeFileSync(`${root}/f`, Buffer.alloc(20_000));
    const mine = me.number('os.open', `${root}/f`, C.O_RDWR);
    const theirs = other.number('os.open', `${root}/f`, C.O_RDWR);
    for (let i = 0; i < 100; i++) {
      me.start('os.pwrite', mine, Buffer.alloc(6000, 1), 3000);
      other.start('os.pwrite', theirs, Buffer.alloc(6000, 2), 3000 + (i % 7) * 500);
      me.finish();
      other.finish();
      const data = withFile(`${root}/f`, 'r', (fd) => readAt(fd, 0, 20_000));
      const overlap = data.subarray(3000 + (i % 7) * 500, 9000);
      assert.equal(new Set(overlap).size, 1, `round ${i}`);
    }
    me.run('os.close', mine);
    other.run('os.close', theirs);
  },
  'a reader of a growing file sees a beginning of it': ({ root, me }) => {
    const data = pattern(400_000);
    fs.writeFileSync(`${root}/f`, '');
    const writer = me.number('os.open', `${root}/f`, C.O_WRONLY | C.O_APPEND);
    withFile(`${root}/f`, 'r', (reader) => {
      for (let at = 0; at < data.length; at += 9_999) {
        me.start('os.write', writer, data.subarray(at, at + 9_999));
        const seen = readAt(reader, 0, 500_000);
        assert.ok(seen.equals(data.subarray(0, seen.length)));
        me.finish();
      }
    });
    me.run('os.close', writer);
    assert.ok(fs.readFileSync(`${root}/f`).equals(data));
  },
};
