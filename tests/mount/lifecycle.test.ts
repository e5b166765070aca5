import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Actor } from '../support/actor.ts';
import { fails } from '../support/errno.ts';
import { processesWith, statusField } from '../support/processes.ts';
import { aegisfs, init, Mount, mustRun, PASSWORD, run } from '../support/program.ts';
import { isMounted, mountsBelow, Sandbox, waitFor } from '../support/sandbox.ts';

let sandbox: Sandbox;
let vault: string;
let mountpoint: string;

beforeEach(() => {
  sandbox = new Sandbox();
  vault = sandbox.folder('vault');
  mountpoint = sandbox.folder('mountpoint');
  init(sandbox, aegisfs, vault, ['-aegis']);
});
afterEach(() => sandbox.remove());

/** A machine without a syslog service is told of once a level; that is no error here. */
function withoutSyslogNotice(text: string): string {
  return text.replace(/^SwitchToSyslog: .*\n/gm, '');
}

/** Mounts in the background, as a user would. */
function mountInBackground(options: readonly string[] = [], from = vault, at = mountpoint): void {
  mustRun(sandbox, aegisfs.command, ['-q', ...options, from, at], { input: `${PASSWORD}\n` });
}

function unmount(at = mountpoint): void {
  mustRun(sandbox, 'fusermount3', ['-u', at]);
  expect(isMounted(at)).toBe(false);
  expect(waitFor(() => processesWith(vault).length === 0, 5000)).toBe(true);
}

describe('a background mount', () => {
  it('is ready when the command returns, and leaves no process when it is unmounted', () => {
    for (let round = 0; round < 3; round++) {
      mountInBackground();
      fs.writeFileSync(`${mountpoint}/f${round}`, 'x');
      expect(processesWith(vault)).toHaveLength(1);
      expect(fs.readdirSync(mountpoint)).toHaveLength(round + 1);
      unmount();
    }
  });

  it('lets go of the terminal: a pipe behind it ends', () => {
    const line = `"$0" -q -passfile "$1" "$2" "$3" 2>&1 | cat`;
    const password = sandbox.file('password', PASSWORD);
    const result = run(sandbox, 'sh', ['-c', line, aegisfs.command, password, vault, mountpoint]);
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(withoutSyslogNotice(result.stdout)).toBe('');
    expect(isMounted(mountpoint)).toBe(true);
    unmount();
  });

  it('has a session and a working directory of its own', () => {
    mountInBackground();
    const [pid = 0] = processesWith(vault);
    const session = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[3];
    expect(session).toBe(String(pid));
    expect(fs.readlinkSync(`/proc/${pid}/cwd`)).toBe('/');
    const standard = [0, 1, 2].map((fd) => fs.readlinkSync(`/proc/${pid}/fd/${fd}`));
    expect(standard.filter((target) => target.startsWith(sandbox.dir))).toEqual([]);
    unmount();
  });

  it('cannot be looked into by a core dump', () => {
    mountInBackground();
    const [pid = 0] = processesWith(vault);
    expect(fs.readFileSync(`/proc/${pid}/limits`, 'utf8')).toMatch(/^Max core file size +0 /m);
    unmount();
  });

  it('serves two processes right away', () => {
    const actors = [new Actor(), new Actor()];
    mountInBackground();
    for (const [i, actor] of actors.entries()) actor.start('x.make_files', mountpoint, `a${i}-`, 50);
    expect(actors.map((actor) => actor.finish())).toEqual([0, 0]);
    expect(fs.readdirSync(mountpoint)).toHaveLength(100);
    for (const actor of actors) actor.end();
    unmount();
  });

  it('takes paths with commas and blanks, a link to the vault, and a relative path', () => {
    const odd = sandbox.folder('a, b');
    fs.symlinkSync('vault', `${sandbox.dir}/link`);
    mountInBackground([], `${sandbox.dir}/link`, odd);
    fs.writeFileSync(`${odd}/f`, 'x');
    unmount(odd);
    mustRun(sandbox, aegisfs.command, ['-q', 'link/', './mountpoint/.'], { input: PASSWORD, cwd: sandbox.dir });
    expect(fs.readFileSync(`${mountpoint}/f`, 'utf8')).toBe('x');
    unmount();
  });

  it('reads its configuration from a FIFO', () => {
    const fifo = path.join(sandbox.dir, 'fifo');
    mustRun(sandbox, 'mkfifo', [fifo]);
    const line = `cat "$2/gocryptfs.conf" > "$1" & exec "$0" -q -config "$1" "$2" "$3"`;
    mustRun(sandbox, 'sh', ['-c', line, aegisfs.command, fifo, vault, mountpoint], { input: PASSWORD });
    fs.writeFileSync(`${mountpoint}/f`, 'x');
    unmount();
  });

  it('serves a descriptor that somebody else has mounted', () => {
    const actor = new Actor();
    const args = [aegisfs.command, '-q', vault];
    const [code, output] = actor.run('x.serve_descriptor', mountpoint, args, `${PASSWORD}\n`) as [number, string];
    actor.end();
    expect({ code, output: withoutSyslogNotice(output) }).toEqual({ code: 0, output: '' });
    fs.writeFileSync(`${mountpoint}/f`, 'x');
    expect(fs.readFileSync(`${mountpoint}/f`, 'utf8')).toBe('x');
    expect(mountsBelow('/dev/fuse')).toEqual([]);
    mustRun(sandbox, 'umount', [mountpoint]);
    expect(waitFor(() => processesWith(vault).length === 0, 5000)).toBe(true);
  });
});

describe('a foreground mount', () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('unmounts and exits with 15 on %s', async (signal) => {
    const mount = new Mount(sandbox, aegisfs, vault);
    fs.writeFileSync(`${mount.root}/f`, 'x');
    mount.child.kill(signal);
    expect(await mount.ended()).toBe(15);
    expect(isMounted(mount.root)).toBe(false);
  });

  it('exits with 15 on SIGTERM while a file is open, and takes the mount away', async () => {
    const mount = new Mount(sandbox, aegisfs, vault);
    const fd = fs.openSync(`${mount.root}/f`, 'w');
    mount.child.kill('SIGTERM');
    expect(await mount.ended()).toBe(15);
    expect(isMounted(mount.root)).toBe(false);
    fails('ENOTCONN', () => fs.closeSync(fd));
  });

  it('exits with 0 when it is unmounted from outside, by either tool', async () => {
    for (const command of [['fusermount3', '-u'], ['umount']]) {
      const mount = new Mount(sandbox, aegisfs, vault);
      mustRun(sandbox, command[0] ?? '', [...command.slice(1), mount.root]);
      expect(await mount.ended()).toBe(0);
      expect(mount.complaints()).toBe('');
    }
  });

  it('tells a waiting process with SIGUSR1', async () => {
    const line = `trap 'echo ready; kill $! ; wait $!; exit 0' USR1; "$0" -fg -nosyslog -q -notifypid=$$ -passfile "$1" "$2" "$3" & wait $!; echo ended`;
    const password = sandbox.file('password', PASSWORD);
    expect(mustRun(sandbox, 'sh', ['-c', line, aegisfs.command, password, vault, mountpoint])).toBe('ready\n');
    expect(isMounted(mountpoint)).toBe(false);
  });

  it('serves with as many workers as AEGISFS_WORKERS says', async () => {
    const threads: number[] = [];
    for (const workers of ['1', '8']) {
      const mount = new Mount(sandbox, aegisfs, vault, [], { AEGISFS_WORKERS: workers });
      const count = () => fs.readdirSync(`/proc/${mount.pid}/task`).length;
      waitFor(() => count() > (threads[0] ?? Number.POSITIVE_INFINITY) + 6, 3000);
      threads.push(count());
      expect(await mount.unmount()).toBe(0);
    }
    expect((threads[1] ?? 0) - (threads[0] ?? 0), `${threads} threads`).toBe(7);
  });

  it('keeps its memory when many files have come and gone', async () => {
    const mount = new Mount(sandbox, aegisfs, vault);
    const round = (): number => {
      for (let i = 0; i < 2000; i++) fs.writeFileSync(`${mount.root}/${i}${'x'.repeat(i % 100)}`, String(i));
      for (const name of fs.readdirSync(mount.root)) fs.unlinkSync(`${mount.root}/${name}`);
      return statusField(mount.pid, 'VmRSS');
    };
    round();
    const before = round();
    for (let i = 0; i < 3; i++) round();
    const after = round();
    expect(await mount.unmount()).toBe(0);
    expect(after - before, 'KiB more after 8000 more files').toBeLessThan(40 * 1024);
  });
});

describe('mount options', () => {
  const shown = () => mountsBelow(mountpoint)[0];

  it('show type, source and protection', () => {
    mountInBackground();
    expect(shown()).toMatchObject({ type: 'fuse.gocryptfs', source: vault });
    expect(shown()?.options.split(',')).toEqual(expect.arrayContaining(['rw', 'nosuid', 'nodev', 'max_read=1048576']));
    unmount();
  });

  it('-ro refuses every change', () => {
    mountInBackground();
    fs.writeFileSync(`${mountpoint}/f`, 'x');
    unmount();
    mountInBackground(['-ro']);
    for (const change of [
      () => fs.writeFileSync(`${mountpoint}/g`, ''),
      () => fs.mkdirSync(`${mountpoint}/d`),
      () => fs.unlinkSync(`${mountpoint}/f`),
      () => fs.truncateSync(`${mountpoint}/f`),
      () => fs.chmodSync(`${mountpoint}/f`, 0o600),
    ]) {
      fails('EROFS', change);
    }
    expect(fs.readFileSync(`${mountpoint}/f`, 'utf8')).toBe('x');
    expect(shown()?.options).toMatch(/^ro,/);
    unmount();
  });

  it('-noexec, -allow_other, -fsname and -nonempty do what they say', () => {
    fs.writeFileSync(`${mountpoint}/hidden`, '');
    mountInBackground(['-noexec', '-allow_other', '-fsname', 'one,two', '-nonempty']);
    fs.writeFileSync(`${mountpoint}/script`, '#!/bin/sh\n', { mode: 0o755 });
    expect(spawnSync(`${mountpoint}/script`).error).toMatchObject({ code: 'EACCES' });
    expect(shown()?.source).toBe('one_two');
    expect(shown()?.options.split(',')).toEqual(expect.arrayContaining(['noexec', 'allow_other', 'default_permissions']));
    expect(fs.readdirSync(mountpoint)).toEqual(['script']);
    unmount();
  });

  it('an -o list at the end counts, as mount(8) writes it', () => {
    const password = sandbox.file('password', PASSWORD);
    mustRun(sandbox, aegisfs.command, [vault, mountpoint, '-o', `ro,nofail,quiet,passfile=${password},dev,suid`]);
    expect(shown()?.options).toMatch(/^ro,/);
    expect(shown()?.options).not.toMatch(/nodev|nosuid/);
    unmount();
  });
});
