/** Credentials of one thread. Only root can change them; the last test covers everybody else. */
import { chmodSync, chownSync, lstatSync, mkdirSync, readFileSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { Errno } from '../base/errno.ts';
import { mkdirat, openat } from './at.ts';
import { O_CREAT, O_DIRECTORY, O_EXCL, O_RDONLY, O_WRONLY } from './constants.ts';
import { close } from './files.ts';
import { restoreThreadCredentials, setThreadCredentials } from './identity.ts';
import { ADDON, open, runScript, testFolder, text } from './test-folder.ts';

const { dir } = testFolder();
const isRoot = process.getuid?.() === 0;
const USER = 65534;
const GROUP = 4242;

/** Every thread's effective user, as the kernel lists it. */
function effectiveUserOfThread(): number {
  return Number(/^Uid:\s+\d+\s+(\d+)/m.exec(readFileSync('/proc/thread-self/status', 'utf8'))![1]);
}

function groupsOfThread(): string {
  return /^Groups:[ \t]*(.*?)[ \t]*$/m.exec(readFileSync('/proc/thread-self/status', 'utf8'))![1]!;
}

/** A folder in which only members of GROUP may create. */
function groupFolder(name: string): number {
  mkdirSync(`${dir}/${name}`);
  if (isRoot) chownSync(`${dir}/${name}`, 0, GROUP);
  chmodSync(`${dir}/${name}`, 0o770);
  return open(`${dir}/${name}`, O_RDONLY | O_DIRECTORY);
}

/** Runs `work` as the user and comes back. */
function asUser<T>(groups: number[], work: () => T): T {
  expect(setThreadCredentials(USER, USER, Uint32Array.from(groups), groups.length)).toBe(0);
  try {
    return work();
  } finally {
    expect(restoreThreadCredentials()).toBe(0);
  }
}

describe.runIf(isRoot)('as root', () => {
  it('a supplementary group alone gives the right to create; owner and group are the user’s', () => {
    const fd = groupFolder('by-group');
    const groupsBefore = groupsOfThread();
    const made = asUser([1, GROUP, 7], () => {
      expect(effectiveUserOfThread()).toBe(USER);
      expect(groupsOfThread()).toBe(`1 7 ${GROUP}`);
      return openat(fd, text('file'), 0, O_CREAT | O_EXCL | O_WRONLY, 0o644);
    });
    expect(made).toBeGreaterThanOrEqual(0);
    close(made);
    expect(lstatSync(`${dir}/by-group/file`)).toMatchObject({ uid: USER, gid: USER });
    expect(asUser([1, 7], () => mkdirat(fd, text('folder'), 0, 0o755))).toBe(-Errno.EACCES);
    expect(asUser([], () => mkdirat(fd, text('folder'), 0, 0o755))).toBe(-Errno.EACCES);
    expect(effectiveUserOfThread()).toBe(0);
    expect(groupsOfThread()).toBe(groupsBefore);
    expect(mkdirat(fd, text('folder'), 0, 0o755)).toBe(0);
    expect(lstatSync(`${dir}/by-group/folder`)).toMatchObject({ uid: 0, gid: 0 });
    close(fd);
  });

  it('root of another group keeps nothing of the first user', () => {
    asUser([GROUP], () => undefined);
    asUser([], () => {
      expect(groupsOfThread()).toBe('');
    });
  });

  it('another thread is not affected', async () => {
    mkdirSync(`${dir}/threads`, { mode: 0o755 });
    chmodSync(`${dir}/threads`, 0o777);
    const fd = open(`${dir}/threads`, O_RDONLY | O_DIRECTORY);
    const state = new Int32Array(new SharedArrayBuffer(8));
    // The worker creates one file as itself while this thread is the user, then one as another user while this thread is root.
    const worker = new Worker(
      `const { workerData } = require('node:worker_threads');
       const { sys } = require(workerData.addon);
       const text = (s) => Buffer.from(s + '\\0');
       const step = (n) => { Atomics.store(workerData.state, 0, n); Atomics.notify(workerData.state, 0); };
       const until = (n) => { while (Atomics.load(workerData.state, 0) < n) Atomics.wait(workerData.state, 0, Atomics.load(workerData.state, 0), 1000); };
       step(1); until(2);
       sys.mkdirat(workerData.fd, text('worker-root'), 0, 0o755);
       step(3); until(4);
       sys.setThreadCredentials(1234, 1235, new Uint32Array(0), 0);
       step(5); until(6);
       sys.mkdirat(workerData.fd, text('worker-user'), 0, 0o755);
       sys.restoreThreadCredentials();
       step(7);`,
      { eval: true, workerData: { addon: ADDON, fd, state } },
    );
    const ended = new Promise((resolve, reject) => worker.on('exit', resolve).on('error', reject));
    const step = (n: number) => {
      Atomics.store(state, 0, n);
      Atomics.notify(state, 0);
    };
    const until = async (n: number) => {
      while (Atomics.load(state, 0) < n) await new Promise((resolve) => setTimeout(resolve, 1));
    };
    const untilBlocking = (n: number) => {
      while (Atomics.load(state, 0) < n) Atomics.wait(state, 0, Atomics.load(state, 0), 1000);
    };
    await until(1);
    asUser([], () => {
      step(2);
      untilBlocking(3);
      expect(mkdirat(fd, text('main-user'), 0, 0o755)).toBe(0);
    });
    step(4);
    await until(5);
    expect(effectiveUserOfThread()).toBe(0);
    expect(mkdirat(fd, text('main-root'), 0, 0o755)).toBe(0);
    step(6);
    await ended;
    const owner = (name: string) => {
      const { uid, gid } = lstatSync(`${dir}/threads/${name}`);
      return [uid, gid];
    };
    expect(owner('worker-root')).toEqual([0, 0]);
    expect(owner('main-user')).toEqual([USER, USER]);
    expect(owner('main-root')).toEqual([0, 0]);
    expect(owner('worker-user')).toEqual([1234, 1235]);
    close(fd);
  });

  it('attributes can be set as the user even when the process is not dumpable', () => {
    mkdirSync(`${dir}/undumpable`);
    chownSync(`${dir}/undumpable`, USER, USER);
    const result = runScript(
      `sys.setUndumpable();
       const dirfd = sys.openat(-100, text(process.argv[1]), 0, 0, 0);
       sys.setThreadCredentials(${USER}, ${USER}, new Uint32Array(0), 0);
       const fd = sys.openat(dirfd, text('file'), 0, 0o101, 0o600);
       const set = sys.lsetxattrat(dirfd, text('file'), 0, text('user.x'), 0, Buffer.from('abc'), 0, 3, 0);
       const got = sys.lgetxattrat(dirfd, text('file'), 0, text('user.x'), 0, Buffer.alloc(9), 0, 9);
       const chmod = sys.fchmodatNofollow(dirfd, text('file'), 0, 0o644);
       const restored = sys.restoreThreadCredentials();
       process.stdout.write([fd > 0, set, got, chmod, restored, process.geteuid()].join());`,
      {},
      [`${dir}/undumpable`],
    );
    expect(result.output).toBe('true,0,3,0,0,0');
  });

  it('a process that started with groups of its own gets them back', () => {
    const script = `sys.setThreadCredentials(5, 6, Uint32Array.of(9), 1); sys.restoreThreadCredentials();
       process.stdout.write(JSON.stringify([process.geteuid(), process.getegid(), process.getgroups().sort((a, b) => a - b)]));`;
    const outer = `process.setgroups([11, 12]); process.setegid(13);
       require('node:child_process').spawnSync(process.execPath, ['-e', ${JSON.stringify(`const { sys } = require(${JSON.stringify(ADDON)});${script}`)}], { stdio: 'inherit' });`;
    const result = runScript(outer, { stdio: ['ignore', 'pipe', 'inherit'] });
    expect(JSON.parse(result.output)).toEqual([0, 13, expect.arrayContaining([11, 12])]);
  });
});

it('an ordinary user cannot change anything', () => {
  const options = isRoot ? { uid: USER, gid: USER } : {};
  const result = runScript(
    `const before = process.getgroups().join();
     const error = sys.setThreadCredentials(1, 1, new Uint32Array(0), 0);
     process.stdout.write([error, process.getgroups().join() === before, process.geteuid()].join());`,
    options,
  );
  const user = isRoot ? USER : process.getuid?.();
  expect(result.output).toBe(`${-Errno.EPERM},true,${user}`);
});
