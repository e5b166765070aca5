import assert from 'node:assert/strict';
import fs from 'node:fs';
import { numbers, pattern, readAt, withFile } from '../support/files.ts';
import type { Subject } from './context.ts';

const MIB = 1024 * 1024;

/** Changing the size of files, by path and by descriptor. */
export const truncate: Subject = {
  'a sequence of sizes over block borders, all zeros': ({ root }) => {
    withFile(`${root}/f`, 'w+', (fd) => {
      for (const size of [7000, 6999, 465, 4096, 0, 10 * MIB, 10 * MIB + 100, 20 * MIB]) {
        fs.ftruncateSync(fd, size);
        assert.equal(fs.fstatSync(fd).size, size);
        const data = fs.readFileSync(`${root}/f`);
        assert.equal(data.length, size);
        assert.ok(data.equals(Buffer.alloc(size)), `zeros at ${size}`);
      }
    });
  },
  'what was cut off never comes back': ({ root }) => {
    for (const [from, to] of [
      [9000, 100],
      [9000, 4096],
      [9000, 4097],
      [4096, 1],
      [8192, 4096],
      [8193, 8192],
    ] as const) {
      fs.writeFileSync(`${root}/f`, pattern(from));
      fs.truncateSync(`${root}/f`, to);
      assert.ok(fs.readFileSync(`${root}/f`).equals(pattern(from).subarray(0, to)), `${from} to ${to}`);
      fs.truncateSync(`${root}/f`, from + 5000);
      const grown = Buffer.concat([pattern(from).subarray(0, to), Buffer.alloc(from + 5000 - to)]);
      assert.ok(fs.readFileSync(`${root}/f`).equals(grown), `${from} to ${to} and back`);
    }
  },
  'growing keeps the content': ({ root }) => {
    for (const from of [0, 1, 4095, 4096, 4097, 5000, 8192]) {
      for (const by of [0, 1, 100, 4095, 4096, 4097, 12288, 15000]) {
        fs.writeFileSync(`${root}/f`, pattern(from));
        fs.truncateSync(`${root}/f`, from + by);
        assert.ok(fs.readFileSync(`${root}/f`).equals(Buffer.concat([pattern(from), Buffer.alloc(by)])), `${from} by ${by}`);
      }
    }
  },
  'a random sequence by path and by descriptor': ({ root }) => {
    const next = numbers(7);
    let model = pattern(20000);
    fs.writeFileSync(`${root}/f`, model);
    withFile(`${root}/f`, 'r+', (fd) => {
      for (let i = 0; i < 60; i++) {
        const size = next(5) === 0 ? 4096 * next(8) : next(30000);
        if (next(2) === 0) fs.ftruncateSync(fd, size);
        else fs.truncateSync(`${root}/f`, size);
        model = Buffer.concat([model, Buffer.alloc(Math.max(0, size - model.length))]).subarray(0, size);
        assert.ok(readAt(fd, 0, 40000).equals(model), `step ${i}, size ${size}`);
      }
    });
  },
  'after a truncation to zero another handle reads and writes the new content': ({ root }) => {
    withFile(`${root}/f`, 'w+', (one) =>
      withFile(`${root}/f`, 'r+', (two) => {
        fs.writeSync(two, pattern(6000), 0, 6000, 0);
        assert.equal(readAt(two, 0, 6000).length, 6000);
        fs.ftruncateSync(one, 0);
        fs.writeSync(one, pattern(5000, 2), 0, 5000, 0);
        assert.ok(readAt(two, 0, 9000).equals(pattern(5000, 2)));
        fs.truncateSync(`${root}/f`, 0);
        fs.writeSync(two, 'short', 0);
        assert.equal(readAt(one, 0, 100).toString(), 'short');
      }),
    );
  },
  'a file of odd size whose second half is cut is appended to correctly': ({ root }) => {
    fs.writeFileSync(`${root}/f`, pattern(10001));
    fs.truncateSync(`${root}/f`, 5001);
    fs.appendFileSync(`${root}/f`, pattern(5000, 3));
    assert.ok(fs.readFileSync(`${root}/f`).equals(Buffer.concat([pattern(5001), pattern(5000, 3)])));
  },
};
