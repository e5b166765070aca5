import { closeSync, openSync, readFileSync, truncateSync, writeFileSync, writeSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Errno } from '../../../base/errno.ts';
import { AES_GCM, type Bench, expectBytes, pattern, storedSize, TEST_CIPHERS } from './fixture.ts';
import { useBenches } from './use-benches.ts';

const bench = useBenches();

/** Sizes around the borders of blocks. */
const SIZES = [1, 15, 4095, 4096, 4097, 5000, 8191, 8192, 8193, 12288, 65536];

describe.each(TEST_CIPHERS)('writing with $name', (cipher) => {
  it('stores every size as the format says', () => {
    const b = bench(cipher);
    for (const size of SIZES) {
      const handle = b.open(`f${size}`);
      const data = pattern(size);
      expect(b.write(handle, 0, data)).toBe(size);
      expect(b.stored(`f${size}`).length).toBe(storedSize(cipher, size));
      expectBytes(b.plain(`f${size}`), data);
      expectBytes(b.read(handle, 0, size + 10), data);
      b.contents.release(handle);
    }
    expect(b.log).toEqual([]);
  });

  it('appends, overwrites and fills gaps', () => {
    const b = bench(cipher);
    const handle = b.open('f');
    const model = Buffer.alloc(20_000);
    let size = 0;
    const put = (off: number, len: number, seed: number) => {
      const data = pattern(len, seed);
      expect(b.write(handle, off, data)).toBe(len);
      model.set(data, off);
      size = Math.max(size, off + len);
      expectBytes(b.plain('f'), model.subarray(0, size));
      expectBytes(b.read(handle, 0, 20_000), model.subarray(0, size));
    };
    put(10, 100, 1);
    put(110, 17, 2);
    put(5000, 1, 3);
    put(4090, 12, 4);
    put(4096, 4096, 5);
    put(12_288, 10, 6);
    put(100, 9000, 7);
    put(8192, 3000, 8);
    expect(b.log).toEqual([]);
  });
});

describe('system calls of a write', () => {
  it('sends the header of a new file with its first block', () => {
    const b = bench(AES_GCM);
    const handle = b.open('f');
    expect(b.write(handle, 0, pattern(5000))).toBe(5000);
    expect(b.sys.writes).toEqual([{ off: 0, len: storedSize(AES_GCM, 5000) }]);
    expect(b.sys.count('pread')).toBe(0);
    expect(b.sys.count('fallocate')).toBe(0);
  });

  it('reads nothing while whole blocks are appended', () => {
    const b = bench(AES_GCM);
    const handle = b.open('f');
    const data = pattern(16_384);
    for (let i = 0; i < 200; i++) expect(b.write(handle, i * data.length, data)).toBe(data.length);
    expect(b.sys.count('pread') + b.sys.count('fstat')).toBeLessThanOrEqual(1);
    expect(b.sys.count('fallocate')).toBe(0);
    expect(b.sys.writes.length).toBe(200);
  });

  it('reads one block per append inside a block', () => {
    const b = bench(AES_GCM);
    const handle = b.open('f');
    for (let i = 0; i < 50; i++) expect(b.write(handle, i * 7777, pattern(7777, i))).toBe(7777);
    expect(b.sys.count('pread')).toBe(49);
    expect(b.sys.writes.length).toBe(50);
    expect(b.plain('f').length).toBe(50 * 7777);
  });

  it('reserves old blocks that it overwrites unread, unless told not to', () => {
    for (const noPrealloc of [false, true]) {
      const b = bench(AES_GCM, { noPrealloc });
      const handle = b.open('f');
      b.write(handle, 0, pattern(20_000));
      expect(b.write(handle, 4096, pattern(8192, 2))).toBe(8192);
      expect(b.sys.count('fallocate')).toBe(noPrealloc ? 0 : 1);
    }
  });

  it('goes on without reserving where that is not supported, and says so once', () => {
    const b = bench(AES_GCM);
    const handle = b.open('f');
    b.write(handle, 0, pattern(20_000));
    b.sys.arm({ call: 'fallocate', skip: 0, partial: 0, errno: Errno.EOPNOTSUPP });
    expect(b.write(handle, 4096, pattern(8192, 2))).toBe(8192);
    expect(b.write(handle, 4096, pattern(8192, 3))).toBe(8192);
    expect(b.sys.count('fallocate')).toBe(1);
    expect(b.log.length).toBe(1);
    expect(b.log[0]).toMatch(/^Warning: The underlying filesystem does not support fallocate\(2\)\./);
  });
});

describe('a full disk', () => {
  it('does not cut a partial last block that was to be covered, even where nothing is reserved', () => {
    for (const partial of [10, 4128, 5000]) {
      const b = bench(AES_GCM, { noPrealloc: true });
      const handle = b.open('f');
      b.write(handle, 0, pattern(4096 + 100));
      b.sys.arm({ call: 'pwrite', skip: 0, partial, errno: Errno.ENOSPC });
      expect(b.write(handle, 4096, pattern(9000, 2))).toBe(-Errno.ENOSPC);
      b.sys.arm(null);
      expectBytes(b.plain('f'), pattern(4196));
      expect(b.log).toEqual([]);
    }
  });

  it('costs one block at the most where nothing is reserved, and names it', () => {
    const b = bench(AES_GCM, { noPrealloc: true });
    const handle = b.open('f');
    b.write(handle, 0, pattern(20_000));
    b.sys.arm({ call: 'pwrite', skip: 0, partial: 5000, errno: Errno.ENOSPC });
    expect(b.write(handle, 0, pattern(12_288, 2))).toBe(-Errno.ENOSPC);
    b.sys.arm(null);
    expect(b.log.length).toBe(1);
    expect(b.log[0]).toMatch(/5000 of \d+ bytes written, block #1 is lost$/);
    expectBytes(b.read(handle, 0, 4096), pattern(4096, 2));
    expect(b.read(handle, 4096, 4096)).toBe(-Errno.EIO);
    expectBytes(b.read(handle, 8192, 11_808), pattern(20_000).subarray(8192));
  });

  it('forgets what it knew when the old content cannot be put back', () => {
    const b = bench(AES_GCM);
    const handle = b.open('f');
    b.write(handle, 0, pattern(100));
    const real = b.sys.ftruncate;
    b.sys.ftruncate = () => -Errno.EIO;
    b.sys.arm({ call: 'pwrite', skip: 0, partial: 200, errno: Errno.ENOSPC });
    expect(b.write(handle, 100, pattern(200))).toBe(-Errno.ENOSPC);
    b.sys.arm(null);
    b.sys.ftruncate = real;
    expect(b.log.length).toBe(1);
    expect(b.log[0]).toMatch(/the old content could not be put back: EIO$/);
    const file = b.ctx.handles.file(handle);
    expect([b.ctx.openFiles.cipherSize(file), b.ctx.openFiles.fileIDValid(file)]).toEqual([-1, false]);
  });
});

describe('the header', () => {
  it('is made anew after the file was empty', () => {
    const b = bench(AES_GCM);
    const handle = b.open('f');
    const other = b.open('f');
    b.write(handle, 0, pattern(10));
    const first = Buffer.from(b.stored('f').subarray(2, 18));
    expectBytes(b.read(other, 0, 10), pattern(10));
    expect(b.contents.truncate(handle, 0)).toBe(0);
    expect(b.ctx.openFiles.fileIDValid(b.ctx.handles.file(handle))).toBe(false);
    expectBytes(b.read(other, 0, 10), Buffer.alloc(0));
    b.write(handle, 0, pattern(12, 2));
    expect(Buffer.from(b.stored('f').subarray(2, 18)).equals(first)).toBe(false);
    expectBytes(b.read(other, 0, 100), pattern(12, 2));
  });

  it.each([1, 17, 18])('of %i bytes alone counts as empty and is replaced', (len) => {
    const b = bench(AES_GCM);
    writeFileSync(b.path('f'), Buffer.concat([Buffer.from([0, 2]), pattern(16)]).subarray(0, len));
    const handle = b.open('f');
    expectBytes(b.read(handle, 0, 100), Buffer.alloc(0));
    expect(b.log.length).toBe(1);
    expect(b.log[0]).toMatch(new RegExp(`^readFileID \\d+: incomplete file, got ${len} instead of 19 bytes$`));
    expect(b.write(handle, 3, pattern(10))).toBe(10);
    expectBytes(b.plain('f'), Buffer.concat([Buffer.alloc(3), pattern(10)]));
    expect(Buffer.from(b.stored('f').subarray(2, 18)).equals(pattern(16))).toBe(false);
  });

  it('that is corrupt fails reads and writes', () => {
    const zeroID = Buffer.alloc(60, 7).fill(0, 2, 18);
    zeroID.set([0, 2]);
    for (const stored of [Buffer.alloc(60), Buffer.alloc(60, 7), zeroID, Buffer.concat([Buffer.from([0, 3]), pattern(58)])]) {
      const b = bench(AES_GCM);
      writeFileSync(b.path('f'), stored);
      const handle = b.open('f');
      expect(b.read(handle, 0, 10)).toBe(-Errno.EIO);
      expect(b.log[0]).toMatch(/^doRead \d+: corrupt header: /);
      expect(b.log[1]).toContain(stored.toString('hex'));
      expect(b.write(handle, 0, pattern(10))).toBe(-Errno.EIO);
      expect(b.write(handle, 4096, pattern(10))).toBe(-Errno.EIO);
      expect(readFileSync(b.path('f')).equals(stored)).toBe(true);
      expect(b.contents.truncate(handle, 0)).toBe(0);
      expect(b.write(handle, 0, pattern(10))).toBe(10);
      expectBytes(b.read(handle, 0, 10), pattern(10));
    }
  });

  it('is not written over content that another program has put there', () => {
    const b = bench(AES_GCM);
    const handle = b.open('f');
    b.contents.truncate(handle, 0);
    const source = b.open('g');
    b.write(source, 0, pattern(5000));
    writeFileSync(b.path('f'), b.stored('g'));
    expect(b.write(handle, 5000, pattern(10, 2))).toBe(10);
    expectBytes(b.plain('f'), Buffer.concat([pattern(5000), pattern(10, 2)]));
  });
});

describe('a cache that is out of date', () => {
  it('is noticed when the last block is not as long as it should be', () => {
    const b = bench(AES_GCM);
    const handle = b.open('f');
    b.write(handle, 0, pattern(5000));
    truncateSync(b.path('f'), storedSize(AES_GCM, 4096));
    expect(b.write(handle, 5000, pattern(5, 2))).toBe(5);
    expectBytes(b.plain('f'), Buffer.concat([pattern(4096), Buffer.alloc(904), pattern(5, 2)]));
  });

  it('is dropped when a stat saw another size', () => {
    const b = bench(AES_GCM);
    const other = bench(AES_GCM);
    const handle = b.open('f');
    b.write(handle, 0, pattern(8192));
    expect(other.contents.truncate(other.open(path.relative(other.dir, b.path('f'))), 5000)).toBe(0);
    // Believing in 8192 bytes, this write would leave a partial block before a hole.
    b.ctx.openFiles.noteCipherSize(b.ctx.handles.file(handle), storedSize(AES_GCM, 5000));
    expect(b.write(handle, 12_288, pattern(5, 2))).toBe(5);
    expectBytes(b.plain('f'), Buffer.concat([pattern(8192).subarray(0, 5000), Buffer.alloc(7288), pattern(5, 2)]));
  });
});

describe('damaged blocks', () => {
  const flip = (b: Bench, at: number) => {
    const fd = openSync(b.path('f'), 'r+');
    writeSync(fd, Buffer.from([b.stored('f')[at]! ^ 1]), 0, 1, at);
    closeSync(fd);
  };

  it('fail reads and partial writes, and are repaired by whole ones', () => {
    const b = bench(AES_GCM);
    const handle = b.open('f');
    b.write(handle, 0, pattern(20_000));
    flip(b, 18 + 4128 + 100);
    const damaged = b.stored('f');
    expectBytes(b.read(handle, 0, 4096), pattern(20_000).subarray(0, 4096));
    expectBytes(b.read(handle, 8192, 4096), pattern(20_000).subarray(8192, 12_288));
    for (const [off, size] of [
      [4096, 1],
      [0, 20_000],
      [4000, 200],
      [8000, 1000],
      [5000, 10],
    ] as const) {
      b.log.length = 0;
      expect(b.read(handle, off, size)).toBe(-Errno.EIO);
      expect(b.log.length).toBe(1);
      expect(b.log[0]).toMatch(/^doRead \d+: corrupt block #1: authentication failed$/);
    }
    expect(b.write(handle, 5000, pattern(10))).toBe(-Errno.EIO);
    expect(b.write(handle, 0, pattern(5000))).toBe(-Errno.EIO);
    expect(b.contents.truncate(handle, 6000)).toBe(-Errno.EIO);
    expect(Buffer.from(b.stored('f')).equals(damaged)).toBe(true);
    expect(b.write(handle, 4096, pattern(4096, 2))).toBe(4096);
    expectBytes(b.read(handle, 4096, 4096), pattern(4096, 2));
  });

  it('are named by what is wrong with them', () => {
    const b = bench(AES_GCM);
    const handle = b.open('f');
    b.write(handle, 0, pattern(5000));
    const fd = openSync(b.path('f'), 'r+');
    writeSync(fd, Buffer.alloc(16), 0, 16, 18 + 4128);
    closeSync(fd);
    expect(b.read(handle, 4096, 904)).toBe(-Errno.EIO);
    expect(b.log[0]).toMatch(/corrupt block #1: all-zero nonce$/);
    for (const rest of [1, 15, 16, 31, 32]) {
      truncateSync(b.path('f'), 18 + 4128 + rest);
      b.log.length = 0;
      expect(b.read(handle, 4096, 904)).toBe(-Errno.EIO);
      expectBytes(b.read(handle, 0, 4096), pattern(5000).subarray(0, 4096));
      expect(b.log.length).toBe(1);
    }
    b.ctx.openFiles.noteCipherSize(b.ctx.handles.file(handle), 18 + 4128 + 32);
    expect(b.write(handle, 4097, pattern(3))).toBe(-Errno.EIO);
    expect(b.write(handle, 4096, pattern(3))).toBe(3);
    expectBytes(b.plain('f').subarray(4096), pattern(3));
  });

  it('do not include holes', () => {
    const b = bench(AES_GCM);
    const handle = b.open('f');
    b.write(handle, 0, pattern(100));
    b.write(handle, 20_000, pattern(100));
    expect(
      b
        .stored('f')
        .subarray(18 + 4128, 18 + 2 * 4128)
        .every((byte) => byte === 0),
    ).toBe(true);
    expectBytes(b.read(handle, 4000, 9000), Buffer.alloc(9000));
    expect(b.write(handle, 9000, pattern(10))).toBe(10);
    expectBytes(b.plain('f').subarray(9000, 9010), pattern(10));
    expect(b.log).toEqual([]);
  });
});

describe('limits', () => {
  it('refuses offsets that cannot be stored, and changes nothing', () => {
    const b = bench(AES_GCM);
    const handle = b.open('f');
    expect(b.write(handle, Number.MAX_SAFE_INTEGER - 5000, pattern(10))).toBe(-Errno.EFBIG);
    expect(b.write(handle, 2 ** 60, pattern(10))).toBe(-Errno.EFBIG);
    // Beyond what ext4 can hold: the backing store refuses after the header was written.
    expect(b.write(handle, 2 ** 52, pattern(10))).toBe(-Errno.EFBIG);
    expect(b.stored('f').length).toBe(0);
    expectBytes(b.read(handle, 2 ** 60, 10), Buffer.alloc(0));
    expect(b.write(handle, 0, pattern(10))).toBe(10);
    expectBytes(b.plain('f'), pattern(10));
  });

  it('takes the largest request at any alignment', () => {
    const b = bench(AES_GCM);
    const handle = b.open('f');
    const data = pattern(1 << 20);
    expect(b.write(handle, 4095, data)).toBe(data.length);
    expectBytes(b.read(handle, 4095, data.length), data);
    expect(b.write(handle, 1, data)).toBe(data.length);
    expectBytes(b.read(handle, 1, data.length), data);
    expect(b.write(handle, 0, Buffer.alloc((1 << 20) + 1))).toBe(-Errno.EINVAL);
    expect(b.write(handle, 0, Buffer.alloc(0))).toBe(0);
  });

  it('knows released handles', () => {
    const b = bench(AES_GCM);
    const handle = b.open('f');
    expect(b.contents.flush(handle)).toBe(0);
    expect(b.contents.fsync(handle, true)).toBe(0);
    expect(b.contents.release(handle)).toBe(0);
    expect(b.read(handle, 0, 1)).toBe(-Errno.EBADF);
    expect(b.write(handle, 0, pattern(1))).toBe(-Errno.EBADF);
    expect(b.contents.truncate(handle, 0)).toBe(-Errno.EBADF);
    expect(b.contents.fallocate(handle, 0, 0, 1)).toBe(-Errno.EBADF);
    expect(b.contents.lseek(handle, 0, 3)).toBe(-Errno.EBADF);
    expect(b.contents.flush(handle)).toBe(-Errno.EBADF);
    expect(b.contents.fsync(handle, false)).toBe(-Errno.EBADF);
    expect(b.contents.release(handle)).toBe(-Errno.EBADF);
    expect(b.log.length).toBe(8);
    expect(b.ctx.openFiles.count()).toBe(0);
  });
});
