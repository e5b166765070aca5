import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { isMounted, type Sandbox, waitFor } from './sandbox.ts';

/** Root of the repository. */
export const ROOT = path.join(path.dirname(fileURLToPath(import.meta.url)), '..', '..');
export const PASSWORD = 'correct horse';
/** Longest time a command may take in a test, milliseconds. */
const COMMAND_LIMIT = 60_000;

/** A program with gocryptfs's command line. */
export interface Program {
  readonly name: string;
  readonly command: string;
}

/** AEGISFS_PROGRAM names another program to try the suites on. */
export const aegisfs: Program = { name: 'aegisfs', command: process.env.AEGISFS_PROGRAM ?? path.join(ROOT, 'aegisfs') };
/** The distribution's gocryptfs: what our vaults must be exchangeable with. Its absence is a failure, never a skip. */
export const gocryptfs: Program = { name: 'gocryptfs', command: 'gocryptfs' };

/** What a finished command left. `code` is −1 if it was ended by a signal or did not end in time. */
export interface Finished {
  code: number;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  input?: string;
  env?: Record<string, string>;
  cwd?: string;
}

/**
 * Runs a command to its end. Its output goes to files, not to pipes: a program that stays in the background would hold a pipe open.
 */
export function run(sandbox: Sandbox, command: string, args: readonly string[], options: RunOptions = {}): Finished {
  const out = path.join(sandbox.dir, 'command.out');
  const err = path.join(sandbox.dir, 'command.err');
  const files = [fs.openSync(out, 'w'), fs.openSync(err, 'w')] as const;
  try {
    const result = spawnSync(command, args, {
      stdio: [options.input === undefined ? 'ignore' : 'pipe', ...files],
      timeout: COMMAND_LIMIT,
      killSignal: 'SIGKILL',
      env: { ...process.env, ...options.env },
      ...(options.input === undefined ? {} : { input: options.input }),
      ...(options.cwd === undefined ? {} : { cwd: options.cwd }),
    });
    if (result.error && (result.error as NodeJS.ErrnoException).code !== 'ETIMEDOUT') throw result.error;
    return { code: result.status ?? -1, stdout: fs.readFileSync(out, 'utf8'), stderr: fs.readFileSync(err, 'utf8') };
  } finally {
    for (const fd of files) fs.closeSync(fd);
  }
}

/** `run` for commands that must succeed. @returns standard output */
export function mustRun(sandbox: Sandbox, command: string, args: readonly string[], options: RunOptions = {}): string {
  const result = run(sandbox, command, args, options);
  if (result.code !== 0) throw new Error(`${command} ${args.join(' ')}: exit ${result.code}\n${result.stdout}${result.stderr}`);
  return result.stdout;
}

/** Makes a vault with cheap key stretching. */
export function init(sandbox: Sandbox, program: Program, vault: string, options: readonly string[] = []): void {
  mustRun(sandbox, program.command, ['-init', '-q', '-scryptn', '10', ...options, vault], { input: `${PASSWORD}\n` });
}

/** A mounted vault, served in the foreground so that its process can be watched. */
export class Mount {
  readonly root: string;
  readonly vault: string;
  readonly child: ChildProcess;
  /** Descriptors held when the program reported readiness. */
  readonly descriptorsAtReadiness: number;
  private readonly out: string;
  private readonly err: string;
  private readonly exited: Promise<unknown>;

  constructor(sandbox: Sandbox, program: Program, vault: string, options: readonly string[] = [], env: Record<string, string> = {}) {
    const number = fs.readdirSync(sandbox.dir).length;
    this.vault = vault;
    this.root = sandbox.folder(`mount${number}`);
    this.out = path.join(sandbox.dir, `mount${number}.out`);
    this.err = path.join(sandbox.dir, `mount${number}.err`);
    const password = sandbox.file(`mount${number}.password`, `${PASSWORD}\n`);
    const files = [fs.openSync(this.out, 'a'), fs.openSync(this.err, 'a')] as const;
    const args = ['-fg', '-nosyslog', '-passfile', password, ...options, vault, this.root];
    this.child = spawn(program.command, args, { stdio: ['ignore', ...files], env: { ...process.env, ...env }, cwd: '/' });
    this.exited = once(this.child, 'exit');
    for (const fd of files) fs.closeSync(fd);
    const ready = waitFor(() => this.output().includes('Filesystem mounted and ready.') || !this.isAlive(), 30_000);
    if (!ready || !isMounted(this.root)) {
      this.child.kill('SIGKILL');
      throw new Error(`${program.name} ${args.join(' ')} did not mount:\n${this.output()}${this.complaints()}`);
    }
    this.descriptorsAtReadiness = this.descriptors();
  }

  output(): string {
    return fs.readFileSync(this.out, 'utf8');
  }

  /** What the program has written to standard error: warnings and fatal errors. The notices of the original's FUSE library do not count. */
  complaints(): string {
    return fs.readFileSync(this.err, 'utf8').replace(/^(go-fuse: |[\d:.]+ Unimplemented opcode ).*\n/gm, '');
  }

  forgetComplaints(): void {
    fs.truncateSync(this.err);
  }

  get pid(): number {
    return this.child.pid ?? 0;
  }

  /** False also for a process that has ended but has not been waited for. */
  isAlive(): boolean {
    try {
      return !/^State:\s+[ZX]/m.test(fs.readFileSync(`/proc/${this.pid}/status`, 'utf8'));
    } catch {
      return false;
    }
  }

  /** Open descriptors of the serving process without pipes, epoll and pidfd, which behaviour.md 5.10 does not count. */
  descriptors(): number {
    let count = 0;
    for (const fd of fs.readdirSync(`/proc/${this.pid}/fd`)) {
      try {
        const target = fs.readlinkSync(`/proc/${this.pid}/fd/${fd}`);
        if (!/^(pipe:|anon_inode:\[(eventpoll|eventfd|pidfd|io_uring)\])/.test(target)) count++;
      } catch {
        // closed meanwhile
      }
    }
    return count;
  }

  /** Unmounts and waits for the end of the process. @returns its exit code */
  async unmount(): Promise<number> {
    const result = spawnSync('fusermount3', ['-u', this.root]);
    if (result.status !== 0 && isMounted(this.root)) {
      spawnSync('umount', ['-l', this.root]);
      throw new Error(`unmounting ${this.root}: ${result.stderr}`);
    }
    return this.ended();
  }

  /** Waits for the end of the process; kills it after 15 s. @returns its exit code, −1 if it had to be killed */
  async ended(): Promise<number> {
    const timer = setTimeout(() => this.child.kill('SIGKILL'), 15_000);
    await this.exited;
    clearTimeout(timer);
    return this.child.exitCode ?? -1;
  }
}
