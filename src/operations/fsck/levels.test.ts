import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Errno } from '../../base/errno.ts';
import { openat } from '../../sys/at.ts';
import { AT_FDCWD, O_DIRECTORY, O_RDONLY } from '../../sys/constants.ts';
import { fstat, STAT_FIELDS, Stat } from '../../sys/stat.ts';
import { Levels } from './levels.ts';

const DEPTH = 100;

let root: string;
let levels: Levels;
beforeEach(() => {
  root = fs.mkdtempSync(path.join(os.tmpdir(), 'aegisfs-levels-'));
  levels = new Levels();
});
afterEach(() => {
  levels.close();
  fs.rmSync(root, { recursive: true });
});

function directoryAt(depth: number): string {
  return path.join(root, ...Array<string>(depth).fill('d'));
}

function descend(): void {
  fs.mkdirSync(directoryAt(DEPTH), { recursive: true });
  for (let depth = 0; depth <= DEPTH; depth++) {
    const fd = openat(AT_FDCWD, Buffer.from(`${directoryAt(depth)}\0`), 0, O_RDONLY | O_DIRECTORY, 0);
    expect(levels.push(fd, depth === 0 ? '' : 'd', [`entry of ${depth}`])).toBe(0);
  }
}

function openBelowRoot(): number {
  return fs.readdirSync('/proc/self/fd').filter((fd) => {
    try {
      return fs.readlinkSync(`/proc/self/fd/${fd}`).startsWith(root);
    } catch {
      return false;
    }
  }).length;
}

describe('Levels', () => {
  it('holds a bounded number of descriptors and comes back to the same directories', () => {
    descend();
    expect(openBelowRoot()).toBeLessThanOrEqual(66);
    const stat = new Float64Array(STAT_FIELDS);
    for (let depth = DEPTH; depth >= 0; depth--) {
      const level = levels.top();
      expect(level?.entries).toEqual([`entry of ${depth}`]);
      expect(fstat(level?.fd ?? -1, stat)).toBe(0);
      expect(stat[Stat.inoLo]).toBe(fs.statSync(directoryAt(depth)).ino % 2 ** 32);
      expect(levels.pop()).toBe(0);
    }
    expect(levels.top()).toBeUndefined();
    expect(openBelowRoot()).toBe(0);
  });

  it('finds the directories above one that was moved meanwhile', () => {
    descend();
    const inodes = Array.from({ length: DEPTH }, (_, depth) => fs.statSync(directoryAt(depth)).ino);
    fs.renameSync(directoryAt(20), `${root}/moved`);
    const stat = new Float64Array(STAT_FIELDS);
    for (let depth = DEPTH - 1; depth >= 0; depth--) {
      expect(levels.pop()).toBe(0);
      expect(fstat(levels.top()?.fd ?? -1, stat)).toBe(0);
      expect(stat[Stat.inoLo]).toBe((inodes[depth] ?? 0) % 2 ** 32);
    }
    levels.pop();
    expect(openBelowRoot()).toBe(0);
  });

  it('tells which directories cannot be found any more', () => {
    descend();
    fs.renameSync(directoryAt(20), `${root}/moved`);
    fs.renameSync(directoryAt(10), `${root}/d-elsewhere`);
    fs.mkdirSync(directoryAt(10));
    const results = Array.from({ length: DEPTH + 1 }, () => levels.pop());
    const lost = results.flatMap((result, i) => (result === 0 ? [] : [DEPTH - 1 - i]));
    // From what was at depth 20 no way leads to 19 any more; from there on up to 11 not even a descriptor is left to ask.
    expect(lost).toEqual([19, 18, 17, 16, 15, 14, 13, 12, 11, 10]);
    expect(results[DEPTH - 1 - 10]).toBe(-Errno.ESTALE);
    expect(openBelowRoot()).toBe(0);
  });

  it('closes everything when the walk is left', () => {
    descend();
    levels.close();
    expect(openBelowRoot()).toBe(0);
  });
});
