/** Shows on real files what the program does: a vault in a temporary folder is filled, compared, looked into, measured and removed. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { AegisError } from '../base/errors.ts';
import { randomBytes } from '../crypto/random.ts';
import { CIPHERS } from '../crypto/registry.ts';
import { collectFiles, compareFiles, copyFiles, type FileSet } from './demo-files.ts';
import type { SelfCommand } from './mount/background.ts';
import { unmountAnyway } from './mount/stop.ts';
import { measureSpeed } from './speed.ts';

/** Where the demonstration tells what it does. */
export interface DemoReport {
  /** A new step begins. */
  step(text: string): void;
  /** A result. */
  detail(text: string): void;
}

/** Real files that most systems have, most interesting first. */
const SOURCES = ['/usr/share/doc', '/usr/share/man', '/usr/share', '/usr/include', '/etc'];
const MIN_FILES = 20;
const LIMITS = { files: 5000, bytes: 100e6 } as const;
const BIG_FILE_BYTES = 256 << 20;
const CHUNK_BYTES = 1 << 20;
const SPEED_MILLISECONDS = 300;
const PASSWORD_BYTES = 24;

/** Runs the demonstration and removes everything it made, also when something fails. @throws AegisError */
export async function runDemo(self: SelfCommand, report: DemoReport): Promise<void> {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'aegisfs-demo-'));
  const vault = path.join(folder, 'vault');
  const plain = path.join(folder, 'plain');
  let isMounted = false;
  const interrupted = onInterrupt();
  try {
    fs.mkdirSync(vault);
    fs.mkdirSync(plain);
    const password = Buffer.from(randomBytes(PASSWORD_BYTES)).toString('base64');
    report.step(`Creating an AEGIS vault with a random password in ${vault}`);
    runSelf(self, ['-init', '-q', '-aegis', '--', vault], password);
    report.step(`Mounting it at ${plain}`);
    const start = performance.now();
    runSelf(self, ['-q', '--', vault, plain], password);
    isMounted = true;
    report.detail(`ready after ${Math.round(performance.now() - start)} ms`);
    await interrupted.check();
    const files = await showTree(plain, report, interrupted.check);
    showOneFile(vault, plain, files, report);
    await interrupted.check();
    measureBigFile(plain, report);
    showCipherSpeed(report);
  } finally {
    interrupted.release();
    report.step('Unmounting and removing everything');
    if (isMounted) {
      unmount(plain);
    }
    fs.rmSync(folder, { recursive: true, force: true });
  }
}

/** Starts this program with the password on its standard input. */
function runSelf(self: SelfCommand, args: readonly string[], password: string): void {
  const result = spawnSync(self.file, [...self.args, ...args], {
    env: self.env,
    input: `${password}\n`,
    stdio: ['pipe', 'ignore', 'pipe'],
    encoding: 'utf8',
  });
  if (result.status !== 0) {
    throw new AegisError('other', result.stderr.trim() || `aegisfs ${args[0]} ended with ${result.status ?? result.signal}`);
  }
}

function unmount(mountpoint: string): void {
  const reason = unmountAnyway(mountpoint);
  if (reason !== null) {
    throw new AegisError('other', `cannot unmount ${mountpoint}: ${reason}`);
  }
}

async function showTree(plain: string, report: DemoReport, pause: () => Promise<void>): Promise<FileSet> {
  const source = SOURCES.map((folder) => collectFiles(folder, LIMITS)).find((set) => set.files.length >= MIN_FILES);
  if (source === undefined) {
    throw new AegisError('other', `none of ${SOURCES.join(', ')} has files to copy`);
  }
  const target = path.join(plain, 'files');
  report.step(`Copying ${source.files.length} files (${megabytes(source.bytes)} MB) from ${source.folder} into it`);
  const copySeconds = await timed(() => copyFiles(source, target, pause));
  report.detail(rate(source, copySeconds));
  report.step('Reading all of them back and comparing');
  const compareSeconds = await timed(async () => {
    const different = await compareFiles(source, target, pause);
    if (different !== undefined) {
      throw new AegisError('other', `${different} does not read back as it was written`);
    }
  });
  report.detail(`all equal; ${rate(source, compareSeconds)}`);
  return source;
}

function rate(set: FileSet, seconds: number): string {
  return `${seconds.toFixed(1)} s, ${Math.round(set.files.length / seconds)} files/s, ${(set.bytes / seconds / 1e6).toFixed(1)} MB/s`;
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

async function timed(action: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await action();
  return (performance.now() - start) / 1000;
}

/** One file as its owner sees it and as whoever holds the vault sees it. */
function showOneFile(vault: string, plain: string, set: FileSet, report: DemoReport): void {
  const name = set.files.find((file) => /copyright|readme|\.(txt|conf|h)$/i.test(file)) ?? set.files[0] ?? '';
  const plainFile = path.join(plain, 'files', name);
  const inode = fs.statSync(plainFile).ino;
  const stored = fs
    .readdirSync(vault, { recursive: true, encoding: 'utf8' })
    .find((entry) => fs.lstatSync(path.join(vault, entry)).ino === inode);
  report.step('One file, as you see it:');
  report.detail(`files/${name}`);
  showHead(plainFile, report);
  if (stored !== undefined) {
    report.step('The same file, as it is stored:');
    report.detail(stored);
    showHead(path.join(vault, stored), report);
  }
}

const HEAD_ROWS = 3;
const ROW_BYTES = 16;

function showHead(file: string, report: DemoReport): void {
  const fd = fs.openSync(file, 'r');
  const head = Buffer.alloc(HEAD_ROWS * ROW_BYTES);
  const length = fs.readSync(fd, head, 0, head.length, 0);
  fs.closeSync(fd);
  for (let at = 0; at < length; at += ROW_BYTES) {
    const row = head.subarray(at, Math.min(at + ROW_BYTES, length));
    const hex = Array.from(row, (byte) => byte.toString(16).padStart(2, '0')).join(' ');
    const text = Array.from(row, (byte) => (byte >= 0x20 && byte < 0x7f ? String.fromCharCode(byte) : '.')).join('');
    report.detail(`${at.toString(16).padStart(4, '0')}  ${hex.padEnd(3 * ROW_BYTES - 1)}  ${text}`);
  }
}

function measureBigFile(plain: string, report: DemoReport): void {
  report.step(`Writing and reading one file of ${BIG_FILE_BYTES >> 20} MiB`);
  const file = path.join(plain, 'big');
  const chunk = Buffer.from(randomBytes(CHUNK_BYTES));
  const start = performance.now();
  const out = fs.openSync(file, 'w');
  for (let done = 0; done < BIG_FILE_BYTES; done += CHUNK_BYTES) {
    fs.writeSync(out, chunk);
  }
  fs.closeSync(out);
  const middle = performance.now();
  const back = fs.openSync(file, 'r');
  for (let done = 0; done < BIG_FILE_BYTES; done += CHUNK_BYTES) {
    fs.readSync(back, chunk);
  }
  fs.closeSync(back);
  const end = performance.now();
  const speed = (milliseconds: number): string => `${(BIG_FILE_BYTES / milliseconds / 1000).toFixed(0)} MB/s`;
  report.detail(`write ${speed(middle - start)}, read ${speed(end - middle)}`);
  fs.unlinkSync(file);
}

function showCipherSpeed(report: DemoReport): void {
  report.step('The ciphers alone, one thread:');
  const shown = CIPHERS.filter((row) => row.id === 'aegis-128x2' || row.id === 'aes-gcm');
  for (const row of measureSpeed(SPEED_MILLISECONDS, shown)) {
    if (row.selected) {
      report.detail(`${row.name.padEnd(24)} ${row.megabytesPerSecond.toFixed(0).padStart(7)} MB/s`);
    }
  }
}

/** Turns Ctrl-C into an exception at the next pause, so that everything is removed on the way out. */
function onInterrupt(): { check(): Promise<void>; release(): void } {
  let isAsked = false;
  const listener = (): void => {
    isAsked = true;
  };
  process.on('SIGINT', listener);
  process.on('SIGTERM', listener);
  return {
    async check() {
      await setImmediate();
      if (isAsked) {
        throw new AegisError('other', 'interrupted');
      }
    },
    release() {
      process.removeListener('SIGINT', listener);
      process.removeListener('SIGTERM', listener);
    },
  };
}
