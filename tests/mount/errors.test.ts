import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Actor } from '../support/actor.ts';
import { processesWith } from '../support/processes.ts';
import { aegisfs, type Finished, init, PASSWORD, run } from '../support/program.ts';
import { mountsBelow, Sandbox } from '../support/sandbox.ts';

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

/** Everything in the vault, with contents: a refused mount must not change it. */
function contents(dir: string): string[] {
  if (!fs.existsSync(dir)) return [];
  return fs.readdirSync(dir).map((name) => `${name} ${fs.readFileSync(path.join(dir, name), 'hex')}`);
}

function mount(options: readonly string[] = [], password = PASSWORD): Finished {
  return run(sandbox, aegisfs.command, ['-q', ...options, vault, mountpoint], { input: `${password}\n` });
}

/** The exit code, one clear line on standard error that matches, and nothing left behind. */
function expectRefusal(result: Finished, code: number, message: RegExp): void {
  expect({ code: result.code, stderr: result.stderr }).toEqual({ code, stderr: expect.stringMatching(message) });
  const lines = result.stderr.trimEnd().split('\n');
  expect(lines.filter((line) => /^\s+at |node:internal|Error:/.test(line))).toEqual([]);
  expect(lines.length).toBeLessThanOrEqual(2);
  expect(mountsBelow(sandbox.dir)).toEqual([]);
  expect(processesWith(sandbox.dir)).toEqual([]);
}

function expectMountRefusal(code: number, message: RegExp, options: readonly string[] = [], password = PASSWORD): void {
  const before = contents(vault);
  expectRefusal(mount(options, password), code, message);
  expect(contents(vault)).toEqual(before);
}

/** Replaces the configuration file. */
function configure(change: (text: string) => string): void {
  const file = path.join(vault, 'gocryptfs.conf');
  const text = fs.readFileSync(file, 'utf8');
  fs.chmodSync(file, 0o600);
  fs.writeFileSync(file, change(text));
}

interface Config {
  FeatureFlags: string[];
  Version: number;
  EncryptedKey: string;
  ScryptObject: Record<string, unknown>;
  LongNameMax?: number;
}

function configureField(change: (config: Config) => void): void {
  configure((text) => {
    const config = JSON.parse(text) as Config;
    change(config);
    return JSON.stringify(config);
  });
}

describe('a mount that cannot be made says why, with its exit code', () => {
  it('wrong password: 12', () => expectMountRefusal(12, /Password incorrect\./, [], 'wrong'));
  it('empty password: 9', () => expectMountRefusal(9, /[Pp]assword/, [], ''));
  it('password program that fails: 9', () => expectMountRefusal(9, /extpass/, ['-extpass', 'false']));
  it('missing password file: 9', () => expectMountRefusal(9, /passfile/, ['-passfile', `${sandbox.dir}/none`]));
  it('too long password: 9', () => expectMountRefusal(9, /2048/, [], 'x'.repeat(2049)));
  it('malformed master key: 14', () => expectMountRefusal(14, /[Mm]aster key/, ['-masterkey', '1234']));

  it('missing configuration: 11', () => {
    fs.unlinkSync(path.join(vault, 'gocryptfs.conf'));
    expectMountRefusal(11, /Cannot open config file.*gocryptfs\.conf/);
  });
  it('empty configuration: 11', () => {
    configure(() => '');
    expectMountRefusal(11, /config file is empty/);
  });
  it('configuration cut in the middle: 11', () => {
    configure((text) => text.slice(0, text.length / 2));
    expectMountRefusal(11, /Cannot open config file/);
  });
  it('configuration that is not JSON: 11', () => {
    configure(() => '\u0000\u0001garbage');
    expectMountRefusal(11, /Cannot open config file/);
  });
  it('unknown feature flag: 27', () => {
    configureField((config) => config.FeatureFlags.push('QuantumNames'));
    expectMountRefusal(27, /unknown feature flag "QuantumNames"/);
  });
  it('other format version: 27', () => {
    configureField((config) => {
      config.Version = 1;
    });
    expectMountRefusal(27, /unsupported on-disk format 1/);
  });
  it('cheap key stretching: 27', () => {
    configureField((config) => {
      config.ScryptObject.N = 512;
    });
    expectMountRefusal(27, /scryptn below 10/);
  });
  it('contradictory feature flags: 27', () => {
    configureField((config) => config.FeatureFlags.push('GCMIV128'));
    expectMountRefusal(27, /AEGIS/);
  });
  it('damaged wrapped key: 12', () => {
    configureField((config) => {
      const key = Buffer.from(config.EncryptedKey, 'base64');
      key[20] = (key[20] ?? 0) ^ 1;
      config.EncryptedKey = key.toString('base64');
    });
    expectMountRefusal(12, /Password incorrect\./);
  });
  it('key stretching that would take all memory: no crash', () => {
    configureField((config) => {
      config.ScryptObject.N = 2 ** 40;
    });
    const result = mount();
    expect(result.code).toBeGreaterThan(2);
    expect(result.stderr).not.toMatch(/^\s+at /m);
  });

  it('mountpoint not empty: 10', () => {
    fs.writeFileSync(path.join(mountpoint, 'f'), '');
    expectMountRefusal(10, /not empty/);
  });
  it('mountpoint missing: 10', () => {
    fs.rmdirSync(mountpoint);
    expectMountRefusal(10, /[Ii]nvalid mountpoint/);
  });
  it('mountpoint is a file: 10', () => {
    mountpoint = sandbox.file('file', '');
    expectMountRefusal(10, /not a directory/);
  });
  it('mountpoint inside the vault: 10', () => {
    mountpoint = path.join(vault, 'below');
    fs.mkdirSync(mountpoint);
    expectRefusal(mount(), 10, /contained in cipherdir/);
  });
  it('mountpoint that would hide the vault: 10', () => {
    mountpoint = sandbox.dir;
    expectMountRefusal(10, /shadow/);
  });
  it('vault missing: 6', () => {
    vault = path.join(sandbox.dir, 'none');
    expectMountRefusal(6, /[Ii]nvalid cipherdir/);
  });
  it('vault is a file: 6', () => {
    vault = sandbox.file('file', '');
    expectRefusal(mount(), 6, /not a directory/);
  });
  it('unknown option: 1', () => expectMountRefusal(1, /unknown flag: --nosuch/, ['-nosuch']));
  it('one argument too few: 1', () => {
    expectRefusal(run(sandbox, aegisfs.command, ['-q', vault]), 1, /Usage/);
  });
  it('writable mount of a read-only vault: 1', () => {
    run(sandbox, 'mount', ['--bind', vault, vault]);
    run(sandbox, 'mount', ['-o', 'remount,ro,bind', vault]);
    const result = mount(['-rw']);
    run(sandbox, 'umount', [vault]);
    expectRefusal(result, 1, /read-only filesystem, refusing/);
  });

  it('no /dev/fuse: 19', () => {
    // A helper in a namespace of its own whose /dev has nothing but the null device.
    const actor = new Actor('mount -t tmpfs tmpfs /dev && mknod -m 666 /dev/null c 1 3 && mknod -m 666 /dev/urandom c 1 9');
    try {
      const args = [aegisfs.command, '-q', vault, mountpoint];
      const [code, stdout, stderr] = actor.run('x.command', args, `${PASSWORD}\n`) as [number, string, string];
      expectRefusal({ code, stdout, stderr }, 19, /\/dev\/fuse/);
    } finally {
      actor.end();
    }
  });
});

describe('a vault that cannot be created says why, with its exit code', () => {
  const initialise = (options: readonly string[], input = `${PASSWORD}\n`) =>
    run(sandbox, aegisfs.command, ['-init', '-q', '-scryptn', '10', ...options, vault], { input });

  it('folder not empty: 6', () => expectRefusal(initialise([]), 6, /not empty/));
  describe('in an empty folder, which stays empty', () => {
    beforeEach(() => {
      vault = sandbox.folder('new');
    });
    afterEach(() => expect(fs.readdirSync(vault)).toEqual([]));

    it('empty password: 9', () => expectRefusal(initialise([], '\n'), 9, /password/i));
    it('cheap key stretching: 24', () => expectRefusal(initialise(['-scryptn', '9']), 24, /scryptn below 10/));
    it('AEGIS with AES-SIV: 24', () => expectRefusal(initialise(['-aegis', '-aessiv']), 24, /./));
    it('long names from 61: 1', () => expectRefusal(initialise(['-longnamemax', '61']), 1, /longnamemax/));
  });
});
