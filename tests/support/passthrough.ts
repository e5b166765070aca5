import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { bundle } from '../fuse/build.mjs';
import { mustRun } from './program.ts';
import { type Sandbox, waitFor } from './sandbox.ts';

/** A folder served through our own FUSE server, whose answers can be delayed: a slow store to put a vault on. */
export class SlowFolder {
  readonly root: string;
  private readonly sandbox: Sandbox;
  private readonly child: ChildProcess;
  private readonly exited: Promise<unknown>;

  /** @param delays operations and milliseconds, for example "read=3000"; off until `toggle` is called */
  constructor(sandbox: Sandbox, source: string, ...delays: string[]) {
    this.sandbox = sandbox;
    this.root = sandbox.folder('slow');
    const out = path.join(sandbox.dir, 'slow.out');
    const log = fs.openSync(out, 'a');
    const args = [bundle('passthrough'), source, this.root, '--delays-off', ...delays.flatMap((delay) => ['--delay', delay])];
    this.child = spawn(process.execPath, args, { stdio: ['ignore', log, log] });
    this.exited = once(this.child, 'exit');
    fs.closeSync(log);
    if (!waitFor(() => fs.readFileSync(out, 'utf8').includes('ready'), 20_000)) {
      this.child.kill('SIGKILL');
      throw new Error(`the slow folder is not ready: ${fs.readFileSync(out, 'utf8')}`);
    }
  }

  /** Turns the delays on, or off again; requests that already sleep go on sleeping. */
  toggle(): void {
    this.child.kill('SIGUSR1');
  }

  async unmount(): Promise<void> {
    mustRun(this.sandbox, 'fusermount3', ['-u', this.root]);
    await this.exited;
  }
}
