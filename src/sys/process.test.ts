import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { Errno } from '../base/errno.ts';
import { getNofile, getppid, kill, umask } from './process.ts';
import { ADDON, runScript, testFolder } from './test-folder.ts';

const { dir } = testFolder();
const ESRCH = 3;

function limits(name: string, text: string): string[] {
  return new RegExp(`^${name}\\s+(\\S+)\\s+(\\S+)`, 'm').exec(text)!.slice(1);
}

describe('the own process', () => {
  it('umask returns the old mask', () => {
    const before = umask(0o027);
    expect(process.umask()).toBe(0o027);
    expect(umask(before)).toBe(0o027);
    expect(process.umask()).toBe(before);
  });

  it('getppid, and kill with signal 0', () => {
    expect(getppid()).toBe(process.ppid);
    expect(kill(process.pid, 0)).toBe(0);
    expect(kill(2 ** 22 + 1, 0)).toBe(-ESRCH);
    expect(kill(process.pid, 999)).toBe(-Errno.EINVAL);
  });

  it('getNofile agrees with /proc', () => {
    const expected = limits('Max open files', readFileSync('/proc/self/limits', 'utf8'));
    expect(getNofile().map((limit) => (limit === Number.POSITIVE_INFINITY ? 'unlimited' : `${limit}`))).toEqual(expected);
  });
});

describe('in a process of its own', () => {
  it('setNofile moves the soft limit and keeps the hard one', () => {
    const { output } = runScript(
      `const [soft, hard] = sys.getNofile();
       const results = [sys.setNofile(64), sys.getNofile()[0], sys.getNofile()[1] === hard, sys.setNofile(-1), sys.setNofile(NaN)];
       process.stdout.write(results.join());`,
    );
    expect(output).toBe(`0,64,true,${-Errno.EINVAL},${-Errno.EINVAL}`);
  });

  it('setsid starts a session once', () => {
    const { output } = runScript('process.stdout.write([sys.setsid() === process.pid, sys.setsid()].join());');
    expect(output).toBe(`true,${-Errno.EPERM}`);
  });

  it('kill sends', () => {
    expect(runScript('sys.kill(process.pid, 15); for (;;) ;').signal).toBe('SIGTERM');
  });

  it('setUndumpable: no core file, and /proc entries belong to root', () => {
    const isRoot = process.getuid?.() === 0;
    const { output } = runScript(
      `const fs = require('node:fs');
       const before = fs.statSync('/proc/self/environ').uid;
       const result = sys.setUndumpable();
       const core = /Max core file size +(\\S+) +(\\S+)/.exec(fs.readFileSync('/proc/self/limits', 'utf8'));
       process.stdout.write([before === process.getuid(), result, fs.statSync('/proc/self/environ').uid, core[1], core[2]].join());`,
      isRoot ? { uid: 65534, gid: 65534 } : {},
    );
    expect(output).toBe('true,0,0,0,0');
  });

  it('exitNow ends the process from a worker while the main thread waits', () => {
    const { status } = runScript(
      `const { Worker } = require('node:worker_threads');
       new Worker('require(' + ${JSON.stringify(JSON.stringify(ADDON))} + ').sys.exitNow(7)', { eval: true });
       process.on('exit', () => process._rawDebug('not reached'));
       Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20000);`,
    );
    expect(status).toBe(7);
  });

  it('execve becomes another program with its environment and default signals', () => {
    const { output, status } = runScript(
      `sys.execve('/bin/sh', ['own-name', '-c', 'echo "$0 $A:$HOME"; grep SigIgn /proc/$$/status; exit 5'], ['A=b=c', 'PATH=/usr/bin:/bin']);`,
    );
    expect(status).toBe(5);
    const [first, ignored] = output.split('\n');
    expect(first).toBe('own-name b=c:');
    expect(BigInt(`0x${ignored!.split(/\s+/)[1]}`) & (1n << 12n)).toBe(0n);
  });

  it('execve returns on failure and checks its lists', () => {
    const { output } = runScript(
      `const attempt = (f) => { try { return f(); } catch (error) { return error.name; } };
       process.stdout.write([
         attempt(() => sys.execve(${JSON.stringify(`${dir}/absent`)}, ['x'], [])),
         attempt(() => sys.execve('/bin/true', 'x', [])),
         attempt(() => sys.execve('/bin/true', ['x', 5], [])),
         attempt(() => sys.execve('/bin/true', ['x'], ['a\\0b'])),
       ].join());`,
    );
    expect(output).toBe(`${-Errno.ENOENT},TypeError,TypeError,RangeError`);
  });
});

it('the addon loads in many threads and after they have ended', () => {
  const script = `const { Worker } = require('node:worker_threads');
    let ended = 0;
    const start = (rest) => {
      const worker = new Worker('const { sys, abi } = require(' + ${JSON.stringify(JSON.stringify(ADDON))} + '); process.exitCode = sys.getppid() > 0 && abi > 0 ? 1 : 99', { eval: true });
      worker.on('exit', (code) => { ended += code; if (rest > 0) start(rest - 1); });
    };
    for (let i = 0; i < 4; i++) start(4);
    process.on('exit', () => { process.exitCode = ended; });`;
  expect(spawnSync(process.execPath, ['-e', script], { stdio: 'inherit' }).status).toBe(20);
});
