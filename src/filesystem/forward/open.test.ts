import { chmodSync, chownSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Errno } from '../../base/errno.ts';
import { native, STAT_FIELDS, Stat } from '../../native.ts';
import { OpenFiles } from '../../shared/open-files.ts';
import {
  AT_FDCWD,
  O_APPEND,
  O_CLOEXEC,
  O_CREAT,
  O_DIRECT,
  O_NOATIME,
  O_NOFOLLOW,
  O_RDONLY,
  O_RDWR,
  O_SYNC,
  O_TRUNC,
  O_WRONLY,
} from '../../sys/constants.ts';
import { backingFlags, type OpenSys, openBacking } from './open.ts';

const sys = native.sys;

function cName(file: string): Uint8Array {
  return new Uint8Array(Buffer.from(`xx${file}\0rest`));
}

/** The real calls, except that the first open is not permitted. */
function refusingOnce(): OpenSys {
  let isFirst = true;
  return {
    ...sys,
    openat: (...args) => {
      if (!isFirst) return sys.openat(...args);
      isFirst = false;
      return -Errno.EACCES;
    },
  };
}

describe('openBacking', () => {
  let dir: string;
  let file: string;
  let warnings: string[];
  let ctx: Parameters<typeof openBacking>[0];

  beforeEach(() => {
    dir = mkdtempSync(path.join(tmpdir(), 'open-'));
    file = path.join(dir, 'f');
    writeFileSync(file, 'content');
    warnings = [];
    ctx = {
      log: { debug() {}, info() {}, warn: (message) => warnings.push(message), fatal() {} },
      openFiles: new OpenFiles(new SharedArrayBuffer(OpenFiles.bytes(8)), 0, 8),
    };
  });
  afterEach(() => rmSync(dir, { recursive: true }));

  function open(flags: number, calls?: OpenSys): number {
    return openBacking(ctx, AT_FDCWD, cName(file), 2, flags, calls);
  }

  it('translates the flags of the user', () => {
    const always = O_NOFOLLOW | O_CLOEXEC;
    expect(backingFlags(O_RDONLY)).toBe(O_RDONLY | always);
    expect(backingFlags(O_WRONLY | O_APPEND | O_DIRECT | O_CREAT | O_TRUNC)).toBe(O_RDWR | always);
    expect(backingFlags(O_RDWR | O_SYNC | O_NOATIME)).toBe(O_RDWR | O_SYNC | O_NOATIME | always);
  });

  it('can read what the user only writes, and does not cut the file', () => {
    const fd = open(O_WRONLY | O_TRUNC | O_APPEND);
    const buf = Buffer.alloc(10);
    expect(sys.pread(fd, buf, 0, 10, 0)).toBe(7);
    expect(sys.pwrite(fd, Buffer.from('C'), 0, 1, 0)).toBe(1);
    sys.close(fd);
    expect(statSync(file).size).toBe(7);
  });

  it('follows no symlink', () => {
    symlinkSync(file, `${file}-link`);
    file = `${file}-link`;
    expect(open(O_RDONLY)).toBe(-Errno.ELOOP);
    file = path.join(dir, 'missing');
    expect(open(O_RDWR)).toBe(-Errno.ENOENT);
    expect(warnings).toEqual([]);
  });

  it('names the limit when no descriptor is left', () => {
    const calls: OpenSys = { ...sys, openat: () => -Errno.EMFILE, getNofile: () => [1234, 4096] };
    expect(open(O_RDONLY, calls)).toBe(-Errno.EMFILE);
    expect(warnings).toEqual([`Open "${file}": too many open files. Current "ulimit -n": 1234`]);
  });

  describe('of a file its owner may not read', () => {
    const uid = process.getuid!() === 0 ? 65_534 : process.getuid!();

    /** Runs with the rights of an ordinary user. */
    function asUser<T>(body: () => T): T {
      if (process.getuid!() !== 0) return body();
      expect(sys.setThreadCredentials(uid, uid, new Uint32Array(0), 0)).toBe(0);
      try {
        return body();
      } finally {
        sys.restoreThreadCredentials();
      }
    }

    beforeEach(() => {
      if (process.getuid!() === 0) {
        chownSync(dir, uid, uid);
        chownSync(file, uid, uid);
      }
      chmodSync(file, 0o200);
    });

    it('works for writing, and the mode is as before', () => {
      const fd = asUser(() => open(O_WRONLY));
      expect(fd).toBeGreaterThanOrEqual(0);
      expect(sys.pread(fd, Buffer.alloc(10), 0, 10, 0)).toBe(7);
      sys.close(fd);
      expect(statSync(file).mode & 0o7777).toBe(0o200);
      expect(warnings).toEqual([]);
    });

    it('is refused for reading', () => {
      expect(asUser(() => open(O_RDONLY))).toBe(-Errno.EACCES);
      expect(asUser(() => open(O_RDWR))).toBe(-Errno.EACCES);
      chmodSync(file, 0o000);
      expect(asUser(() => open(O_WRONLY))).toBe(-Errno.EACCES);
      expect(statSync(file).mode & 0o7777).toBe(0);
    });

    it('is refused if the mode is not the reason', () => {
      chmodSync(file, 0o600);
      expect(open(O_WRONLY, refusingOnce())).toBe(-Errno.EPERM);
      expect(warnings.length).toBe(1);
      expect(statSync(file).mode & 0o7777).toBe(0o600);
    });

    it('notices that the name was given to another file meanwhile', () => {
      const other = path.join(dir, 'other');
      writeFileSync(other, 'other');
      let opens = 0;
      const calls: OpenSys = {
        ...sys,
        openat: (dirfd, name, off, flags, mode) => {
          opens++;
          if (opens === 1) return -Errno.EACCES;
          return opens === 2 ? sys.openat(dirfd, name, off, flags, mode) : sys.openat(dirfd, cName(other), 2, flags, mode);
        },
      };
      const before = sys.openat(AT_FDCWD, cName(file), 2, O_WRONLY, 0);
      sys.close(before);
      expect(open(O_WRONLY, calls)).toBe(-Errno.ESTALE);
      // Nothing stays open, and the mode is back.
      const after = sys.openat(AT_FDCWD, cName(other), 2, O_RDONLY, 0);
      expect(after).toBe(before);
      sys.close(after);
      expect(statSync(file).mode & 0o7777).toBe(0o200);
    });

    it('does not wait for a FIFO', () => {
      rmSync(file);
      expect(sys.mknodat(AT_FDCWD, cName(file), 2, 0o010_200, 0)).toBe(0);
      expect(open(O_WRONLY, refusingOnce())).toBe(-Errno.ENXIO);
    });
  });

  it('keeps the descriptor that it was asked for', () => {
    const fd = open(O_RDONLY);
    const stat = new Float64Array(STAT_FIELDS);
    sys.fstat(fd, stat);
    expect(stat[Stat.inoLo]).toBe(statSync(file).ino % 2 ** 32);
    sys.close(fd);
  });
});
