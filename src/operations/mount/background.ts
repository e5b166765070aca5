/** The waiting half of a background mount (behaviour.md 5.4). Loads nothing but Node, so that the other half starts at once. */
import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import { AegisError } from '../../base/errors.ts';

/** Exit code if a signal ended the child. */
const KILLED_BY_SIGNAL = 255;
const FIRST_EXTRA_FD = 3;

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
  const targets = new Map<number, string>();
  const uses = new Map<string, number>();
  let names: string[];
  try {
    names = fs.readdirSync('/proc/self/fd');
  } catch {
    return [];
  }
  for (const name of names) {
    try {
      const target = fs.readlinkSync(`/proc/self/fd/${name}`);
      targets.set(Number(name), target);
      uses.set(target, (uses.get(target) ?? 0) + 1);
    } catch {
      // The descriptor that listed the directory is gone again.
    }
  }
  const extra = [...targets].filter(([fd, target]) => {
    const isRuntime = target.startsWith('anon_inode:') || (target.startsWith('pipe:') && (uses.get(target) ?? 0) > 1);
    return fd >= FIRST_EXTRA_FD && !isRuntime;
  });
  return extra.map(([fd]) => fd).sort((a, b) => a - b);
}
