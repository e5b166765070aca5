import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { pattern } from '../support/files.ts';
import { CIPHERS, RELEASED_CIPHERS } from '../support/matrix.ts';
import { aegisfs, init, Mount, mustRun, PASSWORD, ROOT, run } from '../support/program.ts';
import { Sandbox } from '../support/sandbox.ts';
import { encrypt } from './client.ts';

const OURS = path.join(ROOT, 'gocryptfs-xray');
const THEIRS = 'gocryptfs-xray';
const NAMES = new Map([
  ['AES-GCM', 'AES-GCM-256'],
  ['AES-SIV', 'AES-SIV-512'],
  ['XChaCha20-Poly1305', 'XChaCha20-Poly1305'],
  ['AEGIS-128X2', 'Aegis128X2'],
  ['AEGIS-256X2', 'Aegis256X2'],
]);

let sandbox: Sandbox;
beforeAll(() => {
  sandbox = new Sandbox();
});
afterAll(() => sandbox.remove());

const xray = (args: readonly string[], input = '') => run(sandbox, OURS, args, { input });

describe('gocryptfs-xray FILE', () => {
  for (const cipher of CIPHERS) {
    it(`shows a file encrypted with ${cipher.name}`, async () => {
      const vault = sandbox.folder(`vault-${cipher.name}`);
      const socket = path.join(sandbox.dir, 'socket');
      init(sandbox, aegisfs, vault, cipher.options);
      const mount = new Mount(sandbox, aegisfs, vault, ['-ctlsock', socket]);
      let file: string;
      try {
        fs.writeFileSync(`${mount.root}/f`, pattern(500_000));
        fs.writeFileSync(`${mount.root}/small`, pattern(5000));
        file = `${vault}/${(await encrypt(socket, 'f')).Result}`;
        const small = xray([...cipher.options, `${vault}/${(await encrypt(socket, 'small')).Result}`]);
        const full = 4096 + cipher.overhead;
        const lines = small.stdout.split('\n');
        const header = new RegExp(`^Header: Version: 2, Id: [0-9a-f]{32}, assuming ${NAMES.get(cipher.name)} mode$`);
        expect(lines[0]).toMatch(header);
        const nonce = `[0-9a-f]{${2 * (cipher.overhead - 16)}}`;
        const offset = String(18 + full).padStart(5);
        expect(lines[1]).toMatch(new RegExp(`^Block {2}0: IV: ${nonce}, Tag: [0-9a-f]{32}, Offset: {4}18 Len: ${full}$`));
        expect(lines[2]).toMatch(
          new RegExp(`^Block {2}1: IV: ${nonce}, Tag: [0-9a-f]{32}, Offset: ${offset} Len: ${904 + cipher.overhead}$`),
        );
        expect(lines.slice(3)).toEqual(['']);
        expect(small).toMatchObject({ code: 0, stderr: '' });
      } finally {
        expect(await mount.unmount()).toBe(0);
      }
      if (RELEASED_CIPHERS.includes(cipher)) {
        const theirs = run(sandbox, THEIRS, [...cipher.options, file]);
        expect(theirs).toMatchObject({ code: 0, stderr: '' });
        expect(xray([...cipher.options, file])).toEqual(theirs);
      }
    });
  }

  it('says of damaged files what gocryptfs-xray says', () => {
    const header = Buffer.concat([Buffer.from([0, 2]), pattern(16)]);
    const cases = {
      empty: Buffer.alloc(0),
      header,
      zero: Buffer.alloc(18),
      'zero and more': Buffer.alloc(5000),
      version: Buffer.concat([Buffer.from([0, 3]), pattern(16)]),
      'no file id': Buffer.concat([Buffer.from([0, 2]), Buffer.alloc(16)]),
      'block without content': Buffer.concat([header, pattern(32)]),
      'block of a byte': Buffer.concat([header, pattern(33)]),
      hole: Buffer.concat([header, Buffer.alloc(4128)]),
      'cut block': Buffer.concat([header, pattern(4128 + 10)]),
    };
    const spellings = [[], ['-aessiv'], ['-xchacha'], ['-xchacha', '--aessiv=1', '--']];
    for (const [i, [name, content]] of Object.entries(cases).entries()) {
      const file = sandbox.file(name, content);
      const options = spellings[i % spellings.length] ?? [];
      const theirs = run(sandbox, THEIRS, [...options, file]);
      expect(xray([...options, file]), `${name} ${options.join(' ')}`).toEqual(theirs);
    }
    for (const file of [sandbox.dir, `${sandbox.dir}/absent`]) {
      expect(xray([file])).toEqual(run(sandbox, THEIRS, [file]));
    }
    // 2.3 says this on standard output.
    const short = sandbox.file('short', header.subarray(0, 17));
    expect(xray([short])).toEqual({ code: 1, stdout: '', stderr: 'incomplete file header: read 17 bytes, want 18\n' });
  });
});

describe('the command line of gocryptfs-xray', () => {
  it.each([
    [[], 1, ''],
    [['a', 'b'], 1, ''],
    [['-h'], 0, ''],
    [['--help'], 0, ''],
    [['-foo', 'f'], 2, 'flag provided but not defined: -foo\n'],
    [['-aessiv=maybe', 'f'], 2, 'invalid boolean value "maybe" for -aessiv: parse error\n'],
    [['-fido2'], 2, 'flag needs an argument: -fido2\n'],
    [['---x'], 2, 'bad flag syntax: ---x\n'],
  ] as const)('%j ends with its usage and code %i', (args, code, problem) => {
    const result = xray(args);
    expect(result.code).toBe(code);
    expect(result.stdout).toMatch(/^gocryptfs-xray v[^\n]+; \d{4}-\d\d-\d\d [^\n]+ linux\/[^\n]+\n\n$/);
    expect(result.stderr.startsWith(`${problem}Usage: gocryptfs-xray [OPTIONS] FILE\n`)).toBe(true);
    expect(run(sandbox, THEIRS, args)).toMatchObject({ code, stderr: expect.stringContaining(problem) });
  });

  it('prints its version', () => {
    expect(xray(['-version'])).toMatchObject({ code: 0, stderr: '' });
    expect(xray(['-version']).stdout).toMatch(/^gocryptfs-xray v[^\n]+\n$/);
    expect(mustRun(sandbox, aegisfs.command, ['xray', '-version'])).toMatch(/^aegisfs xray [^\n]+\n$/);
  });

  it('allows one operation', () => {
    const fatal = (count: number) => ({ code: 1, stdout: '', stderr: `fatal: ${count} operations were requested\n` });
    expect(xray(['-dumpmasterkey', '-encrypt-paths', 'f'])).toEqual(fatal(2));
    expect(xray(['-dumpmasterkey', '-encrypt-paths', '-decrypt-paths'])).toEqual(fatal(3));
  });
});

describe('gocryptfs-xray -dumpmasterkey', () => {
  let config: string;
  beforeAll(() => {
    const vault = sandbox.folder('vault-masterkey');
    init(sandbox, aegisfs, vault);
    config = `${vault}/gocryptfs.conf`;
  });

  it('prints the key that gocryptfs-xray prints, and nothing else', () => {
    const ours = xray(['-dumpmasterkey', config], `${PASSWORD}\n`);
    expect(ours).toEqual({ code: 0, stdout: expect.stringMatching(/^[0-9a-f]{64}\n$/), stderr: '' });
    expect(run(sandbox, THEIRS, ['-dumpmasterkey', config], { input: `${PASSWORD}\n` })).toEqual(ours);
  });

  it('fails with a code for each reason', () => {
    expect(xray(['-dumpmasterkey', config], 'wrong\n')).toMatchObject({
      code: 8,
      stdout: '',
      stderr: expect.stringMatching(/^Password incorrect\.$/m),
    });
    expect(xray(['-dumpmasterkey', config])).toMatchObject({ code: 9, stdout: '' });
    expect(xray(['-dumpmasterkey', `${config}.absent`])).toMatchObject({ code: 11, stdout: '' });
    expect(xray(['-dumpmasterkey', sandbox.file('broken.conf', '{')])).toMatchObject({ code: 11, stdout: '' });
    const refused = sandbox.file('refused.conf', fs.readFileSync(config, 'utf8').replace('HKDF', 'Future'));
    expect(xray(['-dumpmasterkey', refused], PASSWORD)).toMatchObject({ code: 27, stdout: '' });
  });

  it('gets the key of a FIDO2 vault from the token', () => {
    const vault = sandbox.folder('vault-fido2');
    const tools = sandbox.folder('token');
    const secret = pattern(32).toString('base64');
    for (const tool of ['fido2-cred', 'fido2-assert']) {
      fs.writeFileSync(`${tools}/${tool}`, `#!/bin/sh\ncat >/dev/null\nprintf '%s\\n' 1 2 3 4 ${secret}\n`, { mode: 0o755 });
    }
    const env = { PATH: `${tools}:${process.env.PATH}` };
    mustRun(sandbox, aegisfs.command, ['-init', '-q', '-scryptn', '10', '-fido2', '/dev/token', vault], { env });
    const ours = run(sandbox, OURS, ['-dumpmasterkey', '-fido2', '/dev/token', `${vault}/gocryptfs.conf`], { env });
    expect(ours).toEqual({ code: 0, stdout: expect.stringMatching(/^[0-9a-f]{64}\n$/), stderr: '' });
    expect(xray(['-dumpmasterkey', `${vault}/gocryptfs.conf`])).toMatchObject({ code: 1, stdout: '' });
  });
});

describe('gocryptfs-xray and paths', () => {
  let vault: string;
  let socket: string;
  let mount: Mount;
  beforeAll(() => {
    vault = sandbox.folder('vault-paths');
    socket = path.join(sandbox.dir, 'paths.socket');
    init(sandbox, aegisfs, vault);
    mount = new Mount(sandbox, aegisfs, vault, ['-ctlsock', socket]);
    fs.mkdirSync(`${mount.root}/a`);
    fs.writeFileSync(`${mount.root}/a/f`, '');
  });
  afterAll(async () => expect(await mount.unmount()).toBe(0));
  beforeEach(() => mount.forgetComplaints());

  it('go there and back', () => {
    const there = xray(['-encrypt-paths', socket], 'a\na/f\n"quoted"');
    expect(there).toMatchObject({ code: 0, stderr: '' });
    expect(there.stdout.split('\n')).toHaveLength(4);
    expect(fs.existsSync(`${vault}/${there.stdout.split('\n')[1]}`)).toBe(true);
    expect(xray(['-decrypt-paths', socket], there.stdout)).toEqual({ code: 0, stdout: 'a\na/f\n"quoted"\n', stderr: '' });
    const nul = xray(['-0', '-encrypt-paths', socket], 'a\0a/line\nbreak\0');
    expect(xray(['-decrypt-paths', '-0', socket], nul.stdout)).toEqual({ code: 0, stdout: 'a\0a/line\nbreak\0', stderr: '' });
    expect(xray(['-encrypt-paths', socket])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(mount.complaints()).toBe('');
  });

  it('that fail are left out and reported by number, as gocryptfs-xray does', () => {
    const input = 'a/f\n\nabsent/x\n/a//f\n/\nlast';
    const ours = xray(['-encrypt-paths', socket], input);
    expect(ours).toEqual(run(sandbox, THEIRS, ['-encrypt-paths', socket], { input }));
    expect(ours.code).toBe(1);
    expect(ours.stdout.split('\n')).toHaveLength(4);
    expect(ours.stderr).toBe(
      [
        'error at input line 2 "": errno -1: empty input',
        'error at input line 3 "absent/x": errno 2: no such file or directory',
        `warning at input line 4 "/a//f": Non-canonical input path '/a//f' has been interpreted as 'a/f'.`,
        'error at input line 5 "/": errno -1: empty input after canonicalization',
        '',
      ].join('\n'),
    );
  });

  it('that are too long for the socket are reported, and the others go on', () => {
    const result = xray(['-encrypt-paths', socket], `${'x'.repeat(5000)}\na\n`);
    expect(result.code).toBe(1);
    expect(result.stdout).toMatch(/^[A-Za-z0-9_-]{22}\n$/);
    expect(result.stderr).toMatch(/^error at input line 1 "x+": errno -1: request too big \(max = 4999 bytes\)\n$/);
  });

  it('need a socket on which somebody answers', () => {
    expect(xray(['-encrypt-paths', `${socket}.absent`], 'a')).toEqual({
      code: 1,
      stdout: '',
      stderr: `fatal: dial unix ${socket}.absent: connect: no such file or directory\n`,
    });
  });
});
