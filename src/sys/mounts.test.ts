import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Errno } from '../base/errno.ts';
import { MNT_DETACH } from './constants.ts';
import { close, pread } from './files.ts';
import { fuseClone, mount, recvFd, socketpair, umount2 } from './mounts.ts';
import { runScript, testFolder } from './test-folder.ts';

const { dir } = testFolder();
const isRoot = process.getuid?.() === 0;
const resultFile = `${testFolder().dir}/result.json`;

/** Lets Python send over a socket pair and returns what came. */
function receiveFrom(python: string): number {
  const [own, theirs] = socketpair() as [number, number];
  const script = `import os, socket\ns = socket.socket(fileno=3)\n${python}`;
  const result = spawnSync('python3', ['-c', script], { stdio: ['ignore', 'inherit', 'inherit', theirs] });
  expect(result.status).toBe(0);
  close(theirs);
  const fd = recvFd(own);
  close(own);
  return fd;
}

describe('recvFd', () => {
  it('receives a descriptor, close-on-exec', () => {
    writeFileSync(`${dir}/sent`, 'the sent file');
    const fd = receiveFrom(`socket.send_fds(s, [b'x'], [os.open('${dir}/sent', os.O_RDONLY)])`);
    expect(fd).toBeGreaterThanOrEqual(0);
    const dst = Buffer.alloc(13);
    expect(pread(fd, dst, 0, 13, 0)).toBe(13);
    expect(dst.toString()).toBe('the sent file');
    expect(readFileSync(`/proc/self/fdinfo/${fd}`, 'utf8')).toMatch(/flags:\s+0?2\d{6}/);
    close(fd);
  });

  it('a sender that ends, or sends only bytes, is EPROTO', () => {
    expect(receiveFrom('pass')).toBe(-Errno.EPROTO);
    expect(receiveFrom("s.send(b'x')")).toBe(-Errno.EPROTO);
    expect(recvFd(-1)).toBe(-Errno.EBADF);
  });

  it('descriptors beyond the first are not kept', () => {
    const count = () => readdirSync('/proc/self/fd').filter((fd) => linkOf(fd) === `${dir}/sent`).length;
    const fd = receiveFrom(`f = os.open('${dir}/sent', os.O_RDONLY)\nsocket.send_fds(s, [b'x'], [f, f, f])`);
    expect(fd).toBeGreaterThanOrEqual(0);
    expect(count()).toBe(1);
    close(fd);
    expect(count()).toBe(0);
  });
});

function linkOf(fd: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${fd}`);
  } catch {
    return '';
  }
}

describe('mount', () => {
  it('mounts and unmounts in a namespace of its own', () => {
    const script = `
      const fs = require('node:fs');
      const seen = () => fs.readFileSync('/proc/self/mountinfo', 'utf8').split('\\n').find((line) => line.includes(process.argv[1])) ?? '';
      const made = sys.mount('the source', process.argv[1], 'tmpfs', 2 | 4 | 8, 'size=64k,mode=0700');
      const line = seen();
      const again = sys.umount2(process.argv[1], 0);
      const lazy = sys.mount('x', process.argv[1], 'tmpfs', 0, '') || (process.chdir(process.argv[1]), sys.umount2(process.argv[1], 0) === ${-Errno.EBUSY} && sys.umount2(process.argv[1], ${MNT_DETACH}));
      fs.writeFileSync(process.argv[2], JSON.stringify([made, line, again, lazy, seen(), sys.umount2(process.argv[1], 0)]));`;
    const result = runScript(script, { stdio: 'ignore' }, [dir, resultFile], ['unshare', isRoot ? '-m' : '-rm']);
    expect(result.status).toBe(0);
    const [made, line, again, lazy, after, gone] = JSON.parse(readFileSync(resultFile, 'utf8'));
    expect([made, again, lazy, after, gone]).toEqual([0, 0, 0, '', -Errno.EINVAL]);
    expect(line).toMatch(/ rw,nosuid,nodev,noexec,.* - tmpfs the\\040source rw,.*size=64k/);
  });

  it('errors', () => {
    expect(mount('x', `${dir}/absent`, 'tmpfs', 0, '')).toBe(isRoot ? -Errno.ENOENT : -Errno.EPERM);
    expect(mount('x', dir, 'nofilesystem', 0, '')).toBe(isRoot ? -Errno.ENODEV : -Errno.EPERM);
    expect(umount2(dir, 0)).toBe(isRoot ? -Errno.EINVAL : -Errno.EPERM);
    expect(() => mount('x', dir, 5 as unknown as string, 0, '')).toThrow(TypeError);
  });
});

it('fuseClone refuses a descriptor that is no FUSE connection', () => {
  const [own, theirs] = socketpair() as [number, number];
  expect([-Errno.EINVAL, -Errno.EACCES, -Errno.ENOENT]).toContain(fuseClone(own));
  close(own);
  close(theirs);
});
