/** The npm package, packed and installed into a folder of its own, on a machine without compilers. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aegisfs, Mount, mustRun, PASSWORD, type Program, ROOT, run } from '../support/program.ts';
import { isMounted, Sandbox, waitFor } from '../support/sandbox.ts';

/** What the installed program may use of the machine; in particular no compiler, make or python. */
const TOOLS = ['sh', 'readlink', 'fusermount3'];
const MAX_PACKED_BYTES = 1_000_000;
const MAX_UNPACKED_BYTES = 3_000_000;
const NPM_LIMIT = 240_000;

let sandbox: Sandbox;
/** Where the package is installed. */
let prefix: string;
let tarball: string;
let manifest: { unpackedSize: number; files: { path: string }[] };
/** PATH without and with node. */
let toolsPath: string;
let nodePath: string;
let installed: Program;

function whereIs(program: string): string {
  const found = (process.env.PATH ?? '').split(':').map((dir) => path.join(dir, program));
  const file = found.find((candidate) => fs.existsSync(candidate));
  if (file === undefined) throw new Error(`${program} is not installed`);
  return file;
}

function npm(cwd: string, args: readonly string[], searchPath: string): string {
  const script = fs.realpathSync(whereIs('npm'));
  const env = { ...process.env, PATH: searchPath };
  const result = spawnSync(process.execPath, [script, ...args], { cwd, env, encoding: 'utf8', timeout: NPM_LIMIT });
  if (result.status !== 0) throw new Error(`npm ${args.join(' ')}: ${result.error ?? result.status}\n${result.stderr}`);
  return result.stdout;
}

beforeAll(() => {
  sandbox = new Sandbox();
  toolsPath = sandbox.folder('tools');
  for (const tool of TOOLS) fs.symlinkSync(whereIs(tool), path.join(toolsPath, tool));
  nodePath = sandbox.folder('node');
  fs.symlinkSync(process.execPath, path.join(nodePath, 'node'));
  nodePath = `${nodePath}:${toolsPath}`;

  const packed = npm(ROOT, ['pack', '--json', '--pack-destination', sandbox.dir], process.env.PATH ?? '');
  const [report] = JSON.parse(packed) as { filename: string; unpackedSize: number; files: { path: string }[] }[];
  if (report === undefined) throw new Error(packed);
  manifest = report;
  tarball = path.join(sandbox.dir, report.filename);
  prefix = sandbox.folder('prefix');
  npm(sandbox.dir, ['install', '--global', '--prefix', prefix, '--prefer-offline', '--no-audit', '--no-fund', tarball], nodePath);
  installed = { name: 'the installed aegisfs', command: path.join(prefix, 'bin/aegisfs') };
}, 2 * NPM_LIMIT);
afterAll(() => sandbox.remove());

describe('the package', () => {
  it('has the program, the addon of this platform, the manual and the completions', () => {
    const files = manifest.files.map((file) => file.path);
    const required = ['aegisfs', 'dist/main.cjs', 'dist/worker.cjs', 'README.md', 'LICENSE', 'man/aegisfs.1', 'man/aegisfs-xray.1'];
    const completions = ['completions/aegisfs.bash', 'completions/_aegisfs', 'completions/aegisfs.fish'];
    expect(files).toEqual(expect.arrayContaining([...required, ...completions, 'contrib/systemd/aegisfs@.service']));
    expect(files.filter((file) => file.startsWith(`prebuilds/${process.platform}-${process.arch}/`)).length).toBe(1);
  });

  it('has no tests, sources or source maps', () => {
    const files = manifest.files.map((file) => file.path);
    expect(files.filter((file) => /test|bench|\.map$|\.ts$|\.c$|\.h$|^(src|native|scripts|build)\//.test(file))).toEqual([]);
  });

  it('names no folder of the machine it was made on', () => {
    const folder = path.join(prefix, 'lib/node_modules/aegisfs');
    const names = [ROOT, os.homedir(), os.userInfo().homedir, os.hostname()].filter((name) => name.length > 1 && name !== 'localhost');
    for (const { path: file } of manifest.files) {
      // A home folder like /root is also an example in the documents.
      const isText = /\.(md|1|service)$/.test(file);
      const content = fs.readFileSync(path.join(folder, file), 'latin1');
      const found = names.filter((name) => content.includes(`${name}/`) && !(isText && name === '/root'));
      expect(found.map((name) => `${file}: ${name}`)).toEqual([]);
    }
  });

  it('is small', () => {
    expect(fs.statSync(tarball).size).toBeLessThan(MAX_PACKED_BYTES);
    expect(manifest.unpackedSize).toBeLessThan(MAX_UNPACKED_BYTES);
  });
});

describe('the installed program', () => {
  it('brings one dependency', () => {
    const modules = path.join(prefix, 'lib/node_modules');
    expect(fs.readdirSync(modules).filter((name) => !name.startsWith('.'))).toEqual(['aegisfs']);
    expect(fs.readdirSync(path.join(modules, 'aegisfs/node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['node-gyp-build']);
  });

  it('puts the manual where man looks for it', () => {
    for (const page of ['aegisfs.1', 'aegisfs-xray.1']) {
      expect(fs.readFileSync(path.join(prefix, 'share/man/man1', page), 'utf8')).toBe(
        fs.readFileSync(path.join(ROOT, 'man', page), 'utf8'),
      );
    }
  });

  it('prints its version in three fields', () => {
    const line = mustRun(sandbox, installed.command, ['-version'], { env: { PATH: nodePath } });
    expect(line).toBe(mustRun(sandbox, aegisfs.command, ['-version']));
    expect(line).toMatch(/^aegisfs \d+\.\d+\.\d+; aegisfs-fuse \d+\.\d+\.\d+; \d{4}-\d\d-\d\d node\d+\.\d+\.\d+ linux\/\w+\n$/);
  });

  it('finds the node it was installed with if PATH has none', () => {
    const missing = run(sandbox, installed.command, ['-version'], { env: { PATH: toolsPath } });
    expect(missing).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^aegisfs: Node\.js 20 or newer is needed/) });
    fs.symlinkSync(process.execPath, path.join(prefix, 'bin/node'));
    try {
      expect(mustRun(sandbox, installed.command, ['-version'], { env: { PATH: toolsPath } })).toMatch(/^aegisfs /);
    } finally {
      fs.rmSync(path.join(prefix, 'bin/node'));
    }
  });

  it('says that an old runtime is too old', () => {
    const pretence = sandbox.file(
      'old.cjs',
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.4' } });\n",
    );
    const program = path.join(prefix, 'lib/node_modules/aegisfs/dist/main.cjs');
    const result = run(sandbox, process.execPath, ['--require', pretence, program, '-version']);
    expect(result).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(/^aegisfs: Node\.js 20 or newer .* 18\.20\.4\n$/) });
  });

  it.each([[[]], [['-aegis']]])('makes a vault with %j and mounts it without a compiler', async (options) => {
    const vault = sandbox.folder(`vault${options.join('')}`);
    const args = ['-init', '-q', '-scryptn', '10', ...options, '--', vault];
    mustRun(sandbox, installed.command, args, { input: `${PASSWORD}\n`, env: { PATH: nodePath } });
    const mount = new Mount(sandbox, installed, vault, [], { PATH: nodePath });
    try {
      // What the caller started is the server itself, not a shell in front of it.
      expect(fs.readlinkSync(`/proc/${mount.pid}/exe`)).toBe(fs.realpathSync(process.execPath));
      fs.writeFileSync(path.join(mount.root, 'file'), 'content');
      expect(fs.readFileSync(path.join(mount.root, 'file'), 'utf8')).toBe('content');
    } finally {
      mount.child.kill('SIGTERM');
      expect(await mount.ended()).toBe(15);
    }
    expect(isMounted(mount.root)).toBe(false);
    expect(mount.complaints()).toBe('');
  });

  it('mounts in the background, called through a further symlink by the name of gocryptfs', () => {
    const vault = sandbox.folder('background');
    const root = sandbox.folder('background.mount');
    const link = path.join(sandbox.dir, 'gocryptfs');
    fs.symlinkSync(installed.command, link);
    const options = { input: `${PASSWORD}\n`, env: { PATH: nodePath } };
    expect(mustRun(sandbox, link, ['-init', '-scryptn', '10', vault], options)).toContain(
      'The gocryptfs filesystem has been created successfully.',
    );
    try {
      mustRun(sandbox, link, ['-q', vault, root], options);
      fs.writeFileSync(path.join(root, 'file'), 'content');
    } finally {
      spawnSync('fusermount3', ['-u', root]);
    }
    expect(waitFor(() => !isMounted(root), 5000)).toBe(true);
    expect(fs.readdirSync(vault).length).toBe(3);
  });
});
