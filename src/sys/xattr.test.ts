import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Errno } from '../base/errno.ts';
import { AT_FDCWD, O_RDONLY, XATTR_CREATE, XATTR_REPLACE, XATTR_SIZE_MAX } from './constants.ts';
import { close } from './files.ts';
import { open, testFolder, text } from './test-folder.ts';
import { fgetxattr, flistxattr, fremovexattr, fsetxattr, lgetxattrat, llistxattrat, lremovexattrat, lsetxattrat } from './xattr.ts';

const { dir, dirfd } = testFolder();
const isRoot = process.getuid?.() === 0;
const name = text('..user.aegisfs');
const value = Buffer.from('--value\0with NUL--');

/** What another program sees. */
function seenByPython(file: string): Record<string, string> {
  const script = `import os,sys,json
f=os.fsencode(sys.argv[1])
print(json.dumps({n: os.getxattr(f,n,follow_symlinks=False).decode('latin1') for n in os.listxattr(f,follow_symlinks=False)}))`;
  return JSON.parse(execFileSync('python3', ['-c', script, file], { encoding: 'utf8' }));
}

describe('of an open file', () => {
  it('set, get, list, remove', () => {
    writeFileSync(`${dir}/file`, '');
    const fd = open(`${dir}/file`, O_RDONLY);
    expect(fsetxattr(fd, name, 2, value, 2, 14, XATTR_REPLACE)).toBe(-Errno.ENODATA);
    expect(fsetxattr(fd, name, 2, value, 2, 14, XATTR_CREATE)).toBe(0);
    expect(fsetxattr(fd, name, 2, value, 2, 14, XATTR_CREATE)).toBe(-Errno.EEXIST);
    expect(seenByPython(`${dir}/file`)).toEqual({ 'user.aegisfs': 'value\0with NUL' });
    const dst = Buffer.alloc(40, '-');
    expect(fgetxattr(fd, name, 2, dst, 3, 0)).toBe(14);
    expect(fgetxattr(fd, name, 2, dst, 3, 13)).toBe(-Errno.ERANGE);
    expect(fgetxattr(fd, name, 2, dst, 3, 14)).toBe(14);
    expect(dst.toString('latin1', 2, 18)).toBe('-value\0with NUL-');
    expect(flistxattr(fd, dst, 0, 0)).toBe(13);
    expect(flistxattr(fd, dst, 1, 39)).toBe(13);
    expect(dst.toString('latin1', 1, 14)).toBe('user.aegisfs\0');
    expect(fremovexattr(fd, name, 2)).toBe(0);
    expect(fremovexattr(fd, name, 2)).toBe(-Errno.ENODATA);
    expect(fgetxattr(fd, name, 2, dst, 0, 0)).toBe(-Errno.ENODATA);
    expect(fsetxattr(fd, name, 2, new Uint8Array(0), 0, 0, 0)).toBe(0);
    expect(fgetxattr(fd, name, 2, dst, 0, 40)).toBe(0);
    close(fd);
    expect(fgetxattr(-1, name, 2, dst, 0, 0)).toBe(-Errno.EBADF);
    expect(flistxattr(-1, dst, 0, 0)).toBe(-Errno.EBADF);
    expect(fsetxattr(-1, name, 2, value, 0, 1, 0)).toBe(-Errno.EBADF);
    expect(fremovexattr(-1, name, 2)).toBe(-Errno.EBADF);
  });
});

describe('of a name in a directory', () => {
  it('works on files without permission and on directories', () => {
    writeFileSync(`${dir}/closed`, '', { mode: 0o200 });
    mkdirSync(`${dir}/folder`);
    const dst = Buffer.alloc(64);
    for (const object of ['closed', 'folder']) {
      expect(lsetxattrat(dirfd, text(`--${object}`), 2, name, 2, value, 2, 5, 0)).toBe(0);
      expect(seenByPython(`${dir}/${object}`)).toEqual({ 'user.aegisfs': 'value' });
      expect(lgetxattrat(dirfd, text(`--${object}`), 2, name, 2, dst, 1, 63)).toBe(5);
      expect(dst.toString('latin1', 1, 6)).toBe('value');
      expect(llistxattrat(dirfd, text(object), 0, dst, 2, 62)).toBe(13);
      expect(dst.toString('latin1', 2, 14)).toBe('user.aegisfs');
      expect(lremovexattrat(dirfd, text(object), 0, name, 2)).toBe(0);
      expect(lremovexattrat(dirfd, text(object), 0, name, 2)).toBe(-Errno.ENODATA);
      expect(llistxattrat(dirfd, text(object), 0, dst, 0, 0)).toBe(0);
    }
  });

  it('does not follow a symlink, and does not hang on a FIFO', () => {
    writeFileSync(`${dir}/target`, '');
    symlinkSync('target', `${dir}/link`);
    execFileSync('mkfifo', [`${dir}/fifo`]);
    expect(lsetxattrat(dirfd, text('link'), 0, name, 2, value, 0, 1, 0)).toBe(-Errno.EPERM);
    expect(lsetxattrat(dirfd, text('fifo'), 0, name, 2, value, 0, 1, 0)).toBe(-Errno.EPERM);
    const trusted = text('trusted.aegisfs');
    expect(lsetxattrat(dirfd, text('link'), 0, trusted, 0, value, 2, 5, 0)).toBe(isRoot ? 0 : -Errno.EPERM);
    expect(seenByPython(`${dir}/target`)).toEqual({});
    if (isRoot) expect(seenByPython(`${dir}/link`)).toEqual({ 'trusted.aegisfs': 'value' });
  });

  it('paths from the working directory, missing and overlong ones', () => {
    const dst = Buffer.alloc(8);
    writeFileSync(`${dir}/absolute`, '');
    expect(lsetxattrat(AT_FDCWD, text(`${dir}/absolute`), 0, name, 2, value, 2, 5, 0)).toBe(0);
    expect(lgetxattrat(dirfd, text(`${dir}/absolute`), 0, name, 2, dst, 0, 8)).toBe(5);
    expect(lgetxattrat(dirfd, text('absent'), 0, name, 2, dst, 0, 8)).toBe(-Errno.ENOENT);
    expect(lgetxattrat(dirfd, text('a'.repeat(4096)), 0, name, 2, dst, 0, 8)).toBe(-Errno.ENAMETOOLONG);
    expect(llistxattrat(dirfd, text('a'.repeat(70000)), 0, dst, 0, 8)).toBe(-Errno.ENAMETOOLONG);
    expect(lgetxattrat(dirfd, text('./'.repeat(1900)), 0, name, 2, dst, 0, 8)).toBe(-Errno.ENODATA);
    expect(lgetxattrat(1_000_000, text('absolute'), 0, name, 2, dst, 0, 8)).toBe(-Errno.ENOENT);
  });

  it('a value beyond the limit of the kernel is refused', () => {
    const big = new Uint8Array(XATTR_SIZE_MAX + 1);
    expect(lsetxattrat(dirfd, text('target'), 0, name, 2, big, 0, big.length, 0)).toBe(-Errno.E2BIG);
  });
});
