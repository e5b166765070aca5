/** Help for the tests of this folder: temporary folders, NUL-terminated text, and processes that may be ruined. */
import { type SpawnSyncOptions, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll } from 'vitest';
import { openat } from './at.ts';
import { AT_FDCWD, O_DIRECTORY, O_RDONLY } from './constants.ts';
import { close } from './files.ts';

/** A path or name as the native functions take it. */
export function text(value: string): Uint8Array {
  return Buffer.from(`${value}\0`);
}

/** Opens by path; for tests only, no error is expected. */
export function open(file: string, flags: number, mode = 0o644): number {
  const fd = openat(AT_FDCWD, text(file), 0, flags, mode);
  if (fd < 0) throw new Error(`open ${file}: errno ${-fd}`);
  return fd;
}

/** A folder that is removed after the tests of the file, with a descriptor of it. */
export function testFolder(): { dir: string; dirfd: number } {
  const dir = mkdtempSync(path.join(tmpdir(), 'aegisfs-sys-'));
  const dirfd = open(dir, O_RDONLY | O_DIRECTORY);
  afterAll(() => {
    close(dirfd);
    rmSync(dir, { recursive: true, force: true });
  });
  return { dir, dirfd };
}

/** The built addon, for plain JavaScript in other processes and threads. */
export const ADDON = fileURLToPath(new URL('../../build/Release/aegisfs.node', import.meta.url));

/**
 * Runs plain JavaScript, with the native functions as `sys`, in a process of its own.
 * @param args - become process.argv[1] and so on
 * @param wrapper - a command in front, such as `unshare -m`
 */
export function runScript(
  script: string,
  options: SpawnSyncOptions = {},
  args: string[] = [],
  wrapper: string[] = [],
): { status: number | null; signal: string | null; output: string } {
  const source = `const { sys } = require(${JSON.stringify(ADDON)}); const text = (s) => Buffer.from(s + '\\0');\n${script}`;
  const [program, ...rest] = [...wrapper, process.execPath, '-e', source, ...args] as [string, ...string[]];
  const result = spawnSync(program, rest, { stdio: ['ignore', 'pipe', 'inherit'], ...options, encoding: 'utf8' });
  return { status: result.status, signal: result.signal, output: result.stdout };
}
