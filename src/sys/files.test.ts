import { spawn } from 'node:child_process';
import { fstatSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Errno } from '../base/errno.ts';
import {
  DIRENT_NAME,
  DIRENT_RECLEN,
  DIRENT_TYPE,
  DT_DIR,
  DT_LNK,
  DT_REG,
  LOCK_EX,
  LOCK_NB,
  LOCK_SH,
  LOCK_UN,
  O_CREAT,
  O_DIRECTORY,
  O_RDONLY,
  O_RDWR,
  UTIME_OMIT,
} from './constants.ts';
import {
  close,
  dup,
  dup2,
  fchmod,
  fchown,
  fdatasync,
  flock,
  fsync,
  futimens,
  getdents64,
  pollIn,
  pread,
  preadNowait,
  pwrite,
  read,
  setCloexec,
  syncfs,
  write,
} from './files.ts';
import { socketpair } from './mounts.ts';
import { open, testFolder } from './test-folder.ts';

const { dir } = testFolder();

function isCloexec(fd: number): boolean {
  const flags = /flags:\s+(\d+)/.exec(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8'));
  return (Number.parseInt(flags![1]!, 8) & 0o2000000) !== 0;
}

describe('descriptors', () => {
  it('dup is close-on-exec, dup2 is not, setCloexec changes it', () => {
    const fd = open(dir, O_RDONLY);
    const copy = dup(fd);
    expect(isCloexec(fd)).toBe(true);
    expect(isCloexec(copy)).toBe(true);
    expect(dup2(fd, copy)).toBe(copy);
    expect(isCloexec(copy)).toBe(false);
    expect(setCloexec(copy, true)).toBe(0);
    expect(isCloexec(copy)).toBe(true);
    expect(setCloexec(copy, false)).toBe(0);
    expect(isCloexec(copy)).toBe(false);
    expect(fstatSync(copy).ino).toBe(fstatSync(fd).ino);
    expect(close(fd)).toBe(0);
    expect(close(copy)).toBe(0);
    expect(close(fd)).toBe(-Errno.EBADF);
    expect(dup(fd)).toBe(-Errno.EBADF);
    expect(dup2(fd, copy)).toBe(-Errno.EBADF);
    expect(setCloexec(fd, true)).toBe(-Errno.EBADF);
  });
});

describe('reading and writing', () => {
  it('pread, preadNowait and pwrite at offsets, read and write at the position', () => {
    const file = `${dir}/data`;
    const fd = open(file, O_RDWR | O_CREAT);
    const data = Buffer.from('..hello world..');
    expect(write(fd, data, 2, 5)).toBe(5);
    expect(pwrite(fd, data, 7, 6, 5)).toBe(6);
    expect(readFileSync(file, 'utf8')).toBe('hello world');
    const dst = Buffer.alloc(20, '-');
    expect(pread(fd, dst, 3, 5, 6)).toBe(5);
    expect(dst.toString()).toBe('---world------------');
    expect(pread(fd, dst, 0, 5, 11)).toBe(0);
    expect(read(fd, dst, 0, 20)).toBe(6);
    expect(dst.toString('utf8', 0, 6)).toBe(' world');
    const cached = preadNowait(fd, dst, 10, 5, 0);
    expect([5, -Errno.EOPNOTSUPP, -Errno.EAGAIN]).toContain(cached);
    if (cached === 5) expect(dst.toString('utf8', 10, 15)).toBe('hello');
    expect(close(fd)).toBe(0);
    const readonly = open(file, O_RDONLY);
    expect(pwrite(readonly, data, 0, 1, 0)).toBe(-Errno.EBADF);
    expect(write(readonly, data, 0, 1)).toBe(-Errno.EBADF);
    close(readonly);
    expect(read(-1, dst, 0, 1)).toBe(-Errno.EBADF);
    expect(preadNowait(-1, dst, 0, 1, 0)).toBe(-Errno.EBADF);
  });

  it('sync calls succeed on a file and fail on nothing', () => {
    const fd = open(`${dir}/synced`, O_RDWR | O_CREAT);
    expect(fsync(fd)).toBe(0);
    expect(fdatasync(fd)).toBe(0);
    expect(syncfs(fd)).toBe(0);
    close(fd);
    expect(fsync(-1)).toBe(-Errno.EBADF);
    expect(fdatasync(-1)).toBe(-Errno.EBADF);
    expect(syncfs(-1)).toBe(-Errno.EBADF);
  });
});

describe('attributes of an open file', () => {
  it('fchmod, fchown, futimens', () => {
    const fd = open(`${dir}/attributes`, O_RDWR | O_CREAT);
    expect(fchmod(fd, 0o2751)).toBe(0);
    expect(fstatSync(fd).mode & 0o7777).toBe(0o2751);
    expect(fchown(fd, -1, -1)).toBe(0);
    const isRoot = process.getuid?.() === 0;
    expect(fchown(fd, 4000000000, 77)).toBe(isRoot ? 0 : -Errno.EPERM);
    if (isRoot) expect([fstatSync(fd).uid, fstatSync(fd).gid]).toEqual([4000000000, 77]);
    expect(futimens(fd, 0, UTIME_OMIT, 12, 345)).toBe(0);
    expect(fstatSync(fd, { bigint: true }).mtimeNs).toBe(12_000_000_345n);
    expect(futimens(fd, 0, -5, 0, 0)).toBe(-Errno.EINVAL);
    close(fd);
    expect(fchmod(-1, 0)).toBe(-Errno.EBADF);
    expect(fchown(-1, 0, 0)).toBe(-Errno.EBADF);
  });
});

describe('flock', () => {
  it('excludes another open of the same file', () => {
    const one = open(`${dir}/locked`, O_RDWR | O_CREAT);
    const two = open(`${dir}/locked`, O_RDWR);
    expect(flock(one, LOCK_EX)).toBe(0);
    expect(flock(two, LOCK_SH | LOCK_NB)).toBe(-Errno.EAGAIN);
    expect(flock(one, LOCK_UN)).toBe(0);
    expect(flock(two, LOCK_SH | LOCK_NB)).toBe(0);
    close(one);
    close(two);
  });
});

describe('getdents64', () => {
  it('lists names and types; a small buffer takes several calls', () => {
    mkdirSync(`${dir}/listed`);
    const expected = new Map([
      ['.', DT_DIR],
      ['..', DT_DIR],
      ['folder', DT_DIR],
      ['link', DT_LNK],
    ]);
    mkdirSync(`${dir}/listed/folder`);
    symlinkSync('x', `${dir}/listed/link`);
    for (let i = 0; i < 50; i++) {
      writeFileSync(`${dir}/listed/file-${i}`, '');
      expected.set(`file-${i}`, DT_REG);
    }
    const fd = open(`${dir}/listed`, O_RDONLY | O_DIRECTORY);
    const dst = Buffer.alloc(600);
    const found = new Map<string, number>();
    let calls = 0;
    for (let got = getdents64(fd, dst, 88, 512); got > 0; got = getdents64(fd, dst, 88, 512)) {
      calls++;
      for (let at = 88; at < 88 + got; at += dst.readUInt16LE(at + DIRENT_RECLEN)) {
        const name = dst.toString('utf8', at + DIRENT_NAME, dst.indexOf(0, at + DIRENT_NAME));
        found.set(name, dst[at + DIRENT_TYPE]!);
      }
    }
    expect(calls).toBeGreaterThan(2);
    expect(found).toEqual(expected);
    expect(getdents64(fd, dst, 0, 4)).toBe(0);
    close(fd);
    const file = open(`${dir}/listed/file-1`, O_RDONLY);
    expect(getdents64(file, dst, 0, 512)).toBe(-Errno.ENOTDIR);
    close(file);
  });
});

describe('pollIn', () => {
  it('tells input from silence and from a closed peer', () => {
    const [left, right] = socketpair() as [number, number];
    expect(pollIn(left, 0)).toBe(0);
    expect(pollIn(left, 20)).toBe(0);
    write(right, Uint8Array.of(1), 0, 1);
    expect(pollIn(left, 1000)).toBe(1);
    read(left, new Uint8Array(1), 0, 1);
    close(right);
    expect(pollIn(left, 1000)).toBe(1);
    expect(read(left, new Uint8Array(1), 0, 1)).toBe(0);
    close(left);
    expect(pollIn(left, 0)).toBe(-Errno.EBADF);
  });

  it('no descriptor leaks into a child process', async () => {
    const fd = open(dir, O_RDONLY);
    const copy = dup(fd);
    const child = spawn('sh', ['-c', `ls -l /proc/$$/fd`], { stdio: ['ignore', 'pipe', 'ignore'] });
    let output = '';
    for await (const chunk of child.stdout) output += chunk;
    expect(output).not.toContain(dir);
    close(fd);
    close(copy);
  });
});
