/** The setuid program that mounts for ordinary users: fusermount3, or fusermount of older systems. Source: behaviour.md 5.2, 5.8. */
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';
import { errnoName } from '../../base/errno.ts';
import { close } from '../../sys/files.ts';
import { recvFd, socketpair } from '../../sys/mounts.ts';
import { helperOptions, type MountRequest } from './options.ts';

/** Descriptor number under which the helper finds its socket. */
const COMM_FD = 3;

/** What to do when no helper is installed. */
export const NO_HELPER =
  'neither fusermount3 nor fusermount was found in PATH or /bin: install FUSE (Debian: apt install fuse3), or mount as root';

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Finds a program in PATH, then in /bin (mount(8) calls without any PATH). @returns its path, or null */
export function findProgram(name: string, searchPath: string | undefined = process.env.PATH): string | null {
  // An empty entry would mean the working directory: never look there for a setuid program.
  const folders = (searchPath ?? '').split(':').filter((folder) => folder.startsWith('/'));
  for (const folder of [...folders, '/bin']) {
    const file = path.join(folder, name);
    if (isExecutable(file)) return file;
  }
  return null;
}

/** The helper to use. @returns its path, or null if none is installed */
export function findHelper(): string | null {
  return findProgram('fusermount3') ?? findProgram('fusermount');
}

function failure(helper: string, result: SpawnSyncReturns<unknown>): string | null {
  if (result.error !== undefined) return `${helper}: ${result.error.message}`;
  if (result.signal !== null) return `${helper} was ended by ${result.signal}`;
  return result.status === 0 ? null : `${helper} exited with status ${result.status}`;
}

/**
 * Lets the helper mount and receives the open device from it. What the helper prints goes to standard error.
 * @returns the descriptor of /dev/fuse, or the reason
 */
export function mountByHelper(request: MountRequest, helper: string): { fd: number } | { error: string } {
  const pair = socketpair();
  if (typeof pair === 'number') return { error: `socketpair: ${errnoName(pair)}` };
  const [own, theirs] = pair;
  const result = spawnSync(helper, ['-o', helperOptions(request, process.geteuid?.() === 0), '--', request.mountpoint], {
    stdio: ['ignore', 2, 2, theirs],
    env: { ...process.env, _FUSE_COMMFD: `${COMM_FD}` },
  });
  // Before receiving: with this end open a helper that sent nothing would be waited for without end.
  close(theirs);
  const error = failure(helper, result);
  const fd = error === null ? recvFd(own) : -1;
  close(own);
  if (error !== null) return { error };
  return fd < 0 ? { error: `${helper} handed over no descriptor: ${errnoName(fd)}` } : { fd };
}

/** Unmounts through the helper. @returns null, or what it said */
export function unmountByHelper(mountpoint: string, lazy: boolean): string | null {
  const helper = findHelper();
  if (helper === null) return NO_HELPER;
  const result = spawnSync(helper, ['-u', ...(lazy ? ['-z'] : []), '--', mountpoint], {
    stdio: ['ignore', 'pipe', 'pipe'],
    encoding: 'utf8',
  });
  const error = failure(helper, result);
  if (error === null) return null;
  const said = `${result.stdout ?? ''}${result.stderr ?? ''}`.trim();
  return said === '' ? error : said;
}

/**
 * True if `fusermount` is the one of libfuse 2, the only one that knows the option `nonempty` (behaviour.md 5.2).
 * @returns the answer, or why the program could not be asked
 */
export function isHelperVersion2(): boolean | { error: string } {
  const helper = findProgram('fusermount');
  if (helper === null) return { error: 'fusermount was not found in PATH or /bin' };
  const result = spawnSync(helper, ['-V'], { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
  const error = failure(helper, result);
  if (error !== null) return { error };
  return result.stdout.startsWith('fusermount version');
}
