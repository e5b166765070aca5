/** What the native functions do with arguments that cannot be right: they throw, and nothing is called. */
import { describe, expect, it } from 'vitest';
import { Errno } from '../base/errno.ts';
import { ftruncate } from './allocate.ts';
import { openat } from './at.ts';
import { AT_FDCWD, O_RDONLY } from './constants.ts';
import { close, pread, pwrite } from './files.ts';
import { lseek } from './holes.ts';
import { setThreadCredentials } from './identity.ts';
import { umount2 } from './mounts.ts';
import { fstat, STAT_FIELDS } from './stat.ts';
import { open, testFolder, text } from './test-folder.ts';

const { dir } = testFolder();
const buffer = new Uint8Array(16);

describe('ranges', () => {
  it.each([
    [17, 0],
    [0, 17],
    [16, 1],
    [8, 9],
    [2 ** 53, 0],
    [-1, 4],
    [0, -1],
    [0.5, 1],
    [Number.NaN, 1],
    [0, 2 ** 53 - 1],
    [2 ** 53 - 1, 2 ** 53 - 1],
  ])('offset %d, length %d does not fit 16 bytes', (off, len) => {
    expect(() => pread(0, buffer, off, len, 0)).toThrow(RangeError);
  });

  it('an empty range at the end is fine', () => {
    const fd = open(dir, O_RDONLY);
    expect(pread(fd, buffer, 16, 0, 0)).toBe(-Errno.EISDIR);
    close(fd);
  });

  it('a path must end inside its array', () => {
    expect(() => openat(AT_FDCWD, Buffer.from('/tmp'), 0, O_RDONLY, 0)).toThrow(RangeError);
    expect(() => openat(AT_FDCWD, text('/tmp'), 5, O_RDONLY, 0)).toThrow(RangeError);
    expect(() => openat(AT_FDCWD, new Uint8Array(0), 0, O_RDONLY, 0)).toThrow(RangeError);
    expect(openat(AT_FDCWD, text('/tmp'), 4, O_RDONLY, 0)).toBe(-Errno.ENOENT);
  });

  it('a stat result must have room for all fields', () => {
    expect(() => fstat(0, new Float64Array(STAT_FIELDS - 1))).toThrow(TypeError);
  });

  it('more groups than the array holds', () => {
    expect(() => setThreadCredentials(1, 1, new Uint32Array(2), 3)).toThrow(RangeError);
    expect(setThreadCredentials(2 ** 32 - 1, 1, new Uint32Array(2), 0)).toBe(-Errno.EINVAL);
  });
});

describe('types', () => {
  it.each([null, undefined, 'text', {}, new Float64Array(2), new ArrayBuffer(8), new DataView(new ArrayBuffer(8))])(
    '%s is no Uint8Array',
    (value) => {
      expect(() => pread(0, value as unknown as Uint8Array, 0, 0, 0)).toThrow(TypeError);
    },
  );

  it.each(['0', null, undefined, {}, 5n])('%s is no number', (value) => {
    expect(() => pread(value as unknown as number, buffer, 0, 0, 0)).toThrow(TypeError);
  });

  it.each([2 ** 31, -(2 ** 31) - 1, 2 ** 32 + 1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('%d is no descriptor number', (value) => {
    expect(() => pread(value, buffer, 0, 0, 0)).toThrow(RangeError);
  });

  it('a string with NUL is refused, not cut', () => {
    expect(() => umount2('/a\0b', 0)).toThrow(RangeError);
  });
});

describe('64-bit offsets', () => {
  it.each([-1, 2 ** 53, 0.5, Number.NaN, Number.POSITIVE_INFINITY])('%d is EINVAL', (offset) => {
    const fd = open(`${dir}/offsets`, 0o102);
    expect(pread(fd, buffer, 0, 4, offset)).toBe(-Errno.EINVAL);
    expect(pwrite(fd, buffer, 0, 4, offset)).toBe(-Errno.EINVAL);
    expect(ftruncate(fd, offset)).toBe(-Errno.EINVAL);
    close(fd);
  });

  it('beyond 32 bits they are exact', () => {
    const fd = open(`${dir}/large`, 0o102);
    const offset = 2 ** 33 + 3;
    expect(pwrite(fd, Uint8Array.of(7, 8, 9), 0, 3, offset)).toBe(3);
    expect(pread(fd, buffer, 5, 8, offset + 1)).toBe(2);
    expect([...buffer.subarray(4, 8)]).toEqual([0, 8, 9, 0]);
    expect(lseek(fd, 0, 2)).toBe(offset + 3);
    expect(lseek(fd, -3, 2)).toBe(offset);
    close(fd);
  });
});

describe('shared memory', () => {
  it('arrays over a SharedArrayBuffer are read and written in place', () => {
    const shared = new Uint8Array(new SharedArrayBuffer(4096), 1024, 2048);
    shared.set(text(`${dir}/shared`), 100);
    const fd = openat(AT_FDCWD, shared, 100, 0o102, 0o600);
    shared.fill(42, 1000, 1010);
    expect(pwrite(fd, shared, 1000, 10, 0)).toBe(10);
    expect(pread(fd, shared, 2040, 8, 0)).toBe(8);
    expect(shared[2047]).toBe(42);
    expect(shared[2039]).toBe(0);
    close(fd);
  });
});
