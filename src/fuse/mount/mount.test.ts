/**
 * Real mounts, each in a mount namespace of its own. Nobody answers the handshake: mounting and unmounting do not need it.
 * The code under test runs bundled in a process of its own, because a process with threads cannot enter a namespace.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildSync } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';

const root = path.resolve(import.meta.dirname, '../../..');
const dir = mkdtempSync(path.join(tmpdir(), 'aegisfs-mount-'));
const mountpoint = path.join(dir, 'mnt');
const bundle = path.join(dir, 'mount.cjs');
const isRoot = process.getuid?.() === 0;

mkdirSync(mountpoint);
const files = ['mount', 'helper', 'unmount'].map(
  (name) => `export * from ${JSON.stringify(path.join(import.meta.dirname, `${name}.ts`))};`,
);
buildSync({
  stdin: { contents: files.join('\n'), resolveDir: root, loader: 'ts' },
  bundle: true,
  platform: 'node',
  format: 'cjs',
  outfile: bundle,
  define: { 'import.meta.url': JSON.stringify(pathToFileURL(path.join(root, 'src/native.ts')).href) },
});
afterAll(() => rmSync(dir, { recursive: true, force: true }));

/** Runs statements in a namespace of its own, with the module as `fuse`; what they pass to `report` comes back, with the messages of helpers. */
function inNamespace(script: string, env: NodeJS.ProcessEnv = process.env): { reports: unknown[]; messages: string } {
  const output = path.join(dir, 'output.json');
  const messages = path.join(dir, 'messages.txt');
  const source = `
    const fs = require('node:fs');
    const reports = [];
    const report = (value) => reports.push(value);
    const mountpoint = ${JSON.stringify(mountpoint)};
    const line = () => fs.readFileSync('/proc/self/mountinfo', 'utf8').split('\\n').find((text) => text.includes(mountpoint)) ?? '';
    const request = { mountpoint, fsType: 'fuse.aegisfs', source: '/a vault', options: ['rw', 'default_permissions', 'max_read=131072'] };
    const fuse = require(${JSON.stringify(bundle)});
    ${script}
    fs.writeFileSync(${JSON.stringify(output)}, JSON.stringify(reports));`;
  rmSync(output, { force: true });
  // The daemon's messages go to a file: a pipe could be held open by a helper.
  writeFileSync(messages, '');
  const shell = `exec unshare ${isRoot ? '-m' : '-rm'} "$NODE" -e "$SOURCE" 2> "$MESSAGES"`;
  const result = spawnSync('/bin/sh', ['-c', shell], {
    stdio: 'ignore',
    env: {
      ...process.env,
      NODE: process.execPath,
      SOURCE: source.replace('const fs', `process.env.PATH = ${JSON.stringify(env.PATH)}; const fs`),
      MESSAGES: messages,
    },
  });
  const text = readFileSync(messages, 'utf8');
  if (result.status !== 0) throw new Error(`exit status ${result.status}: ${text}`);
  return { reports: JSON.parse(readFileSync(output, 'utf8')), messages: text };
}

/** How the mount table shows the request above. */
const expectedLine = new RegExp(
  ` ${mountpoint} rw,nosuid,nodev,relatime.* - fuse\\.aegisfs /a\\\\040vault rw,user_id=\\d+,group_id=\\d+,default_permissions,max_read=131072$`,
);

describe('mountFuse', () => {
  it('mounts directly as root and unmounts, also lazily while in use', () => {
    const { reports, messages } = inNamespace(`
      const result = fuse.mountFuse(request);
      report(result.mounted); report(line());
      report(fs.readlinkSync('/proc/self/fd/' + result.fd));
      report(fuse.unmountFuse(mountpoint)); report(line());
      try { fs.readSync(result.fd, Buffer.alloc(65536)); report('request'); fs.readSync(result.fd, Buffer.alloc(65536)); } catch (error) { report(error.code); }
      fs.closeSync(result.fd);
      const second = fuse.mountFuse({ ...request, options: ['ro', 'noexec', 'suid', 'dev'] });
      report(line());
      report(fuse.unmountFuse(mountpoint, { lazy: true })); report(line());
      fs.closeSync(second.fd);
      report(fuse.unmountWithRetries(mountpoint));`);
    expect(messages).toBe('');
    expect(reports[1]).toMatch(expectedLine);
    expect(reports[6 + (reports[5] === 'request' ? 1 : 0)]).toMatch(/ ro,noexec,relatime.* - fuse\.aegisfs .* ro,user_id/);
    const rest = reports.filter((value) => value !== 'request' && !`${value}`.includes('fuse.aegisfs'));
    expect(rest).toEqual([true, '/dev/fuse', null, '', 'ENODEV', null, '', `umount2(2) ${mountpoint}: EINVAL`]);
  });

  it('takes an inherited descriptor without mounting, if it is one', () => {
    const { reports } = inNamespace(`
      const { fd } = fuse.mountFuse(request);
      const before = fs.readFileSync('/proc/self/mountinfo', 'utf8');
      report(fuse.mountFuse({ ...request, mountpoint: '/dev/fd/' + fd }).fd === fd);
      report(fuse.mountFuse({ ...request, mountpoint: '/dev/fd/' + fd }).mounted);
      report(before === fs.readFileSync('/proc/self/mountinfo', 'utf8'));
      report(fuse.unmountFuse(mountpoint));
      report(fuse.mountFuse({ ...request, mountpoint: '/dev/fd/999' }).error);
      report(fuse.mountFuse({ ...request, mountpoint: '/dev/fd/0' }).error);
      report(['/dev/fd/7', '/dev/fd/', '/dev/fd/7x', '/x/dev/fd/7', '/dev/fd/07'].map(fuse.inheritedDescriptor));`);
    expect(reports).toEqual([
      true,
      false,
      true,
      null,
      '/dev/fd/999 is not an inherited descriptor: EBADF',
      '/dev/fd/0 is not a descriptor of /dev/fuse',
      [7, -1, -1, -1, 7],
    ]);
  });

  it('says what is wrong', () => {
    const { reports, messages } = inNamespace(`
      report(fuse.mountFuse({ ...request, mountpoint: mountpoint + '/absent' }).error);
      const before = fs.readdirSync('/proc/self/fd').length;
      report(fuse.mountFuse({ ...request, options: ['bogus'] }).error);
      report(fs.readdirSync('/proc/self/fd').length - before);
      report(line());`);
    expect(reports[0]).toMatch(/ENOENT.*absent/);
    expect(reports[1]).toMatch(/^mount\(2\): EINVAL; .*fusermount3 exited with status 1$/);
    expect(reports[2]).toBe(0);
    expect(reports[3]).toBe('');
    expect(messages).toMatch(/bogus/);
  });
});

describe('the helper', () => {
  it('mounts and hands over the device', () => {
    const { reports, messages } = inNamespace(`
      const helper = fuse.findHelper();
      report(helper);
      const result = fuse.mountByHelper(request, helper);
      report(line()); report(fs.readlinkSync('/proc/self/fd/' + result.fd));
      report(fuse.unmountByHelper(mountpoint, true)); report(line());
      report(fuse.unmountByHelper(mountpoint, false));`);
    expect(messages).toBe('');
    expect(reports[0]).toMatch(/^\/.*\/fusermount3$/);
    expect(reports[1]).toMatch(expectedLine);
    expect(reports.slice(2, 5)).toEqual(['/dev/fuse', null, '']);
    expect(reports[5]).toMatch(/mnt/);
  });

  it('is looked for in PATH first, then in /bin; relative entries do not count', () => {
    const tools = path.join(dir, 'tools');
    mkdirSync(tools);
    for (const name of ['fusermount3', 'fusermount']) writeFileSync(path.join(tools, name), `#!/bin/sh\necho "${name} version: 2.9.9"\n`);
    chmodSync(path.join(tools, 'fusermount3'), 0o755);
    const { reports } = inNamespace(
      `report(fuse.findProgram('fusermount3'));
       report(fuse.findProgram('fusermount') === ${JSON.stringify(path.join(tools, 'fusermount'))});
       process.chdir(${JSON.stringify(tools)});
       report(fuse.findProgram('fusermount3', ':.:relative'));
       report(fuse.findProgram('sh', ''));
       report(fuse.findProgram('no-such-program'));
       fs.chmodSync('fusermount', 0o755);
       report(fuse.isHelperVersion2());
       fs.writeFileSync('fusermount', '#!/bin/sh\\necho "fusermount3 version: 3.14.0"\\n');
       report(fuse.isHelperVersion2());
       fs.writeFileSync('fusermount', '#!/bin/sh\\nexit 3\\n');
       report(fuse.isHelperVersion2());
       report(fuse.mountByHelper(request, './fusermount').error);
       fs.writeFileSync('fusermount', '#!/bin/sh\\nexit 0\\n');
       report(fuse.mountByHelper(request, './fusermount').error);
       report(fuse.mountByHelper(request, './absent').error);`,
      { PATH: `${tools}:/usr/bin` },
    );
    expect(reports).toEqual([
      path.join(tools, 'fusermount3'),
      false,
      '/bin/fusermount3',
      '/bin/sh',
      null,
      true,
      false,
      { error: `${path.join(tools, 'fusermount')} exited with status 3` },
      './fusermount exited with status 3',
      './fusermount handed over no descriptor: EPROTO',
      expect.stringContaining('ENOENT'),
    ]);
  });
});
