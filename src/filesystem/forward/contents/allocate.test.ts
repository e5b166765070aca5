import { describe, expect, it } from 'vitest';
import { Errno } from '../../../base/errno.ts';
import { SEEK_DATA, SEEK_HOLE } from '../../../sys/constants.ts';
import { AES_GCM, expectBytes, pattern, TEST_CIPHERS } from './fixture.ts';
import { useBenches } from './use-benches.ts';

const bench = useBenches();

const KEEP_SIZE = 1;

// /dev/shm counts in pages of 4096 bytes, as the reference points of behaviour.md 6.12 want.
const dir = '/dev/shm';

describe('fallocate', () => {
  it('takes the space of the reference points', () => {
    const b = bench(AES_GCM, { dir });
    let handle = b.open('a');
    expect(b.contents.fallocate(handle, KEEP_SIZE, 0, 30)).toBe(0);
    expect([b.allocated('a'), b.stored('a').length]).toEqual([4096, 0]);
    expect(b.contents.truncate(handle, 9000)).toBe(0);
    expect(b.allocated('a')).toBe(8192);
    expect(b.contents.fallocate(handle, 0, 0, 9000)).toBe(0);
    expect([b.allocated('a'), b.plain('a').length]).toEqual([12_288, 9000]);
    handle = b.open('b');
    expect(b.contents.fallocate(handle, 0, 0, 8110)).toBe(0);
    expect([b.allocated('b'), b.plain('b').length]).toEqual([8192, 8110]);
    expect(b.log).toEqual([]);
  });

  it.each(TEST_CIPHERS)('of $name fills two pages exactly and not one byte more', (cipher) => {
    const b = bench(cipher, { dir });
    const fits = 8192 - 18 - 2 * (cipher.nonceLen + 16);
    for (const [size, space] of [
      [fits, 8192],
      [fits + 1, 12_288],
    ] as const) {
      const handle = b.open(`f${size}`);
      expect(b.contents.fallocate(handle, 0, 0, size)).toBe(0);
      expect(b.allocated(`f${size}`)).toBe(space);
      expect(b.contents.fallocate(b.open(`k${size}`), KEEP_SIZE, 0, size)).toBe(0);
      expect(b.allocated(`k${size}`)).toBe(space);
    }
  });

  it('grows but never shrinks, and keeps content', () => {
    const b = bench(AES_GCM);
    const handle = b.open('f');
    b.write(handle, 0, pattern(5000));
    expect(b.contents.fallocate(handle, 0, 100, 50)).toBe(0);
    expectBytes(b.plain('f'), pattern(5000));
    expect(b.contents.fallocate(handle, KEEP_SIZE, 0, 100_000)).toBe(0);
    expectBytes(b.plain('f'), pattern(5000));
    expect(b.contents.fallocate(handle, 0, 4000, 8000)).toBe(0);
    expectBytes(b.plain('f'), Buffer.concat([pattern(5000), Buffer.alloc(7000)]));
  });

  it('knows two modes and says so once', () => {
    const b = bench(AES_GCM);
    const handle = b.open('f');
    for (const mode of [2, 3, 8, 0x10, 0x20]) expect(b.contents.fallocate(handle, mode, 0, 4096)).toBe(-Errno.EOPNOTSUPP);
    expect(b.log).toEqual(['info: fallocate: only mode 0 (default) and 1 (keep size) are supported']);
    expect(b.contents.fallocate(handle, 0, 2 ** 60, 4096)).toBe(-Errno.EFBIG);
    expect(b.contents.fallocate(handle, 0, 0, 0)).toBe(-Errno.EINVAL);
  });

  it('passes on a full disk', () => {
    const b = bench(AES_GCM);
    const handle = b.open('f');
    b.write(handle, 0, pattern(100));
    b.sys.arm({ call: 'fallocate', skip: 0, partial: 0, errno: Errno.ENOSPC });
    expect(b.contents.fallocate(handle, 0, 0, 10_000)).toBe(-Errno.ENOSPC);
    expectBytes(b.plain('f'), pattern(100));
    expect(b.log).toEqual([]);
  });
});

describe.each(TEST_CIPHERS)('lseek with $name', (cipher) => {
  it('finds data and holes at block borders', () => {
    const b = bench(cipher, { dir });
    const handle = b.open('f');
    b.write(handle, 0, pattern(100));
    // Hole from block 1 to 99; blocks 100 to 102; hole to the end.
    b.write(handle, 100 * 4096, pattern(3 * 4096));
    b.contents.truncate(handle, 200 * 4096);
    const seek = (off: number, whence: number) => b.contents.lseek(handle, off, whence);
    expect(seek(0, SEEK_DATA)).toBe(0);
    expect(seek(50, SEEK_DATA)).toBe(50);
    expect(seek(99 * 4096, SEEK_DATA)).toBe(100 * 4096);
    expect(seek(10 * 4096 + 5, SEEK_DATA)).toBe(100 * 4096);
    expect(seek(101 * 4096 + 5, SEEK_DATA)).toBe(101 * 4096 + 5);
    expect(seek(150 * 4096, SEEK_DATA)).toBe(-Errno.ENXIO);
    const hole = seek(0, SEEK_HOLE);
    expect(hole % 4096).toBe(0);
    expect(hole).toBeGreaterThanOrEqual(4096);
    expect(hole).toBeLessThanOrEqual(2 * 4096);
    expect(seek(50 * 4096 + 1, SEEK_HOLE)).toBe(50 * 4096 + 1);
    expect(seek(100 * 4096, SEEK_HOLE)).toBeLessThanOrEqual(104 * 4096);
    expect(seek(200 * 4096, SEEK_DATA)).toBe(-Errno.ENXIO);
    expect(seek(200 * 4096, SEEK_HOLE)).toBe(-Errno.ENXIO);
    expect(seek(200 * 4096 - 1, SEEK_HOLE)).toBe(200 * 4096 - 1);
    expect(b.log).toEqual([]);
  });

  it('never hides data', () => {
    const b = bench(cipher, { dir });
    const handle = b.open('f');
    const blocks = [0, 3, 4, 9, 17, 18, 19, 40];
    for (const block of blocks) b.write(handle, block * 4096, pattern(4096, block));
    const size = 41 * 4096;
    const seen = new Set<number>();
    for (let off = 0; off >= 0 && off < size; ) {
      const data = b.contents.lseek(handle, off, SEEK_DATA);
      if (data < 0) break;
      const end = b.contents.lseek(handle, data, SEEK_HOLE);
      expect(end).toBeGreaterThan(data);
      for (let block = data / 4096; block * 4096 < end; block++) seen.add(block);
      off = end;
    }
    for (const block of blocks) expect(seen.has(block)).toBe(true);
  });
});

describe('lseek', () => {
  it('skips 1 GiB at once and says where the file ends', () => {
    const b = bench(AES_GCM, { dir });
    const handle = b.open('f');
    b.write(handle, 2 ** 30, pattern(5));
    // The header makes the first block data.
    expect(b.contents.lseek(handle, 0, SEEK_DATA)).toBe(0);
    expect(b.contents.lseek(handle, 0, SEEK_HOLE)).toBe(4096);
    expect(b.contents.lseek(handle, 4096, SEEK_DATA)).toBe(2 ** 30);
    expect(b.contents.lseek(handle, 2 ** 30, SEEK_HOLE)).toBe(2 ** 30 + 5);
    expect(b.contents.lseek(handle, 2 ** 30 + 5, SEEK_HOLE)).toBe(-Errno.ENXIO);
  });

  it('is left to the kernel where the backing store counts in other units', () => {
    const b = bench(AES_GCM, { dir });
    const handle = b.open('f');
    b.write(handle, 0, pattern(5));
    b.sys.blksize = 65_536;
    expect(b.contents.lseek(handle, 0, SEEK_DATA)).toBe(-Errno.ENOSYS);
    expect(b.log.length).toBe(1);
    expect(b.contents.lseek(handle, 0, 0)).toBe(-Errno.EINVAL);
  });
});
