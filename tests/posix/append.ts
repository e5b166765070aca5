import assert from 'node:assert/strict';
import fs, { constants as C } from 'node:fs';
import { pattern, readAt, withFile } from '../support/files.ts';
import type { Subject } from './context.ts';

/** Writing at the end. */
export const append: Subject = {
  '17 bytes, 500 times, then overwritten from the start: right after every step': ({ root }) => {
    const all = pattern(17 * 500);
    const again = pattern(17 * 500, 2);
    const model = Buffer.from(all);
    withFile(`${root}/f`, C.O_CREAT | C.O_RDWR | C.O_APPEND, (fd) => {
      for (let n = 1; n <= 500; n++) {
        assert.equal(fs.writeSync(fd, all, (n - 1) * 17, 17), 17);
        assert.ok(readAt(fd, 0, 10000).equals(all.subarray(0, n * 17)), `after append ${n}`);
      }
    });
    withFile(`${root}/f`, 'r+', (fd) => {
      for (let n = 0; n < 500; n++) {
        fs.writeSync(fd, again, n * 17, 17, n * 17);
        again.copy(model, n * 17, n * 17, n * 17 + 17);
        assert.ok(readAt(fd, 0, 10000).equals(model), `after overwriting ${n}`);
      }
    });
  },
  'two descriptors append behind each other': ({ root }) => {
    const flags = C.O_CREAT | C.O_WRONLY | C.O_APPEND;
    withFile(`${root}/f`, flags, (a) =>
      withFile(`${root}/f`, flags, (b) => {
        for (let i = 0; i < 300; i++) fs.writeSync(i % 2 ? b : a, `line ${i} ${'x'.repeat(i % 97)}.\n`);
      }),
    );
    const lines = fs.readFileSync(`${root}/f`, 'utf8').trimEnd().split('\n');
    assert.equal(lines.length, 300);
    lines.forEach((line, i) => {
      assert.equal(line, `line ${i} ${'x'.repeat(i % 97)}.`);
    });
  },
  'O_APPEND ignores the position, also after a truncation': ({ root }) => {
    withFile(`${root}/f`, C.O_CREAT | C.O_RDWR | C.O_APPEND, (fd) => {
      fs.writeSync(fd, pattern(5000));
      fs.ftruncateSync(fd, 4096);
      fs.writeSync(fd, Buffer.from('end'), 0, 3, 0);
      assert.equal(fs.fstatSync(fd).size, 4099);
      assert.equal(readAt(fd, 4096, 10).toString(), 'end');
      assert.ok(readAt(fd, 0, 4096).equals(pattern(4096)));
    });
  },
  'appending to files of every border size keeps what was there': ({ root }) => {
    for (const size of [0, 1, 4095, 4096, 4097, 8192, 131072]) {
      fs.writeFileSync(`${root}/f`, pattern(size));
      fs.appendFileSync(`${root}/f`, 'tail');
      assert.ok(fs.readFileSync(`${root}/f`).equals(Buffer.concat([pattern(size), Buffer.from('tail')])), `size ${size}`);
    }
  },
  'two processes append whole lines': ({ root, me, other }) => {
    fs.writeFileSync(`${root}/f`, '');
    me.start('x.append_lines', `${root}/f`, 'a', 300);
    other.start('x.append_lines', `${root}/f`, 'b', 300);
    me.finish();
    other.finish();
    const lines = fs.readFileSync(`${root}/f`, 'utf8').trimEnd().split('\n');
    assert.deepEqual(new Set(lines).size, 600);
    assert.ok(lines.every((line) => /^[ab]\d{6}$/.test(line)));
  },
};
