import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Errno } from '../base/errno.ts';
import {
  faccessat,
  fchmodatNofollow,
  fchownatNofollow,
  linkat,
  mkdirat,
  mknodat,
  openat,
  readlinkat,
  renameat2,
  symlinkat,
  unlinkat,
  utimensat,
} from './at.ts';
import {
  AT_REMOVEDIR,
  AT_SYMLINK_FOLLOW,
  AT_SYMLINK_NOFOLLOW,
  F_OK,
  O_CREAT,
  O_DIRECTORY,
  O_EXCL,
  O_NOFOLLOW,
  O_PATH,
  O_RDONLY,
  O_WRONLY,
  R_OK,
  RENAME_EXCHANGE,
  RENAME_NOREPLACE,
  S_IFIFO,
  S_IFREG,
  UTIME_NOW,
  UTIME_OMIT,
} from './constants.ts';
import { close } from './files.ts';
import { testFolder, text } from './test-folder.ts';

const { dir, dirfd } = testFolder();
const isRoot = process.getuid?.() === 0;

describe('openat', () => {
  it('creates with the mode, and refuses what exists', () => {
    const fd = openat(dirfd, text('made'), 0, O_CREAT | O_EXCL | O_WRONLY, 0o640);
    expect(fd).toBeGreaterThanOrEqual(0);
    expect(lstatSync(`${dir}/made`).mode).toBe(S_IFREG | 0o640);
    expect(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')).toMatch(/flags:\s+0?2\d{6}/);
    expect(close(fd)).toBe(0);
    expect(openat(dirfd, text('made'), 0, O_CREAT | O_EXCL | O_WRONLY, 0o640)).toBe(-Errno.EEXIST);
    expect(openat(dirfd, text('absent'), 0, O_RDONLY, 0)).toBe(-Errno.ENOENT);
    expect(openat(dirfd, text('made'), 0, O_RDONLY | O_DIRECTORY, 0)).toBe(-Errno.ENOTDIR);
    expect(openat(-1, text('made'), 0, O_RDONLY, 0)).toBe(-Errno.EBADF);
    expect(openat(dirfd, text('n'.repeat(256)), 0, O_RDONLY, 0)).toBe(-Errno.ENAMETOOLONG);
  });

  it('does not follow with O_NOFOLLOW', () => {
    symlinkSync('made', `${dir}/link-to-made`);
    expect(openat(dirfd, text('link-to-made'), 0, O_RDONLY | O_NOFOLLOW, 0)).toBe(-Errno.ELOOP);
    const fd = openat(dirfd, text('link-to-made'), 0, O_PATH | O_NOFOLLOW, 0);
    expect(fd).toBeGreaterThanOrEqual(0);
    close(fd);
  });
});

describe('making and removing names', () => {
  it('mkdirat, unlinkat with AT_REMOVEDIR', () => {
    expect(mkdirat(dirfd, text('sub'), 0, 0o750)).toBe(0);
    expect(lstatSync(`${dir}/sub`).mode & 0o7777).toBe(0o750);
    expect(mkdirat(dirfd, text('sub'), 0, 0o750)).toBe(-Errno.EEXIST);
    writeFileSync(`${dir}/sub/file`, '');
    expect(unlinkat(dirfd, text('sub'), 0, AT_REMOVEDIR)).toBe(-Errno.ENOTEMPTY);
    expect(unlinkat(dirfd, text('sub'), 0, 0)).toBe(-Errno.EISDIR);
    expect(unlinkat(dirfd, text('sub/file'), 0, 0)).toBe(0);
    expect(unlinkat(dirfd, text('sub'), 0, AT_REMOVEDIR)).toBe(0);
    expect(existsSync(`${dir}/sub`)).toBe(false);
  });

  it('mknodat makes FIFOs, and device nodes with their number for root', () => {
    expect(mknodat(dirfd, text('fifo'), 0, S_IFIFO | 0o600, 0)).toBe(0);
    expect(lstatSync(`${dir}/fifo`).isFIFO()).toBe(true);
    const made = mknodat(dirfd, text('null'), 0, 0o20600, (1 << 8) | 3);
    expect(made).toBe(isRoot ? 0 : -Errno.EPERM);
    if (isRoot) expect(lstatSync(`${dir}/null`).rdev).toBe((1 << 8) | 3);
  });

  it('symlinkat and readlinkat', () => {
    expect(symlinkat(text('xx/some/target'), 2, dirfd, text('yylink'), 2)).toBe(0);
    expect(readlinkSync(`${dir}/link`)).toBe('/some/target');
    const dst = new Uint8Array(64);
    expect(readlinkat(dirfd, text('link'), 0, dst, 10, 50)).toBe(12);
    expect(Buffer.from(dst.subarray(10, 23)).toString()).toBe('/some/target\0');
    expect(readlinkat(dirfd, text('link'), 0, dst, 0, 5)).toBe(5);
    expect(readlinkat(dirfd, text('fifo'), 0, dst, 0, 5)).toBe(-Errno.EINVAL);
  });

  it('linkat links a symlink itself unless told to follow', () => {
    writeFileSync(`${dir}/base`, 'x');
    symlinkSync('base', `${dir}/to-base`);
    expect(linkat(dirfd, text('to-base'), 0, dirfd, text('hard-symlink'), 0, 0)).toBe(0);
    expect(lstatSync(`${dir}/hard-symlink`).isSymbolicLink()).toBe(true);
    expect(linkat(dirfd, text('to-base'), 0, dirfd, text('hard-file'), 0, AT_SYMLINK_FOLLOW)).toBe(0);
    expect(lstatSync(`${dir}/hard-file`).ino).toBe(lstatSync(`${dir}/base`).ino);
    expect(linkat(dirfd, text('base'), 0, dirfd, text('hard-file'), 0, 0)).toBe(-Errno.EEXIST);
  });

  it('renameat2 with its flags', () => {
    writeFileSync(`${dir}/r1`, 'one');
    writeFileSync(`${dir}/r2`, 'two');
    expect(renameat2(dirfd, text('r1'), 0, dirfd, text('r2'), 0, RENAME_NOREPLACE)).toBe(-Errno.EEXIST);
    expect(renameat2(dirfd, text('r1'), 0, dirfd, text('r2'), 0, RENAME_EXCHANGE)).toBe(0);
    expect(readFileSync(`${dir}/r1`, 'utf8')).toBe('two');
    expect(renameat2(dirfd, text('r1'), 0, dirfd, text('r2'), 0, 0)).toBe(0);
    expect(readFileSync(`${dir}/r2`, 'utf8')).toBe('two');
    expect(renameat2(dirfd, text('r1'), 0, dirfd, text('r2'), 0, 0)).toBe(-Errno.ENOENT);
  });
});

describe('attributes by name', () => {
  it('fchmodatNofollow changes every type but a symlink', () => {
    writeFileSync(`${dir}/mode`, '');
    mkdirSync(`${dir}/mode-dir`);
    symlinkSync('mode', `${dir}/mode-link`);
    chmodSync(`${dir}/mode`, 0o600);
    expect(fchmodatNofollow(dirfd, text('mode'), 0, 0o4711)).toBe(0);
    expect(lstatSync(`${dir}/mode`).mode & 0o7777).toBe(0o4711);
    expect(fchmodatNofollow(dirfd, text('mode-dir'), 0, 0o1000)).toBe(0);
    expect(lstatSync(`${dir}/mode-dir`).mode & 0o7777).toBe(0o1000);
    expect(fchmodatNofollow(dirfd, text('mode-link'), 0, 0o777)).toBe(-Errno.ELOOP);
    expect(lstatSync(`${dir}/mode`).mode & 0o7777).toBe(0o4711);
    expect(fchmodatNofollow(dirfd, text('nothing'), 0, 0o777)).toBe(-Errno.ENOENT);
  });

  it('fchownatNofollow leaves −1 alone and changes a symlink itself', () => {
    writeFileSync(`${dir}/owned`, '');
    symlinkSync('owned', `${dir}/owned-link`);
    const before = lstatSync(`${dir}/owned`);
    expect(fchownatNofollow(dirfd, text('owned'), 0, -1, -1)).toBe(0);
    expect(lstatSync(`${dir}/owned`).uid).toBe(before.uid);
    const expected = isRoot ? 0 : -Errno.EPERM;
    expect(fchownatNofollow(dirfd, text('owned-link'), 0, 12345, -1)).toBe(expected);
    expect(lstatSync(`${dir}/owned-link`).uid).toBe(isRoot ? 12345 : before.uid);
    expect(lstatSync(`${dir}/owned-link`).gid).toBe(before.gid);
    expect(lstatSync(`${dir}/owned`).uid).toBe(before.uid);
  });

  it('utimensat: exact nanoseconds, before 1970, NOW and OMIT', () => {
    writeFileSync(`${dir}/times`, '');
    symlinkSync('times', `${dir}/times-link`);
    expect(utimensat(dirfd, text('times'), 0, -5, 250, 2 ** 32 + 7, 999999999, 0)).toBe(0);
    let stat = lstatSync(`${dir}/times`, { bigint: true });
    expect(stat.atimeNs).toBe(-5n * 10n ** 9n + 250n);
    expect(stat.mtimeNs).toBe((2n ** 32n + 8n) * 10n ** 9n - 1n);
    expect(utimensat(dirfd, text('times'), 0, 0, UTIME_OMIT, 0, UTIME_NOW, 0)).toBe(0);
    stat = lstatSync(`${dir}/times`, { bigint: true });
    expect(stat.atimeNs).toBe(-5n * 10n ** 9n + 250n);
    expect(Math.abs(Number(stat.mtimeMs) - Date.now())).toBeLessThan(60_000);
    expect(utimensat(dirfd, text('times-link'), 0, 1, 0, 2, 0, AT_SYMLINK_NOFOLLOW)).toBe(0);
    expect(lstatSync(`${dir}/times-link`).mtimeMs).toBe(2000);
    expect(statSync(`${dir}/times`).mtimeMs).not.toBe(2000);
    expect(utimensat(dirfd, text('times'), 0, 0, 10 ** 9, 0, 0, 0)).toBe(-Errno.EINVAL);
    expect(utimensat(dirfd, text('times'), 0, 2 ** 53, 0, 0, 0, 0)).toBe(-Errno.EINVAL);
  });

  it('faccessat', () => {
    writeFileSync(`${dir}/readable`, '');
    expect(faccessat(dirfd, text('readable'), 0, R_OK, 0)).toBe(0);
    rmSync(`${dir}/readable`);
    expect(faccessat(dirfd, text('readable'), 0, F_OK, 0)).toBe(-Errno.ENOENT);
  });
});
