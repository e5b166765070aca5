import { describe, expect, it } from 'vitest';
import { Errno } from '../../../base/errno.ts';
import { native, STAT_FIELDS, Stat } from '../../../native.ts';
import { AES_GCM, expectBytes, pattern, storedSize, TEST_CIPHERS } from './fixture.ts';
import { useBenches } from './use-benches.ts';

const bench = useBenches();

/** Content resized as truncate(2) does it. */
function resized(data: Buffer, size: number): Buffer {
  return Buffer.concat([data.subarray(0, size), Buffer.alloc(Math.max(0, size - data.length))]);
}

const SIZES = [0, 1, 100, 4095, 4096, 4097, 5000, 8192, 8193, 12_288, 20_000];

describe.each(TEST_CIPHERS)('truncating with $name', (cipher) => {
  it('from every size to every size', () => {
    const b = bench(cipher);
    const handle = b.open('f');
    for (const from of SIZES) {
      for (const to of SIZES) {
        expect(b.contents.truncate(handle, 0)).toBe(0);
        b.write(handle, 0, pattern(from));
        expect(b.contents.truncate(handle, to)).toBe(0);
        expect(b.stored('f').length).toBe(storedSize(cipher, to));
        expectBytes(b.plain('f'), resized(pattern(from), to));
        expectBytes(b.read(handle, 0, 30_000), resized(pattern(from), to));
      }
    }
    expect(b.log).toEqual([]);
  });

  it('walks through the acceptance sizes as zeros', () => {
    const b = bench(cipher);
    const handle = b.open('f');
    for (const size of [7000, 6999, 465, 4096, 0, 10 << 20, (10 << 20) + 100, 20 << 20]) {
      expect(b.contents.truncate(handle, size)).toBe(0);
      expect(b.stored('f').length).toBe(storedSize(cipher, size));
      for (let off = 0; off < size; off += 1 << 20) {
        const got = b.read(handle, off, 1 << 20) as Buffer;
        expect(got.length).toBe(Math.min(1 << 20, size - off));
        expectBytes(got, Buffer.alloc(got.length));
      }
    }
    expect(b.allocated('f')).toBeLessThan(100_000);
  });
});

describe('truncating', () => {
  it('to the same size does nothing', () => {
    const b = bench(AES_GCM);
    const handle = b.open('f');
    b.write(handle, 0, pattern(5000));
    b.sys.reset();
    expect(b.contents.truncate(handle, 5000)).toBe(0);
    expect(b.sys.counts).toEqual({ fstat: 1 });
  });

  it('leaves no old bytes behind the end', () => {
    const b = bench(AES_GCM);
    const handle = b.open('f');
    b.write(handle, 0, pattern(5000));
    b.contents.truncate(handle, 4500);
    b.contents.truncate(handle, 5000);
    expectBytes(b.read(handle, 4500, 500), Buffer.alloc(500));
  });

  it('by descriptor meets the state of open handles', () => {
    const b = bench(AES_GCM);
    const handle = b.open('f');
    b.write(handle, 0, pattern(5000));
    const fd = native.sys.openat(-100, Buffer.from(`${b.path('f')}\0`), 0, 2, 0);
    const stat = new Float64Array(STAT_FIELDS);
    native.sys.fstat(fd, stat);
    const key = [stat[Stat.dev]!, stat[Stat.inoLo]!, stat[Stat.inoHi]!] as const;
    expect(b.contents.truncateFd(fd, ...key, 0)).toBe(0);
    expectBytes(b.read(handle, 0, 10), Buffer.alloc(0));
    expect(b.write(handle, 5, pattern(5))).toBe(5);
    expect(b.contents.truncateFd(fd, ...key, 7)).toBe(0);
    expectBytes(b.plain('f'), Buffer.concat([Buffer.alloc(5), pattern(2)]));
    b.contents.release(handle);
    expect(b.contents.truncateFd(fd, ...key, 9000)).toBe(0);
    expect(b.ctx.openFiles.count()).toBe(0);
    expect(b.plain('f').length).toBe(9000);
    native.sys.close(fd);
  });

  it.each([
    ['pwrite', 0, 0],
    ['pwrite', 0, 100],
    ['ftruncate', 0, 0],
  ] as const)('that fails in %s after %i calls and %i bytes loses nothing', (call, skip, partial) => {
    const b = bench(AES_GCM);
    const handle = b.open('f');
    b.write(handle, 0, pattern(10_000));
    const before = b.stored('f');
    b.sys.arm({ call, skip, partial, errno: Errno.ENOSPC });
    expect(b.contents.truncate(handle, 5000)).toBe(-Errno.ENOSPC);
    b.sys.arm(null);
    expect(Buffer.from(b.stored('f')).equals(Buffer.from(before))).toBe(true);
    expect(b.write(handle, 10_000, pattern(5))).toBe(5);
    expect(b.plain('f').length).toBe(10_005);
  });

  it.each([
    [0, 8192],
    [5000, 16_384],
  ])('that cannot grow from %i to %i loses nothing', (from, to) => {
    for (const call of ['pwrite', 'ftruncate'] as const) {
      const b = bench(AES_GCM);
      const handle = b.open('f');
      b.write(handle, 0, pattern(from));
      const before = b.stored('f');
      b.sys.arm({ call, skip: 0, partial: 7, errno: Errno.EDQUOT });
      expect(b.contents.truncate(handle, to)).toBe(-Errno.EDQUOT);
      b.sys.arm(null);
      expect(Buffer.from(b.stored('f')).equals(Buffer.from(before))).toBe(true);
      expect(b.write(handle, from, pattern(5))).toBe(5);
      expectBytes(b.plain('f'), Buffer.concat([pattern(from), pattern(5)]));
    }
  });

  it('beyond any size is refused', () => {
    const b = bench(AES_GCM);
    const handle = b.open('f');
    expect(b.contents.truncate(handle, 2 ** 60)).toBe(-Errno.EFBIG);
    expect(b.contents.truncate(handle, 2 ** 52)).toBe(-Errno.EFBIG);
    expect(b.contents.truncate(handle, -1)).toBe(-Errno.EINVAL);
    expect(b.stored('f').length).toBe(0);
  });
});
