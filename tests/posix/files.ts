import assert from 'node:assert/strict';
import fs, { constants as C } from 'node:fs';
import { fails } from '../support/errno.ts';
import { BORDER_SIZES, numbers, pattern, readAt, withFile } from '../support/files.ts';
import type { Subject } from './context.ts';

/** Opening, reading and writing regular files. */
export const files: Subject = {
  'every size around a border reads back, and stat, fstat and the bytes agree': ({ root }) => {
    for (const size of BORDER_SIZES) {
      const file = `${root}/${size}`;
      const data = pattern(size, size);
      fs.writeFileSync(file, data);
      assert.equal(fs.statSync(file).size, size);
      withFile(file, 'r', (fd) => {
        assert.equal(fs.fstatSync(fd).size, size);
        assert.ok(fs.readFileSync(fd).equals(data), `content of ${size} bytes`);
        assert.equal(readAt(fd, size, 10).length, 0);
        assert.equal(readAt(fd, size + 100000, 10).length, 0);
      });
    }
  },
  'writes at every place around a border leave the rest alone': ({ root }) => {
    const model = pattern(12500);
    withFile(`${root}/f`, 'w+', (fd) => {
      fs.writeSync(fd, model, 0, model.length, 0);
      for (const offset of [0, 1, 4094, 4095, 4096, 4097, 8191, 8192, 8193, 12400]) {
        for (const length of [1, 2, 100, 4096, 4097]) {
          const piece = pattern(Math.min(length, model.length - offset), offset + length);
          piece.copy(model, offset);
          fs.writeSync(fd, piece, 0, piece.length, offset);
        }
      }
      assert.ok(readAt(fd, 0, 20000).equals(model));
    });
  },
  'random reads, writes and truncations behave like a buffer': ({ root }) => {
    const next = numbers(20260101);
    let model = Buffer.alloc(0);
    withFile(`${root}/f`, 'w+', (fd) => {
      for (let i = 0; i < 300; i++) {
        const offset = next(30000);
        const length = next(9000);
        const kind = next(6);
        if (kind < 3) {
          const piece = pattern(length, i);
          fs.writeSync(fd, piece, 0, length, offset);
          if (length > 0) model = Buffer.concat([model, Buffer.alloc(Math.max(0, offset + length - model.length))]);
          piece.copy(model, offset);
        } else if (kind === 3) {
          fs.ftruncateSync(fd, offset);
          model = Buffer.concat([model, Buffer.alloc(Math.max(0, offset - model.length))]).subarray(0, offset);
        } else {
          assert.ok(readAt(fd, offset, length).equals(model.subarray(offset, offset + length)), `step ${i}: read ${length} at ${offset}`);
        }
        assert.equal(fs.fstatSync(fd).size, model.length, `size after step ${i}`);
      }
      assert.ok(readAt(fd, 0, 50000).equals(model));
    });
    assert.ok(fs.readFileSync(`${root}/f`).equals(model));
  },
  'a large file in pieces of odd length reads back': ({ root }) => {
    const data = pattern(5_000_001);
    withFile(`${root}/f`, 'w', (fd) => {
      for (let at = 0; at < data.length; at += 777_777) fs.writeSync(fd, data, at, Math.min(777_777, data.length - at), at);
    });
    assert.ok(fs.readFileSync(`${root}/f`).equals(data));
    withFile(`${root}/f`, 'r', (fd) => {
      for (const at of [4_999_990, 1_048_576, 3, 2_097_151]) assert.ok(readAt(fd, at, 70_000).equals(data.subarray(at, at + 70_000)));
    });
  },
  'O_EXCL refuses what exists, also a dangling symlink': ({ root }) => {
    fs.writeFileSync(`${root}/f`, '');
    fs.symlinkSync('nowhere', `${root}/l`);
    for (const name of ['f', 'l', '.']) fails('EEXIST', () => fs.openSync(`${root}/${name}`, C.O_CREAT | C.O_EXCL | C.O_RDWR));
    fs.closeSync(fs.openSync(`${root}/l`, C.O_CREAT | C.O_RDWR, 0o600));
    assert.ok(fs.existsSync(`${root}/nowhere`), 'without O_EXCL the target is created');
  },
  'O_TRUNC empties the file, and other handles see the new content': ({ root }) => {
    fs.writeFileSync(`${root}/f`, pattern(10000));
    withFile(`${root}/f`, 'r', (reader) => {
      assert.equal(readAt(reader, 0, 20000).length, 10000);
      withFile(`${root}/f`, C.O_RDWR | C.O_TRUNC, (fd) => {
        assert.equal(fs.fstatSync(fd).size, 0);
        assert.equal(readAt(reader, 0, 100).length, 0);
        fs.writeSync(fd, 'new');
      });
      assert.equal(readAt(reader, 0, 100).toString(), 'new');
    });
    withFile(`${root}/f`, C.O_WRONLY | C.O_TRUNC, (fd) => fs.writeSync(fd, 'z'));
    assert.equal(fs.readFileSync(`${root}/f`, 'utf8'), 'z');
  },
  'descriptors keep to their access mode': ({ root, me }) => {
    const file = `${root}/f`;
    fs.writeFileSync(file, 'abc');
    withFile(file, C.O_WRONLY, (fd) => fails('EBADF', () => readAt(fd, 0, 1)));
    withFile(file, C.O_RDONLY, (fd) => {
      fails('EBADF', () => fs.writeSync(fd, 'x'));
      fails('EINVAL EBADF', () => fs.ftruncateSync(fd, 1));
    });
    const readOnly = me.number('os.open', file, C.O_RDONLY);
    fails('EBADF', () => me.run('x.fallocate', readOnly, 0, 0, 10));
    me.run('os.close', readOnly);
    assert.equal(fs.readFileSync(file, 'utf8'), 'abc');
  },
  'errors of open': ({ root }) => {
    fs.writeFileSync(`${root}/f`, '');
    fs.symlinkSync('f', `${root}/l`);
    fails('ENOENT', () => fs.openSync(`${root}/missing`, 'r'));
    fails('ENOENT', () => fs.openSync(`${root}/missing/f`, 'w'));
    fails('ENOTDIR', () => fs.openSync(`${root}/f/g`, 'r'));
    fails('ENOTDIR', () => fs.statSync(`${root}/f/`));
    fails('ENOTDIR', () => fs.openSync(`${root}/f`, C.O_DIRECTORY | C.O_RDONLY));
    fails('EISDIR', () => fs.openSync(root, 'r+'));
    fails('ELOOP', () => fs.openSync(`${root}/l`, C.O_NOFOLLOW | C.O_RDONLY));
  },
  'O_DIRECT reads and writes': ({ root, me }) => {
    const data = pattern(16384);
    const source = me.number('os.open', `${root}/plain`, C.O_CREAT | C.O_RDWR, 0o644);
    me.run('os.pwrite', source, data, 0);
    // Memory for O_DIRECT must be aligned: a mapping is.
    const memory = me.number('x.mmap', source, 16384);
    const fd = me.number('os.open', `${root}/f`, C.O_CREAT | C.O_RDWR | C.O_DIRECT, 0o644);
    assert.equal(me.number('x.mmap_pwrite', memory, fd, 0), 16384);
    assert.ok(fs.readFileSync(`${root}/f`).equals(data));
    fs.writeFileSync(`${root}/f`, pattern(16384, 2));
    assert.equal(me.number('x.mmap_pread', memory, fd, 0), 16384);
    assert.ok(me.bytes('x.mmap_read', memory, 0, 16384).equals(pattern(16384, 2)));
    me.run('x.mmap_close', memory);
    me.run('os.close', fd);
    me.run('os.close', source);
  },
  'vectors, sendfile and copy_file_range move the same bytes': ({ root, me }) => {
    const data = pattern(300_000);
    withFile(`${root}/f`, 'w', (fd) => fs.writevSync(fd, [data.subarray(0, 7), data.subarray(7, 5000), data.subarray(5000)]));
    const source = me.number('os.open', `${root}/f`, C.O_RDONLY);
    const target = me.number('os.open', `${root}/g`, C.O_CREAT | C.O_RDWR, 0o644);
    assert.equal(me.number('os.copy_file_range', source, target, 100_000, 5, 3) > 0, true);
    assert.ok(readAtPath(`${root}/g`, 3, 50_000).equals(data.subarray(5, 50_005)));
    me.run('os.ftruncate', target, 0);
    assert.equal(me.number('os.sendfile', target, source, 0, 300_000), 300_000);
    me.run('os.close', source);
    me.run('os.close', target);
    assert.ok(fs.readFileSync(`${root}/g`).equals(data));
    fs.copyFileSync(`${root}/g`, `${root}/h`);
    assert.ok(fs.readFileSync(`${root}/h`).equals(data));
  },
  'synchronous writes and every kind of sync work': ({ root, me }) => {
    withFile(`${root}/f`, C.O_CREAT | C.O_RDWR | C.O_SYNC, (fd) => {
      fs.writeSync(fd, pattern(5000));
      fs.fsyncSync(fd);
      fs.fdatasyncSync(fd);
    });
    const dir = me.number('os.open', root, C.O_RDONLY);
    me.run('os.fsync', dir);
    me.run('os.close', dir);
    assert.ok(fs.readFileSync(`${root}/f`).equals(pattern(5000)));
  },
  'a script runs': ({ root, me }) => {
    fs.writeFileSync(`${root}/script`, '#!/bin/sh\nexit 7\n', { mode: 0o755 });
    assert.equal(me.number('os.waitstatus_to_exitcode', me.number('os.system', `'${root}/script'`)), 7);
  },
  'a new file is empty whatever was there before': ({ root }) => {
    for (let i = 0; i < 20; i++) {
      fs.writeFileSync(`${root}/f`, pattern(5000, i));
      fs.unlinkSync(`${root}/f`);
      withFile(`${root}/f`, 'wx+', (fd) => {
        assert.equal(fs.fstatSync(fd).size, 0);
        fs.writeSync(fd, 'x', 9000);
        assert.ok(readAt(fd, 0, 9000).equals(Buffer.alloc(9000)));
      });
      fs.unlinkSync(`${root}/f`);
    }
  },
};

function readAtPath(file: string, offset: number, length: number): Buffer {
  return withFile(file, 'r', (fd) => readAt(fd, offset, length));
}
