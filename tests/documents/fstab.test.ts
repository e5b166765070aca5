/** Every line of docs/fstab.md and the systemd unit, as they are written there. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aegisfs, init, mustRun, PASSWORD, ROOT, run } from '../support/program.ts';
import { isMounted, mountsBelow, Sandbox, waitFor } from '../support/sandbox.ts';

const document = fs.readFileSync(path.join(ROOT, 'docs/fstab.md'), 'utf8');

let sandbox: Sandbox;
/** Folder of this machine for each one of the document. */
let places: readonly (readonly [string, string])[];
beforeEach(() => {
  sandbox = new Sandbox();
  const vault = sandbox.folder('vault');
  init(sandbox, aegisfs, vault);
  const password = sandbox.file('password', `${PASSWORD}\n`);
  places = [
    ['/srv/vault.password', password],
    ['/root/vault.password', password],
    ['/srv/vault', vault],
    ['/srv/plain', sandbox.folder('plain')],
    ['/usr/local/bin/aegisfs', aegisfs.command],
  ];
});
afterEach(() => sandbox.remove());

function here(line: string): string {
  return places.reduce((text, [documented, real]) => text.replaceAll(documented, real), line);
}

/** The mounted folder, its type and its options. */
function theMount(): { mountpoint: string; type: string; options: string[] } {
  const mounts = mountsBelow(sandbox.dir);
  expect(mounts.length).toBe(1);
  const [{ mountpoint, type, options } = { mountpoint: '', type: '', options: '' }] = mounts;
  return { mountpoint, type, options: options.split(',') };
}

describe('docs/fstab.md', () => {
  const lines = [...document.matchAll(/^ {4}(\/\S+ \/\S+ fuse\S* \S+ 0 0)$/gm)].map((match) => match[1] ?? '');

  it('has lines to try', () => expect(lines.length).toBeGreaterThan(3));

  it.each(lines)('%s', (documented) => {
    const [, mountpoint = '', , options = ''] = here(documented).split(' ');
    const table = sandbox.file('fstab', `${here(documented)}\n`);
    const words = options.split(',');
    mustRun(sandbox, 'mount', ['-T', table, mountpoint]);
    const mounted = theMount();
    expect(mounted.mountpoint).toBe(mountpoint);
    expect(mounted.type).toBe('fuse.gocryptfs');
    for (const word of ['ro', 'noexec', 'allow_other']) {
      if (words.includes(word)) expect(mounted.options).toContain(word);
    }
    // As the document says of mount(8), unless "user" stands in the line.
    expect(mounted.options.includes('nosuid')).toBe(words.includes('user'));
    expect(mounted.options.includes('nodev')).toBe(words.includes('user'));
  });

  it.each([...document.matchAll(/^ {4}(mount -t .*)$/gm)].map((match) => match[1] ?? ''))('%s', (command) => {
    const [program = '', ...args] = here(command).split(' ');
    mustRun(sandbox, program, args);
    expect(theMount().type).toBe('fuse.gocryptfs');
  });

  it.each(['noatime', 'relatime'])('says rightly that %s is an error', (word) => {
    const table = sandbox.file(
      'fstab',
      here(`/srv/vault /srv/plain fuse./usr/local/bin/aegisfs ${word},passfile=/root/vault.password 0 0\n`),
    );
    const result = run(sandbox, 'mount', ['-T', table, here('/srv/plain')]);
    expect(result.code).not.toBe(0);
    expect(result.stderr).toContain(`unknown flag: --${word}`);
    expect(mountsBelow(sandbox.dir)).toEqual([]);
  });
});

describe('contrib/systemd/aegisfs@.service', () => {
  const unit = fs.readFileSync(path.join(ROOT, 'contrib/systemd/aegisfs@.service'), 'utf8');

  function setting(name: string): string {
    const match = new RegExp(`^${name}=(.*)$`, 'm').exec(unit);
    if (match === null) throw new Error(`the unit has no ${name}`);
    return match[1] ?? '';
  }

  /** The words of ExecStart as systemd makes them: a braced variable is one word, another is split at blanks. */
  function startWords(variables: Readonly<Record<string, string>>): string[] {
    return setting('ExecStart')
      .split(' ')
      .flatMap((word) => {
        const braced = /^\$\{(\w+)\}$/.exec(word)?.[1];
        if (braced !== undefined) return [variables[braced] ?? ''];
        const plain = /^\$(\w+)$/.exec(word)?.[1];
        return plain === undefined ? [word] : (variables[plain] ?? '').split(' ').filter((part) => part !== '');
      });
  }

  it('starts a mount that is complete when the command returns, and counts the end by SIGTERM as success', async () => {
    const vault = here('/srv/vault');
    const mountpoint = here('/srv/plain');
    const variables = { VAULT: vault, MOUNTPOINT: mountpoint, OPTIONS: `-idle 30m -extpass cat -extpass ${here('/srv/vault.password')}` };
    const [, ...args] = startWords(variables);
    const log = sandbox.file('log', '');
    const fd = fs.openSync(log, 'a');
    const starter = spawn(aegisfs.command, args, { stdio: ['ignore', fd, fd], cwd: '/' });
    fs.closeSync(fd);
    const [code] = (await once(starter, 'exit')) as [number | null];
    expect(fs.readFileSync(log, 'utf8')).toContain('Filesystem mounted and ready.');
    expect(code).toBe(0);
    expect(isMounted(mountpoint)).toBe(true);
    const servers = spawnSync('pgrep', ['-f', '--', mountpoint], { encoding: 'utf8' }).stdout.trim().split('\n');
    expect(servers.length).toBe(1);
    expect(setting('Type')).toBe('forking');
    process.kill(Number(servers[0]), 'SIGTERM');
    expect(waitFor(() => !isMounted(mountpoint), 10_000)).toBe(true);
    expect(setting('SuccessExitStatus')).toBe('15');
  });
});
