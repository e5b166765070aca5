/** The waiting half of a background mount (behaviour.md 5.4). Loads nothing but Node, so that the other half starts at once. */
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import { AegisError } from '../../base/errors.ts';

/** Exit code if a signal ended the child. */
const KILLED_BY_SIGNAL = 255;
const FIRST_EXTRA_FD = 3;
/** Access mode bits of open flags (asm-generic/fcntl.h). */
const O_ACCMODE = 3;

/** How to start the same program again. */
export interface SelfCommand {
  /** The node binary, its options and the script. */
  readonly file: string;
  readonly args: readonly string[];
  readonly env: NodeJS.ProcessEnv;
}

/**
 * Starts the same program in the foreground mode with a request to signal this process, and waits.
 * @param argv the original words, without the program
 * @returns 0 once the child reports a working mount, else the child's exit code
 * @throws AegisError `fork-child`
 */
export function mountInBackground(self: SelfCommand, argv: readonly string[]): Promise<number> {
  return new Promise((resolve, reject) => {
    process.on('SIGUSR1', () => resolve(0));
    const args = [...self.args, '-fg', `-notifypid=${process.pid}`, ...argv];
    const fail = (error: Error): void => reject(new AegisError('fork-child', `forkChild: starting ${self.file} failed: ${error.message}`));
    let child: ChildProcess;
    try {
      child = spawn(self.file, args, { stdio: inheritedStdio(), env: self.env });
    } catch (error) {
      fail(error as Error);
      return;
    }
    child.on('error', fail);
    child.on('exit', (code) => resolve(code ?? KILLED_BY_SIGNAL));
  });
}

/** Every descriptor that this process was started with, under its own number; a config file may be /dev/fd/63. */
function inheritedStdio(): (number | 'ignore')[] {
  const stdio: (number | 'ignore')[] = [0, 1, 2];
  for (const fd of inheritedDescriptors()) {
    while (stdio.length < fd) {
      stdio.push('ignore');
    }
    stdio[fd] = fd;
  }
  return stdio;
}

/**
 * Descriptors from 3 up that do not belong to the Node runtime: it opens event descriptors, and pipes of which it holds both ends.
 * The runtime marks all descriptors close-on-exec at start, so the mark does not tell them apart.
 */
function inheritedDescriptors(): number[] {
  const open = openDescriptors();
  const written = new Set(open.filter(({ canWrite }) => canWrite).map(({ target }) => target));
  const read = new Set(open.filter(({ canWrite }) => !canWrite).map(({ target }) => target));
  const isRuntime = (target: string): boolean =>
    target.startsWith('anon_inode:') || (target.startsWith('pipe:') && written.has(target) && read.has(target));
  const extra = open.filter(({ fd, target }) => fd >= FIRST_EXTRA_FD && !isRuntime(target));
  return extra.map(({ fd }) => fd).sort((a, b) => a - b);
}

interface OpenDescriptor {
  readonly fd: number;
  /** What it is open on, e.g. `pipe:[4711]`. */
  readonly target: string;
  readonly canWrite: boolean;
}

function openDescriptors(): OpenDescriptor[] {
  const result: OpenDescriptor[] = [];
  try {
    for (const name of fs.readdirSync('/proc/self/fd')) {
      const descriptor = describe(name);
      if (descriptor !== undefined) {
        result.push(descriptor);
      }
    }
  } catch {
    // Without /proc only the standard descriptors are passed on.
  }
  return result;
}

/** Undefined for the descriptor that listed the directory, which is gone again. */
function describe(name: string): OpenDescriptor | undefined {
  try {
    const target = fs.readlinkSync(`/proc/self/fd/${name}`);
    const flags = /^flags:\s*([0-7]+)/m.exec(fs.readFileSync(`/proc/self/fdinfo/${name}`, 'utf8'))?.[1] ?? '0';
    return { fd: Number(name), target, canWrite: (Number.parseInt(flags, 8) & O_ACCMODE) !== fs.constants.O_RDONLY };
  } catch {
    return undefined;
  }
}
