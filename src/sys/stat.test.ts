import { execFileSync } from 'node:child_process';
import { ftruncateSync, lstatSync, openSync, statfsSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Errno } from '../base/errno.ts';
import { AT_EMPTY_PATH, AT_FDCWD, AT_SYMLINK_NOFOLLOW, O_NOFOLLOW, O_PATH, ST_RDONLY } from './constants.ts';
import { close } from './files.ts';
import { fstat, fstatat, fstatfs, STAT_FIELDS, STATFS_FIELDS, Stat, Statfs } from './stat.ts';
import { open, testFolder, text } from './test-folder.ts';

const { dir, dirfd } = testFolder();
const out = new Float64Array(STAT_FIELDS);

function expectSame(file: string): void {
  const stat = lstatSync(file, { bigint: true });
  const whole = (field: number) => BigInt(out[field]!);
  expect((whole(Stat.inoHi) << 32n) | whole(Stat.inoLo)).toBe(stat.ino);
  expect(whole(Stat.dev)).toBe(stat.dev);
  expect(whole(Stat.mode)).toBe(stat.mode);
  expect(whole(Stat.nlink)).toBe(stat.nlink);
  expect(whole(Stat.uid)).toBe(stat.uid);
  expect(whole(Stat.gid)).toBe(stat.gid);
  expect(whole(Stat.rdev)).toBe(stat.rdev);
  expect(whole(Stat.size)).toBe(stat.size);
  expect(whole(Stat.blksize)).toBe(stat.blksize);
  expect(whole(Stat.blocks)).toBe(stat.blocks);
  expect(whole(Stat.atimeSec) * 10n ** 9n + whole(Stat.atimeNsec)).toBe(stat.atimeNs);
  expect(whole(Stat.mtimeSec) * 10n ** 9n + whole(Stat.mtimeNsec)).toBe(stat.mtimeNs);
  expect(whole(Stat.ctimeSec) * 10n ** 9n + whole(Stat.ctimeNsec)).toBe(stat.ctimeNs);
}

describe('stat', () => {
  it('fstat and fstatat agree with node:fs on every field', () => {
    const file = `${dir}/file`;
    const node = openSync(file, 'w');
    ftruncateSync(node, 2 ** 34 + 5);
    utimesSync(file, 1.5, 1700000000.25);
    expect(fstat(node, out)).toBe(0);
    expectSame(file);
    out.fill(-1);
    expect(fstatat(dirfd, text('file'), 0, out, AT_SYMLINK_NOFOLLOW)).toBe(0);
    expectSame(file);
    expect(fstatat(AT_FDCWD, text('/dev/null'), 0, out, 0)).toBe(0);
    expectSame('/dev/null');
    close(node);
  });

  it('an O_PATH descriptor of a symlink shows the symlink', () => {
    symlinkSync('nowhere', `${dir}/link`);
    const fd = open(`${dir}/link`, O_PATH | O_NOFOLLOW);
    expect(fstat(fd, out)).toBe(0);
    expectSame(`${dir}/link`);
    expect(fstatat(fd, text(''), 0, out, AT_EMPTY_PATH)).toBe(0);
    expectSame(`${dir}/link`);
    close(fd);
    expect(fstatat(dirfd, text('link'), 0, out, 0)).toBe(-Errno.ENOENT);
  });

  it('a failed call leaves the result alone', () => {
    out.fill(7);
    expect(fstat(-1, out)).toBe(-Errno.EBADF);
    expect(fstatat(dirfd, text('absent'), 0, out, 0)).toBe(-Errno.ENOENT);
    expect(out.every((value) => value === 7)).toBe(true);
  });
});

describe('fstatfs', () => {
  it('agrees with node:fs', () => {
    writeFileSync(`${dir}/some`, 'x');
    const figures = new Float64Array(STATFS_FIELDS);
    expect(fstatfs(dirfd, figures)).toBe(0);
    const expected = statfsSync(dir);
    expect(figures[Statfs.type]).toBe(expected.type);
    expect(figures[Statfs.bsize]).toBe(expected.bsize);
    expect(figures[Statfs.blocks]).toBe(expected.blocks);
    expect(figures[Statfs.files]).toBe(expected.files);
    expect(figures[Statfs.namelen]).toBe(255);
    expect(figures[Statfs.frsize]).toBeGreaterThan(0);
    expect(figures[Statfs.bavail]).toBeLessThanOrEqual(figures[Statfs.bfree]!);
    expect(figures[Statfs.ffree]).toBeLessThanOrEqual(figures[Statfs.files]!);
    expect(figures[Statfs.flags]! & ST_RDONLY).toBe(0);
    const fsid = execFileSync('stat', ['-f', '-c', '%i', dir], { encoding: 'utf8' }).trim();
    const half = (field: number): string => (figures[field]! >>> 0).toString(16);
    expect(`${half(Statfs.fsid0)}${half(Statfs.fsid1).padStart(8, '0')}`).toBe(fsid);
    expect(fstatfs(-1, figures)).toBe(-Errno.EBADF);
  });
});
