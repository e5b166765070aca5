import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aegisfs, init, Mount } from '../support/program.ts';
import { isMounted, Sandbox, sleep, waitFor } from '../support/sandbox.ts';

let sandbox: Sandbox;
let vault: string;
beforeEach(() => {
  sandbox = new Sandbox();
  vault = sandbox.folder('vault');
  init(sandbox, aegisfs, vault);
});
afterEach(() => sandbox.remove());

/** Long against the idle time: what is still mounted then stays. */
const WHILE_MS = 1500;

describe('-idle (behaviour.md 5.7)', () => {
  it('unmounts a filesystem that nobody uses, and ends with 0', async () => {
    const mount = new Mount(sandbox, aegisfs, vault, ['-idle', '10ms']);
    expect(await mount.ended()).toBe(0);
    expect(isMounted(mount.root)).toBe(false);
    expect(mount.output()).toContain(`idleMonitor: filesystem idle; unmounting: ${mount.root}\n`);
  });

  it('leaves one alone while it is read again and again', async () => {
    const mount = new Mount(sandbox, aegisfs, vault, ['-i', '300ms']);
    fs.writeFileSync(`${mount.root}/f`, 'x');
    for (let end = Date.now() + WHILE_MS; Date.now() < end; sleep(10)) fs.readFileSync(`${mount.root}/f`);
    expect(isMounted(mount.root)).toBe(true);
    expect(await mount.ended()).toBe(0);
  });

  it.each([
    { what: 'a file', open: (root: string) => fs.openSync(`${root}/f`, 'w') },
    { what: 'a folder', open: (root: string) => fs.openSync(root, 'r') },
  ])('leaves one alone while $what is open', async ({ open }) => {
    const mount = new Mount(sandbox, aegisfs, vault, ['-idle=100ms']);
    const fd = open(mount.root);
    sleep(WHILE_MS);
    expect(isMounted(mount.root)).toBe(true);
    expect(mount.output()).not.toContain('idleMonitor');
    fs.closeSync(fd);
    expect(await mount.ended()).toBe(0);
  });

  it('does not count questions about the root folder as use', async () => {
    const mount = new Mount(sandbox, aegisfs, vault, ['-idle', '200ms']);
    const isGone = waitFor(() => {
      try {
        fs.statSync(mount.root);
      } catch {
        // between unmounting and the end of the session
      }
      return !isMounted(mount.root);
    }, 5000);
    expect(isGone).toBe(true);
    expect(await mount.ended()).toBe(0);
  });

  it('tries again after an unmount that was refused', async () => {
    const mount = new Mount(sandbox, aegisfs, vault, ['-idle', '50ms']);
    const cwd = process.cwd();
    let isHeld = false;
    try {
      process.chdir(mount.root);
      isHeld = waitFor(() => mount.output().includes('idleMonitor: unmount failed: '), 5000);
    } finally {
      process.chdir(cwd);
    }
    expect(isHeld).toBe(true);
    expect(mount.output()).toMatch(/idleMonitor: unmount failed: .*\. Resetting idle time\.\n/);
    expect(await mount.ended()).toBe(0);
  });

  it('does nothing when it is 0', async () => {
    const mount = new Mount(sandbox, aegisfs, vault, ['-idle', '0']);
    sleep(300);
    expect(await mount.unmount()).toBe(0);
  });
});
