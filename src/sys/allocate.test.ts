import { closeSync, fstatSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Errno } from '../base/errno.ts';
import { copyFileRange, fallocate, ftruncate, getFlags } from './allocate.ts';
import {
  FALLOC_FL_KEEP_SIZE,
  FALLOC_FL_PUNCH_HOLE,
  O_CREAT,
  O_RDONLY,
  O_RDWR,
  SEEK_CUR,
  SEEK_DATA,
  SEEK_HOLE,
  SEEK_SET,
} from './constants.ts';
import { close, pwrite } from './files.ts';
import { lseek } from './holes.ts';
import { open, testFolder } from './test-folder.ts';

const { dir } = testFolder();
const BLOCK = 65536;

describe('size and space', () => {
  it('ftruncate grows and cuts', () => {
    const fd = open(`${dir}/size`, O_RDWR | O_CREAT);
    expect(ftruncate(fd, 2 ** 32 + 1)).toBe(0);
    expect(fstatSync(fd).size).toBe(2 ** 32 + 1);
    expect(ftruncate(fd, 3)).toBe(0);
    expect(fstatSync(fd).size).toBe(3);
    close(fd);
    const readonly = open(`${dir}/size`, O_RDONLY);
    expect([-Errno.EINVAL, -Errno.EBADF]).toContain(ftruncate(readonly, 1));
    close(readonly);
  });

  it('fallocate reserves beyond the size and punches holes', () => {
    const fd = open(`${dir}/space`, O_RDWR | O_CREAT);
    expect(fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, 8 * BLOCK)).toBe(0);
    expect(fstatSync(fd).size).toBe(0);
    expect(fstatSync(fd).blocks * 512).toBeGreaterThanOrEqual(8 * BLOCK);
    expect(fallocate(fd, 0, BLOCK, BLOCK)).toBe(0);
    expect(fstatSync(fd).size).toBe(2 * BLOCK);
    expect(fallocate(fd, FALLOC_FL_KEEP_SIZE | FALLOC_FL_PUNCH_HOLE, 0, 2 * BLOCK)).toBe(0);
    expect(fstatSync(fd).blocks * 512).toBeLessThanOrEqual(7 * BLOCK);
    expect(fallocate(fd, 0, 0, 0)).toBe(-Errno.EINVAL);
    expect(fallocate(fd, 0, -1, 5)).toBe(-Errno.EINVAL);
    expect(fallocate(fd, FALLOC_FL_PUNCH_HOLE, 0, 5)).toBe(-Errno.EOPNOTSUPP);
    close(fd);
  });

  it('lseek finds data and holes', () => {
    const fd = open(`${dir}/holes`, O_RDWR | O_CREAT);
    pwrite(fd, new Uint8Array(BLOCK).fill(1), 0, BLOCK, 4 * BLOCK);
    ftruncate(fd, 8 * BLOCK);
    expect(lseek(fd, 0, SEEK_DATA)).toBe(4 * BLOCK);
    expect(lseek(fd, 4 * BLOCK, SEEK_HOLE)).toBe(5 * BLOCK);
    expect(lseek(fd, 5 * BLOCK, SEEK_DATA)).toBe(-Errno.ENXIO);
    expect(lseek(fd, 10, SEEK_SET)).toBe(10);
    expect(lseek(fd, -4, SEEK_CUR)).toBe(6);
    expect(lseek(fd, -7, SEEK_CUR)).toBe(-Errno.EINVAL);
    expect(lseek(fd, 0, 99)).toBe(-Errno.EINVAL);
    close(fd);
  });

  it('copyFileRange copies a part and stops at the end', () => {
    writeFileSync(`${dir}/from`, 'abcdefgh');
    const from = openSync(`${dir}/from`, 'r');
    const to = openSync(`${dir}/to`, 'w+');
    expect(copyFileRange(from, 2, to, 1, 100)).toBe(6);
    expect(readFileSync(`${dir}/to`, 'latin1')).toBe('\0cdefgh');
    expect(copyFileRange(from, 8, to, 0, 10)).toBe(0);
    expect(copyFileRange(from, 0, from, 0, 4)).toBe(-Errno.EBADF);
    expect(copyFileRange(from, 0, to, -1, 4)).toBe(-Errno.EINVAL);
    closeSync(from);
    closeSync(to);
  });

  it('getFlags answers or says that there are none', () => {
    const fd = open(dir, O_RDONLY);
    const flags = getFlags(fd);
    expect(flags >= 0 || flags === -Errno.ENOTTY || flags === -Errno.EOPNOTSUPP).toBe(true);
    close(fd);
    const nothing = open('/dev/null', O_RDONLY);
    expect(getFlags(nothing)).toBe(-Errno.ENOTTY);
    close(nothing);
  });
});
