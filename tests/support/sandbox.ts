import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** Waits without letting go of the thread: the suites are synchronous. */
export function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/** Polls until `done` is true. @returns false after `milliseconds` */
export function waitFor(done: () => boolean, milliseconds: number): boolean {
  const end = Date.now() + milliseconds;
  while (!done()) {
    if (Date.now() > end) return false;
    sleep(10);
  }
  return true;
}

/** Mountpoints below `dir`, innermost first, with their filesystem type. */
export function mountsBelow(dir: string): { mountpoint: string; type: string; source: string; options: string }[] {
  const rows = fs.readFileSync('/proc/self/mountinfo', 'utf8').trim().split('\n');
  const unescaped = (text: string) => text.replace(/\\([0-7]{3})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 8)));
  return rows
    .map((row) => {
      const [before = '', after = ''] = row.split(' - ');
      const left = before.split(' ');
      const right = after.split(' ');
      const options = `${left[5]},${right[2]}`;
      return { mountpoint: unescaped(left[4] ?? ''), type: right[0] ?? '', source: unescaped(right[1] ?? ''), options };
    })
    .filter(({ mountpoint }) => mountpoint === dir || mountpoint.startsWith(`${dir}/`))
    .reverse();
}

export function isMounted(dir: string): boolean {
  return mountsBelow(dir).some(({ mountpoint }) => mountpoint === dir);
}

/** A folder for one test file, removed with all mounts below it. Its filesystem must store user xattrs. */
export class Sandbox {
  readonly dir: string;

  constructor() {
    requirePrivateMounts();
    this.dir = fs.mkdtempSync(path.join(os.tmpdir(), 'aegisfs-test-'));
    fs.chmodSync(this.dir, 0o755);
  }

  /** A new empty folder. */
  folder(name: string, mode = 0o755): string {
    const dir = path.join(this.dir, name);
    fs.mkdirSync(dir);
    fs.chmodSync(dir, mode);
    return dir;
  }

  file(name: string, content: string | Uint8Array): string {
    const file = path.join(this.dir, name);
    fs.writeFileSync(file, content);
    return file;
  }

  remove(): void {
    for (const { mountpoint } of mountsBelow(this.dir)) spawnSync('umount', ['-l', mountpoint]);
    fs.rmSync(this.dir, { recursive: true, force: true });
  }
}

/** Mounts of a failed test must never show on the machine: scripts/test.mjs runs the suites in a namespace that is not its own. */
function requirePrivateMounts(): void {
  const outside = process.env.AEGISFS_TESTS_OUTSIDE;
  if (outside === undefined || fs.readlinkSync('/proc/self/ns/mnt') === outside) {
    throw new Error('these tests mount filesystems: run them as root through "npm test", which gives them a mount namespace of their own');
  }
}
