import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { getSystemErrorName } from 'node:util';

const SCRIPT = path.join(path.dirname(fileURLToPath(import.meta.url)), 'actor.py');
/** The distribution's Python, if it is there: a version manager's shim costs 0.1 s a start. */
export const PYTHON = fs.existsSync('/usr/bin/python3') ? '/usr/bin/python3' : 'python3';

/** What an actor's call may be given: bytes travel as they are. */
export type Argument = string | number | boolean | null | Uint8Array | readonly Argument[];

/** Attributes as Python's os.stat reports them; sizes in bytes, times as decimal text in nanoseconds. */
export interface StatResult {
  st_mode: number;
  st_ino: number;
  st_dev: number;
  st_nlink: number;
  st_uid: number;
  st_gid: number;
  st_rdev: number;
  st_size: number;
  st_blocks: number;
  st_blksize: number;
  st_mtime_ns: string;
  st_atime_ns: string;
  st_ctime_ns: string;
}

/** A directory entry as readdir(3) gives it; `behind` is the position after it. */
export interface Entry {
  name: string;
  ino: number;
  type: number;
  /** As decimal text: it uses all 63 bits. */
  behind: string;
}

/** A failed call; `code` is the symbolic errno, as in Node's own errors. */
export class CallError extends Error {
  readonly code: string;
  constructor(call: string, code: string) {
    super(`${code}: ${call}`);
    this.code = code;
  }
}

interface Answer {
  r?: unknown;
  e?: number;
  x?: string;
}

function encode(value: Argument): unknown {
  if (value instanceof Uint8Array) return { b: Buffer.from(value).toString('base64') };
  return Array.isArray(value) ? value.map(encode) : value;
}

function decodeBytes(value: unknown): Buffer {
  const text = (value as { b?: string } | null)?.b;
  if (text === undefined) throw new Error(`expected bytes, got ${JSON.stringify(value)}`);
  return Buffer.from(text, 'base64');
}

/**
 * Another process that makes file calls for a test, one at a time and synchronously (see actor.py): another user, another lock owner,
 * or simply a call that Node lacks. `start` and `finish` are the two halves of a call, for work of several actors at the same time.
 */
export class Actor {
  readonly child: ChildProcess;
  private readonly toChild: number;
  private readonly fromChild: number;
  private readonly chunk = Buffer.alloc(65536);
  private pending: string | null = null;
  private text = '';

  /** @param prelude shell commands before the helper starts, in a mount namespace of its own */
  constructor(prelude?: string) {
    const dir = fs.mkdtempSync(path.join(os.tmpdir(), 'aegisfs-actor-'));
    const requests = path.join(dir, 'requests');
    const answers = path.join(dir, 'answers');
    try {
      if (spawnSync('mkfifo', [requests, answers]).status !== 0) throw new Error('mkfifo failed');
      // FIFOs instead of pipes: Node can use them synchronously.
      const shell = ['sh', '-c', `${prelude ?? ':'} && exec "$0" "$1" <"$2" >"$3"`, PYTHON, SCRIPT, requests, answers];
      const [command = '', ...args] = prelude === undefined ? shell : ['unshare', '-m', ...shell];
      this.child = spawn(command, args, { stdio: 'inherit', cwd: '/' });
      this.toChild = fs.openSync(requests, 'w');
      this.fromChild = fs.openSync(answers, 'r');
    } finally {
      fs.rmSync(dir, { recursive: true });
    }
  }

  start(call: string, ...args: Argument[]): void {
    if (this.pending !== null) throw new Error(`${this.pending} has not been finished`);
    this.pending = call;
    fs.writeSync(this.toChild, `${JSON.stringify({ f: call, a: args.map(encode) })}\n`);
  }

  finish(): unknown {
    const call = this.pending ?? '';
    while (!this.text.endsWith('\n')) {
      const n = fs.readSync(this.fromChild, this.chunk);
      if (n === 0) throw new Error(`${call}: the helper process has ended; a call that hangs is ended after 90 s`);
      this.text += this.chunk.toString('utf8', 0, n);
    }
    const answer = JSON.parse(this.text) as Answer;
    this.text = '';
    this.pending = null;
    if (answer.e !== undefined) throw new CallError(call, getSystemErrorName(-answer.e));
    if (answer.x !== undefined) throw new Error(`${call}: ${answer.x}`);
    return answer.r;
  }

  /** Makes one call, for example `run('os.lchown', path, 1, 2)`. Throws CallError with the errno. */
  run(call: string, ...args: Argument[]): unknown {
    this.start(call, ...args);
    return this.finish();
  }

  number(call: string, ...args: Argument[]): number {
    return Number(this.run(call, ...args));
  }

  bytes(call: string, ...args: Argument[]): Buffer {
    this.start(call, ...args);
    return this.finishBytes();
  }

  finishBytes(): Buffer {
    return decodeBytes(this.finish());
  }

  strings(call: string, ...args: Argument[]): string[] {
    return (this.run(call, ...args) as string[]).sort();
  }

  stat(call: 'os.stat' | 'os.lstat' | 'os.fstat', target: string | number): StatResult {
    return this.run(call, target) as StatResult;
  }

  /** Up to `count` entries of a stream opened with x.opendir. */
  entries(stream: number, count: number): Entry[] {
    const rows = this.run('x.readdir', stream, count) as [unknown, number, number, string][];
    return rows.map(([name, ino, type, behind]) => ({ name: decodeBytes(name).toString('utf8'), ino, type, behind }));
  }

  /** Ends the process and waits until it has: what it held open is closed then. */
  end(): void {
    fs.closeSync(this.toChild);
    while (fs.readSync(this.fromChild, this.chunk) > 0);
    fs.closeSync(this.fromChild);
  }
}
