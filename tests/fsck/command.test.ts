import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { pattern, withFile } from '../support/files.ts';
import { AEGIS } from '../support/matrix.ts';
import { aegisfs, type Finished, gocryptfs, init, Mount, mustRun, PASSWORD, run } from '../support/program.ts';
import { isMounted, Sandbox, waitFor } from '../support/sandbox.ts';
import { setXattr } from './damaged-vault.ts';

const MASTER_KEY = '00010203-04050607-08090a0b-0c0d0e0f-10111213-14151617-18191a1b-1c1d1e1f';
const GIB = 2 ** 30;

const sandbox = new Sandbox();
let password: string;
beforeAll(() => {
  password = sandbox.file('password', PASSWORD);
});
afterAll(() => sandbox.remove());

let count = 0;

/** A vault that `fill` has written to through a mount. */
async function vaultWith(fill: (root: string) => void, options: readonly string[] = AEGIS.options): Promise<string> {
  const vault = sandbox.folder(`vault${++count}`);
  init(sandbox, aegisfs, vault, options);
  const mount = new Mount(sandbox, aegisfs, vault);
  try {
    fill(mount.root);
  } finally {
    expect(await mount.unmount()).toBe(0);
  }
  return vault;
}

function fsck(vault: string, options: readonly string[] = ['-q', '-passfile', password], env: Record<string, string> = {}): Finished {
  return run(sandbox, aegisfs.command, ['-fsck', ...options, vault], { env });
}

function inodes(dir: string): Map<string, number> {
  const names = fs.readdirSync(dir, { recursive: true, encoding: 'utf8' });
  return new Map(names.map((name) => [name, fs.lstatSync(path.join(dir, name)).ino]));
}

/** Paths below a vault without the helper files, to find objects by kind. */
function backingPaths(vault: string, wanted: (stat: fs.Stats) => boolean): string[] {
  return [...inodes(vault).keys()]
    .filter((name) => !path.basename(name).startsWith('gocryptfs.'))
    .map((name) => path.join(vault, name))
    .filter((file) => wanted(fs.lstatSync(file)));
}

describe('messages and exit codes', () => {
  it('tells what it does unless it shall be quiet, and finds nothing in a healthy vault', async () => {
    const vault = await vaultWith((root) => fs.writeFileSync(`${root}/f`, pattern(5000)));
    const result = fsck(vault, ['-passfile', password]);
    const lines = [`passfile: reading from file "${password}"`, 'Decrypting master key', 'Checking filesystem...'];
    expect(result).toEqual({ code: 0, stdout: `${[...lines, 'fsck summary: no problems found'].join('\n')}\n`, stderr: '' });
    expect(fsck(vault)).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('warns on stderr as the mount would, with names that cannot steer the terminal', async () => {
    const vault = await vaultWith(() => {});
    fs.writeFileSync(`${vault}/\u001b[31m\nname`, '');
    const result = fsck(vault);
    expect(result.code).toBe(26);
    expect(result.stderr).toMatch(/^Readdirent: could not decrypt entry "\\x1b\[31m\\nname": .*\n$/);
    expect(result.stdout).toBe('fsck: corrupt entry in dir "": "\\x1b[31m\\nname"\nfsck summary: 1 corrupt files, 0 files skipped\n');
    expect(fsck(vault, ['-q', '-wpanic', '-passfile', password]).code).toBe(2);
  });

  it.each([
    { what: 'reverse mode', options: ['-reverse'], code: 1, text: 'Running -fsck with -reverse is not supported' },
    { what: 'a second operation', options: ['-info'], code: 1, text: 'At most one of -info, -init, -passwd, -fsck is allowed' },
    { what: 'a missing configuration', options: ['-config', '/nonexistent'], code: 11, text: 'Cannot open config file' },
    { what: 'a malformed master key', options: ['-masterkey', 'xyz'], code: 14, text: 'Could not parse master key' },
    { what: 'a wrong password', options: ['-extpass', 'echo wrong'], code: 12, text: 'Password incorrect.' },
    { what: 'an empty password', options: ['-extpass', 'echo'], code: 9, text: 'password is empty' },
  ])('refuses $what', async ({ options, code, text }) => {
    const vault = await vaultWith(() => {});
    const result = fsck(vault, ['-q', ...options]);
    expect(result.code).toBe(code);
    expect(result.stderr).toContain(text);
  });

  it('needs a CIPHERDIR, and only one', () => {
    expect(fsck('/nonexistent').code).toBe(6);
    expect(fsck(sandbox.dir, ['-q', '-passfile', password, sandbox.dir]).code).toBe(1);
  });
});

describe('secrets and options', () => {
  it.each([
    { what: 'a master key', made: ['-masterkey', MASTER_KEY, '-extpass', 'echo x'], checked: ['-masterkey', MASTER_KEY] },
    { what: 'the zero key', made: ['-zerokey', '-extpass', 'echo x'], checked: ['-zerokey'] },
  ])('checks with $what, and without a configuration', ({ made, checked }) => {
    const vault = sandbox.folder(`vault${++count}`);
    mustRun(sandbox, aegisfs.command, ['-init', '-q', '-scryptn', '10', ...made, vault]);
    const mountpoint = sandbox.folder(`mountpoint${count}`);
    mustRun(sandbox, aegisfs.command, ['-q', '-extpass', 'echo x', vault, mountpoint]);
    try {
      fs.writeFileSync(`${mountpoint}/f`, 'content');
    } finally {
      mustRun(sandbox, 'fusermount3', ['-u', mountpoint]);
    }
    expect(waitFor(() => !isMounted(mountpoint), 5000)).toBe(true);
    fs.rmSync(`${vault}/gocryptfs.conf`);
    for (const program of [aegisfs, gocryptfs]) {
      expect(run(sandbox, program.command, ['-fsck', '-q', ...checked, vault]).code, program.name).toBe(0);
      expect(run(sandbox, program.command, ['-fsck', '-q', ...checked, '-xchacha', vault]).code, program.name).toBe(26);
    }
  });

  it('reads a configuration from elsewhere', async () => {
    const vault = await vaultWith((root) => fs.writeFileSync(`${root}/f`, 'x'));
    const config = `${sandbox.dir}/elsewhere.conf`;
    fs.renameSync(`${vault}/gocryptfs.conf`, config);
    expect(fsck(vault, ['-q', '-config', config, '-passfile', password]).code).toBe(0);
  });

  it('follows a symlink to CIPHERDIR', async () => {
    const vault = await vaultWith((root) => fs.writeFileSync(`${root}/f`, 'x'));
    fs.symlinkSync(vault, `${vault}-link`);
    expect(fsck(`${vault}-link`).code).toBe(0);
    fs.appendFileSync(backingPaths(vault, (stat) => stat.isFile())[0] ?? '', 'x');
    expect(fsck(`${vault}-link`).code).toBe(26);
  });

  it('takes names that -badname shows for good, and checks what they stand for', async () => {
    const vault = await vaultWith((root) => fs.writeFileSync(`${root}/f`, pattern(5000)));
    const [file = ''] = backingPaths(vault, (stat) => stat.isFile());
    const copy = `${file} (conflicted copy)`;
    fs.copyFileSync(file, copy);
    const options = ['-q', '-badname', '*conflicted*', '-passfile', password];
    expect(fsck(vault, options).code).toBe(0);
    fs.appendFileSync(copy, 'x');
    expect(fsck(vault, options).stdout).toContain('error reading file "f (conflicted copy) GOCRYPTFS_BAD_NAME"');
  });

  it('leaves attributes alone with -noxattr', async () => {
    const vault = await vaultWith((root) => fs.writeFileSync(`${root}/f`, 'x'));
    setXattr(backingPaths(vault, (stat) => stat.isFile())[0] ?? '', 'user.gocryptfs.XX', 'x');
    expect(fsck(vault, ['-q', '-noxattr', '-passfile', password]).code).toBe(0);
    expect(fsck(vault).code).toBe(26);
  });

  it('finds nothing wrong with file capabilities', async () => {
    // VFS_CAP_REVISION_2 with CAP_NET_RAW permitted and effective: linux/capability.h.
    const capability = Buffer.from('0100000200200000000000000000000000000000', 'hex');
    const vault = await vaultWith((root) => {
      fs.writeFileSync(`${root}/program`, 'x');
      setXattr(`${root}/program`, 'security.capability', capability);
    });
    expect(fsck(vault).code).toBe(0);
  });
});

describe('size and shape', () => {
  it('checks a sparse file of 1 TiB in no time, and what lies behind its hole', async () => {
    const vault = await vaultWith((root) => {
      withFile(`${root}/sparse`, 'w', (fd) => {
        fs.ftruncateSync(fd, 1024 * GIB);
        fs.writeSync(fd, pattern(10000), 0, 10000, 1023 * GIB);
      });
    });
    expect(fsck(vault).code).toBe(0);
    const [file = ''] = backingPaths(vault, (stat) => stat.isFile());
    withFile(file, 'r+', (fd) => fs.writeSync(fd, Buffer.alloc(1, 1), 0, 1, 18 + ((1023 * GIB) / 4096) * 4128 + 5000));
    expect(fsck(vault)).toMatchObject({ code: 26, stdout: expect.stringContaining('error reading file "sparse"') });
  });

  it('holds few descriptors in a deep tree, and finds the way back', async () => {
    const vault = await vaultWith((root) => {
      let dir = root;
      for (let depth = 0; depth < 150; depth++) {
        dir += '/d';
        fs.mkdirSync(dir);
        fs.writeFileSync(`${dir}/z`, 'behind the directory');
      }
    });
    const line = `ulimit -n 128 && exec "$0" -fsck -q -passfile "$1" "$2"`;
    expect(run(sandbox, 'sh', ['-c', line, aegisfs.command, password, vault])).toEqual({ code: 0, stdout: '', stderr: '' });
    const shallow = backingPaths(vault, (stat) => stat.isFile()).sort((a, b) => a.length - b.length)[0] ?? '';
    fs.appendFileSync(shallow, 'x');
    expect(run(sandbox, 'sh', ['-c', line, aegisfs.command, password, vault]).stdout).toContain('error reading file "d/z"');
  });

  it('goes through the tree in the order of the bytes of the names', async () => {
    const names = ['B', 'a', 'a b', 'a-b', 'a/z', 'ab', 'b', 'é'];
    const vault = await vaultWith((root) => {
      for (const name of names) {
        const file = `${root}/${name === 'a' ? 'a/a' : name}`;
        fs.mkdirSync(path.dirname(file), { recursive: true });
        fs.writeFileSync(file, 'x');
      }
    });
    for (const file of backingPaths(vault, (stat) => stat.isFile())) fs.appendFileSync(file, 'x');
    const found = [...fsck(vault).stdout.matchAll(/error reading file "([^"]*)"/g)].map((match) => match[1]);
    expect(found).toEqual(['B', 'a/a', 'a/z', 'a b', 'a-b', 'ab', 'b', 'é']);
  });
});

describe('an ordinary user', () => {
  it('is told what was skipped, and that it was not damage', async () => {
    const vault = await vaultWith((root) => {
      for (const dir of ['closed', 'unsearchable', 'without-iv', 'fine']) {
        fs.mkdirSync(`${root}/${dir}`);
        fs.writeFileSync(`${root}/${dir}/f`, 'x');
      }
      fs.writeFileSync(`${root}/secret`, 'x');
      setXattr(`${root}/secret`, 'user.attribute', 'x');
      fs.chmodSync(`${root}/closed`, 0o000);
      fs.chmodSync(`${root}/unsearchable`, 0o444);
      fs.chmodSync(`${root}/without-iv`, 0o755);
      fs.chmodSync(`${root}/secret`, 0o000);
    });
    fs.chmodSync(`${vault}/gocryptfs.conf`, 0o444);
    fs.chmodSync(password, 0o444);
    // The one directory of which the IV may not be read.
    const mount = new Mount(sandbox, aegisfs, vault);
    const { ino } = fs.lstatSync(`${mount.root}/without-iv`);
    expect(await mount.unmount()).toBe(0);
    const withoutIV = [...inodes(vault)].find(([, inode]) => inode === ino)?.[0] ?? '';
    fs.chmodSync(`${vault}/${withoutIV}/gocryptfs.diriv`, 0o000);

    const become = ['--reuid=65534', '--regid=65534', '--clear-groups', aegisfs.command];
    const result = run(sandbox, 'setpriv', [...become, '-fsck', '-q', '-passfile', password, vault]);
    expect(result.code).toBe(26);
    expect(result.stdout.split('\n')).toEqual([
      'fsck: error opening dir "closed": permission denied',
      'fsck: error reading xattr "user.attribute" from "secret": permission denied',
      'fsck: error opening file "secret": permission denied',
      'fsck: error opening dir "unsearchable": permission denied',
      'fsck: error opening dir "without-iv": permission denied',
      'fsck summary: 0 corrupt files, 5 files skipped',
      '',
    ]);
    expect(result.stderr).toBe('fsck: re-run this program as root to check all files!\n');
    expect(fsck(vault)).toEqual({ code: 0, stdout: '', stderr: '' });
  });
});

describe('a check that takes its time', () => {
  let vault: string;
  beforeAll(async () => {
    // Many islands in a large hole take seconds to read and little space.
    vault = await vaultWith((root) => {
      withFile(`${root}/islands`, 'w', (fd) => {
        for (let i = 0; i < 20_000; i++) fs.writeSync(fd, 'x', i * (8 << 20));
      });
    });
  });

  it.each(['SIGINT', 'SIGTERM'] as const)('is ended by %s with 11, and leaves nothing', async (signal) => {
    const temporary = sandbox.folder(`temporary${++count}`);
    const before = inodes(vault);
    const out = `${sandbox.dir}/signal${count}.out`;
    const file = fs.openSync(out, 'w');
    const args = ['-fsck', '-passfile', password, vault];
    const child = spawn(aegisfs.command, args, { stdio: ['ignore', file, file], env: { ...process.env, TMPDIR: temporary } });
    fs.closeSync(file);
    const ended = once(child, 'exit');
    expect(waitFor(() => fs.readFileSync(out, 'utf8').includes('Checking filesystem...'), 30_000)).toBe(true);
    child.kill(signal);
    expect(await ended).toEqual([11, null]);
    expect(fs.readFileSync(out, 'utf8')).toMatch(/Checking filesystem\.\.\.\nfsck: aborted\n$/);
    expect(fs.readdirSync(temporary)).toEqual([]);
    expect(inodes(vault)).toEqual(before);
  });

  it('shows on a terminal how far it has come, and keeps nothing of it', () => {
    fs.writeFileSync(`${vault}/no name`, '');
    const onTerminal = (quiet: string) => {
      const line = `'${aegisfs.command}' -fsck ${quiet} -passfile '${password}' '${vault}'`;
      return mustRun(sandbox, 'script', ['-qc', `${line}; test $? = 26`, '/dev/null'], { env: { NO_COLOR: '1' } });
    };
    const erase = '\r\u001b[K';
    const shown = onTerminal('');
    expect(shown.split(erase)[1]).toMatch(/^1 entries, [\d.]+ [KM]iB checked \(\d+ entries\/s, [\d.]+ [KMG]iB\/s\)$/);
    // What stays on the screen: of each line the part behind its last erasure.
    const screen = shown.split('\r\n').map((text) => text.split(erase).pop());
    expect(screen.slice(-4)).toEqual([
      'Readdirent: could not decrypt entry "no name": not an encrypted name',
      'fsck: corrupt entry in dir "": "no name"',
      'fsck summary: 1 corrupt files, 0 files skipped',
      '',
    ]);
    expect(onTerminal('-q')).not.toContain(erase);
  });
});
