import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { processesWith } from '../support/processes.ts';
import { aegisfs, init, Mount, mustRun, PASSWORD, run } from '../support/program.ts';
import { Sandbox, waitFor } from '../support/sandbox.ts';
import { encrypt } from './client.ts';

let sandbox: Sandbox;
let vault: string;
let socket: string;
let mountpoint: string;

beforeEach(() => {
  sandbox = new Sandbox();
  vault = sandbox.folder('vault');
  mountpoint = sandbox.folder('mountpoint');
  socket = path.join(sandbox.dir, 'socket');
  init(sandbox, aegisfs, vault, ['-aegis']);
});
afterEach(() => sandbox.remove());

/** Tries to mount in the foreground with a control socket; for mounts that fail. */
function tryMount(input: string, options: readonly string[] = [], at = socket) {
  return run(sandbox, aegisfs.command, ['-fg', '-q', '-nosyslog', '-ctlsock', at, ...options, vault, mountpoint], { input });
}

describe('the control socket is gone', () => {
  it('after the filesystem was unmounted', async () => {
    const mount = new Mount(sandbox, aegisfs, vault, ['-ctlsock', socket]);
    expect(fs.statSync(socket).isSocket()).toBe(true);
    expect(await mount.unmount()).toBe(0);
    expect(fs.existsSync(socket)).toBe(false);
    expect(mount.complaints()).toBe('');
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('after %s, even if a file is open', async (signal) => {
    const mount = new Mount(sandbox, aegisfs, vault, ['-ctlsock', socket]);
    const fd = fs.openSync(`${mount.root}/f`, 'w');
    mount.child.kill(signal);
    expect(await mount.ended()).toBe(15);
    expect(fs.existsSync(socket)).toBe(false);
    expect(() => fs.closeSync(fd)).toThrow();
  });

  it('after an idle filesystem was unmounted', async () => {
    const mount = new Mount(sandbox, aegisfs, vault, ['-ctlsock', socket, '-i', '100ms']);
    expect(await mount.ended()).toBe(0);
    expect(fs.existsSync(socket)).toBe(false);
  });

  it('after every failure to mount', () => {
    expect(tryMount('wrong\n')).toMatchObject({ code: 12, stderr: expect.stringContaining('Password incorrect.') });
    expect(fs.existsSync(socket)).toBe(false);
    expect(tryMount('\n').code).toBe(9);
    expect(tryMount('', ['-masterkey', 'x']).code).toBe(14);
    expect(tryMount(`${PASSWORD}\n`, ['-ko', 'no-such-option']).code).toBe(19);
    fs.writeFileSync(`${vault}/gocryptfs.conf`, '{');
    expect(tryMount(`${PASSWORD}\n`).code).toBe(11);
    expect(fs.existsSync(socket)).toBe(false);
  });
});

describe('the control socket', () => {
  it('serves a background mount, under a relative path too', async () => {
    mustRun(sandbox, aegisfs.command, ['-q', '-ctlsock', './socket', vault, mountpoint], { input: PASSWORD, cwd: sandbox.dir });
    fs.writeFileSync(`${mountpoint}/f`, 'x');
    const { Result } = await encrypt(socket, 'f');
    expect(fs.existsSync(`${vault}/${Result}`)).toBe(true);
    mustRun(sandbox, 'fusermount3', ['-u', mountpoint]);
    expect(waitFor(() => processesWith(vault).length === 0, 5000)).toBe(true);
    expect(fs.existsSync(socket)).toBe(false);
  });

  it('is made before the password is asked for, and answers once it was given', async () => {
    const args = ['-fg', '-q', '-nosyslog', '-ctlsock', socket, vault, mountpoint];
    const child = spawn(aegisfs.command, args, { stdio: ['pipe', 'ignore', 'ignore'] });
    const exited = once(child, 'exit');
    try {
      expect(waitFor(() => fs.existsSync(socket), 10_000)).toBe(true);
      const answer = encrypt(socket, 'f');
      child.stdin.write(`${PASSWORD}\n`);
      expect(await answer).toMatchObject({ ErrNo: 0 });
      child.kill('SIGTERM');
    } finally {
      setTimeout(() => child.kill('SIGKILL'), 10_000).unref();
      await exited;
    }
    expect(fs.existsSync(socket)).toBe(false);
  });

  it('takes the place of one that was left behind', async () => {
    const first = new Mount(sandbox, aegisfs, vault, ['-ctlsock', socket]);
    first.child.kill('SIGKILL');
    await first.ended();
    mustRun(sandbox, 'umount', ['-l', first.root]);
    expect(fs.existsSync(socket)).toBe(true);
    const second = new Mount(sandbox, aegisfs, vault, ['-ctlsock', socket]);
    expect(second.output()).toContain(`ctlsock: deleting orphaned socket file "${socket}"\n`);
    expect(await encrypt(socket, 'f')).toMatchObject({ ErrNo: 0 });
    expect(await second.unmount()).toBe(0);
  });

  it('leaves one that is in use, and every other file', async () => {
    const mount = new Mount(sandbox, aegisfs, vault, ['-ctlsock', socket]);
    const refused = (at: string, detail: string) => ({ code: 20, stdout: '', stderr: `ctlsock: listen unix ${at}: bind: ${detail}\n` });
    expect(tryMount(`${PASSWORD}\n`)).toEqual(refused(socket, 'address already in use'));
    expect(await encrypt(socket, 'f')).toMatchObject({ ErrNo: 0 });
    const file = sandbox.file('file', 'precious');
    expect(tryMount(`${PASSWORD}\n`, [], file)).toEqual(refused(file, 'address already in use'));
    expect(fs.readFileSync(file, 'utf8')).toBe('precious');
    const nowhere = path.join(sandbox.dir, 'nowhere', 'socket');
    expect(tryMount(`${PASSWORD}\n`, [], nowhere)).toEqual(refused(nowhere, 'no such file or directory'));
    expect(await mount.unmount()).toBe(0);
  });

  it('is not made if the mountpoint will not do', () => {
    fs.writeFileSync(`${mountpoint}/f`, '');
    expect(tryMount(`${PASSWORD}\n`).code).toBe(10);
    expect(fs.existsSync(socket)).toBe(false);
  });

  it('refuses requests without a warning, so that -wpanic does not end the mount', async () => {
    const mount = new Mount(sandbox, aegisfs, vault, ['-ctlsock', socket, '-wpanic']);
    expect(await encrypt(socket, '../../etc')).toMatchObject({ ErrNo: -1 });
    expect(await encrypt(socket, 'absent/x')).toMatchObject({ ErrNo: 2 });
    expect(mount.complaints()).toBe('');
    expect(mount.isAlive()).toBe(true);
    expect(await mount.unmount()).toBe(0);
  });
});
