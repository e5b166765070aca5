/** FIDO2 tokens, with programs that stand in for those of libfido2 (behaviour.md 3.7). */
import { createHmac } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aegisfs, type Finished, gocryptfs, type Program, run } from '../support/program.ts';
import { Sandbox } from '../support/sandbox.ts';

/** The fifth line is what is wanted; the secret depends on the salt, as a token's does. */
const CRED = `cat > "$LOG/cred.in"; printf '%s\\n' "$*" > "$LOG/cred.args"; printf '1\\n2\\n3\\n4\\nY3JlZGVudGlhbA==\\n6\\n'`;
const ASSERT = `cat > "$LOG/assert.in"; printf '%s\\n' "$*" > "$LOG/assert.args"
printf '1\\n2\\n3\\n4\\n'; sed -n 4p "$LOG/assert.in" | openssl dgst -sha256 -hmac token -binary | base64`;
const DEVICE = '/dev/hidraw7';

let sandbox: Sandbox;
let vault: string;
let programs: string;
beforeEach(() => {
  sandbox = new Sandbox();
  vault = sandbox.folder('vault');
  programs = sandbox.folder('programs');
  standIn('fido2-cred', CRED);
  standIn('fido2-assert', ASSERT);
});
afterEach(() => sandbox.remove());

function standIn(name: string, script: string): void {
  fs.writeFileSync(path.join(programs, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
}

function command(program: Program, ...args: string[]): Finished {
  const env = { PATH: `${programs}:${process.env.PATH}`, LOG: sandbox.dir };
  const result = run(sandbox, program.command, [...args, vault], { env, input: '' });
  return { ...result, stderr: result.stderr.replace(/^SwitchLoggerToSyslog.*\n/gm, '') };
}

const create = (program = aegisfs, ...options: string[]) => command(program, '-init', '-scryptn', '10', '-fido2', DEVICE, ...options);
const check = (program = aegisfs) => command(program, '-fsck', '-q', '-fido2', DEVICE);
const log = (name: string) => fs.readFileSync(path.join(sandbox.dir, name), 'utf8').trimEnd().split('\n');

describe('a token in place of the password', () => {
  it('is asked as the programs of libfido2 want it', () => {
    const result = create(aegisfs, '-fido2-assert-option', 'pin=true', '-fido2-assert-option', 'up=false');
    expect(result).toMatchObject({ code: 0, stderr: '' });
    expect(result.stdout).toMatch(/^FIDO2 Register: interact with your device \.\.\.\nFIDO2 Secret: interact with your device \.\.\.\n/);
    expect(log('cred.args')).toEqual([`-M -h ${DEVICE}`]);
    expect(log('assert.args')).toEqual([`-G -h -t pin=true -t up=false ${DEVICE}`]);
    const base64 = expect.stringMatching(/^[A-Za-z0-9+/]{43}=$/);
    expect(log('cred.in')).toEqual([base64, 'gocryptfs', 'vault', base64]);
    expect(log('assert.in')).toEqual([base64, 'gocryptfs', 'Y3JlZGVudGlhbA==', base64]);
    const config = JSON.parse(fs.readFileSync(`${vault}/gocryptfs.conf`, 'utf8'));
    expect(config.FeatureFlags).toContain('FIDO2');
    expect(config.FIDO2).toEqual({
      CredentialID: 'Y3JlZGVudGlhbA==',
      HMACSalt: log('assert.in')[3],
      AssertOptions: ['pin=true', 'up=false'],
    });
  });

  it('opens the vault; options come from the configuration', () => {
    create(aegisfs, '-fido2-assert-option', 'pin=true');
    expect(check()).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(log('assert.args')).toEqual([`-G -h -t pin=true ${DEVICE}`]);
  });

  it('opens vaults of gocryptfs, and gocryptfs opens ours', () => {
    expect(create(gocryptfs).code).toBe(0);
    expect(check()).toEqual({ code: 0, stdout: '', stderr: '' });
    for (const name of fs.readdirSync(vault)) fs.unlinkSync(`${vault}/${name}`);
    expect(create().code).toBe(0);
    expect(check(gocryptfs)).toEqual({ code: 0, stdout: '', stderr: '' });
  });

  it('gives the secret as the password of the key', () => {
    create();
    const salt = log('assert.in')[3] ?? '';
    standIn(
      'fido2-assert',
      `cat >/dev/null; printf '1\\n2\\n3\\n4\\n${createHmac('sha256', 'token').update(`${salt}\n`).digest('base64')}\\n'`,
    );
    expect(check().code).toBe(0);
    standIn(
      'fido2-assert',
      `cat >/dev/null; printf '1\\n2\\n3\\n4\\n${createHmac('sha256', 'other').update(`${salt}\n`).digest('base64')}\\n'`,
    );
    expect(check()).toMatchObject({ code: 12, stderr: expect.stringContaining('Password incorrect.') });
  });

  it('must be named for a vault that has one: 1', () => {
    create();
    expect(command(aegisfs, '-fsck', '-q')).toEqual({
      code: 1,
      stdout: '',
      stderr: 'Masterkey encrypted using FIDO2 token; need to use the --fido2 option.\n',
    });
  });

  it('does not let the password be changed: 1', () => {
    create();
    expect(command(aegisfs, '-passwd', '-q', '-fido2', DEVICE)).toMatchObject({
      code: 1,
      stderr: 'Password change is not supported on FIDO2-enabled filesystems.\n',
    });
  });

  it('is ignored for a vault that has none', () => {
    run(sandbox, aegisfs.command, ['-init', '-q', '-scryptn', '10', '-extpass', 'echo pw', vault]);
    expect(command(aegisfs, '-fsck', '-q', '-passfile', sandbox.file('pw', 'pw'), '-fido2', DEVICE).code).toBe(0);
  });
});

describe('a token that fails: 31, with a reason and nothing left behind', () => {
  const head = `cat >/dev/null; printf '1\\n2\\n3\\n4\\n'`;
  it.each([
    ['is not there', 'exit 1', /^fido2-assert failed with exit status 1\n$/],
    ['ends by a signal', 'kill -9 $$', /^fido2-assert failed with .*signal/],
    ['says too little', "cat >/dev/null; printf '1\\n2\\n'", /^fido2-assert failed with /],
    ['says no base64', `${head}; echo '!!!'`, /^fido2-assert failed with /],
    ['has a short secret', `${head}; echo MTIz`, /^FIDO2 HMACSecret too short \(3\)!\n$/],
    ['has a secret of zeros', `${head}; head -c 32 /dev/zero | base64`, /^FIDO2 HMACSecret is all zero!\n$/],
  ])('%s', (_, script, message) => {
    standIn('fido2-assert', script);
    expect(create(aegisfs, '-q')).toMatchObject({ code: 31, stderr: expect.stringMatching(message) });
    expect(fs.readdirSync(vault)).toEqual([]);
  });

  it('registration fails', () => {
    standIn('fido2-cred', 'echo broken >&2; exit 3');
    expect(create(aegisfs, '-q')).toMatchObject({ code: 31, stderr: 'broken\nfido2-cred failed with exit status 3\n' });
    expect(fs.readdirSync(vault)).toEqual([]);
  });

  it('the programs are not installed', () => {
    fs.unlinkSync(path.join(programs, 'fido2-cred'));
    expect(create(aegisfs, '-q')).toMatchObject({ code: 31, stderr: expect.stringMatching(/^fido2-cred failed with .*\n$/) });
  });
});
