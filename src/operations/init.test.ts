import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordingReporter } from '../../tests/support/reporter.ts';
import { readVaultInfo } from './info.ts';
import { type InitOptions, initVault } from './init.ts';
import { unlockVault } from './unlock.ts';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'init-'));
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true });
});

type Changes = Partial<Omit<InitOptions, 'vault'>> & { vault?: Partial<InitOptions['vault']> };

function options(changes: Changes = {}): InitOptions {
  return {
    cipherdir: folder,
    configPath: path.join(folder, 'gocryptfs.conf'),
    customConfig: false,
    secrets: { extpass: ['echo pw'], passfile: [], masterkey: '', zerokey: false, fido2: '' },
    fido2AssertOptions: [],
    ...changes,
    vault: {
      creator: 'test 1',
      scryptLogN: 10,
      cipherOptions: [],
      reverse: false,
      plaintextNames: false,
      deterministicNames: false,
      longNameMax: 255,
      ...changes.vault,
    },
  };
}

async function init(changes?: Changes): Promise<string[]> {
  const shown: string[] = [];
  await initVault(options(changes), { log: recordingReporter(), masterKey: (text) => shown.push(text) });
  return shown;
}

describe('initVault (behaviour.md 4.1)', () => {
  it('creates a configuration and a directory IV', async () => {
    const [key] = await init();
    expect(fs.readdirSync(folder).sort()).toEqual(['gocryptfs.conf', 'gocryptfs.diriv']);
    expect(fs.statSync(path.join(folder, 'gocryptfs.conf')).mode & 0o777).toBe(0o400);
    const iv = path.join(folder, 'gocryptfs.diriv');
    expect(fs.statSync(iv).mode & 0o777).toBe(0o444 & ~process.umask());
    expect(fs.readFileSync(iv)).toHaveLength(16);
    expect(fs.readFileSync(iv).equals(Buffer.alloc(16))).toBe(false);
    expect(key?.replace(/[\s-]/g, '')).toMatch(/^[0-9a-f]{64}$/);
  });

  it('makes what unlocking opens: the same keys by password and by the shown master key', async () => {
    const [key = ''] = await init({ vault: { cipherOptions: ['aegis'] } });
    const { configPath, secrets } = options();
    const vault = {
      cipherOptions: ['aegis'],
      reverse: false,
      plaintextNames: false,
      deterministicNames: false,
      longNameMax: 255,
      longNames: true,
      raw64: true,
      hkdf: true,
    };
    const byPassword = await unlockVault({ configPath, secrets, vault }, recordingReporter());
    const byKey = await unlockVault(
      { configPath: '/nonexistent', secrets: { ...secrets, extpass: [], masterkey: key.replace(/\s/g, '') }, vault },
      recordingReporter(),
    );
    const facts = ({ contentKey: _content, emeKey: _eme, ...rest }: typeof byKey.parameters) => rest;
    expect(facts(byPassword.parameters)).toEqual(facts(byKey.parameters));
    expect(byPassword.parameters.cipher).toBe('aegis-128x2');
    await expect(
      unlockVault({ configPath, secrets: { ...secrets, extpass: ['echo other'] }, vault }, recordingReporter()),
    ).rejects.toMatchObject({ code: 'wrong-password', message: 'Password incorrect.' });
  });

  it.each([
    [{ plaintextNames: true }, ['HKDF', 'GCMIV128', 'PlaintextNames']],
    [{ deterministicNames: true }, ['HKDF', 'GCMIV128', 'EMENames', 'LongNames', 'Raw64']],
    [
      { longNameMax: 100, cipherOptions: ['xchacha'] },
      ['HKDF', 'XChaCha20Poly1305', 'DirIV', 'LongNameMax', 'EMENames', 'LongNames', 'Raw64'],
    ],
  ])('%j', async (vault, flags) => {
    await init({ vault });
    expect(readVaultInfo(options().configPath).featureFlags).toEqual(flags);
    expect(fs.existsSync(path.join(folder, 'gocryptfs.diriv'))).toBe(flags.includes('DirIV'));
  });

  it('refuses a directory that is not empty, and a configuration that exists', async () => {
    fs.writeFileSync(path.join(folder, '.hidden'), '');
    await expect(init()).rejects.toMatchObject({ code: 'cipherdir', message: `Invalid cipherdir: directory ${folder} not empty` });
    const configPath = path.join(folder, '.gocryptfs.reverse.conf');
    await init({ configPath, vault: { reverse: true } });
    await expect(init({ configPath, vault: { reverse: true } })).rejects.toMatchObject({ code: 'init' });
    const empty = path.join(folder, 'empty');
    fs.mkdirSync(empty);
    await expect(init({ cipherdir: empty, configPath, customConfig: true })).rejects.toMatchObject({ code: 'init' });
  });

  it.each([[{ cipherOptions: ['xchacha'], reverse: true }], [{ cipherOptions: ['aegis', 'aessiv'] }], [{ scryptLogN: 9 }]])(
    'leaves nothing behind when it refuses %j',
    async (vault) => {
      await expect(init({ vault })).rejects.toMatchObject({ code: 'config-create' });
      expect(fs.readdirSync(folder)).toEqual([]);
    },
  );

  it('leaves nothing behind without a password', async () => {
    const secrets = { ...options().secrets, extpass: ['true'] };
    await expect(init({ secrets })).rejects.toMatchObject({ code: 'read-password' });
    expect(fs.readdirSync(folder)).toEqual([]);
  });

  it('stores a given master key', async () => {
    const secrets = { ...options().secrets, masterkey: '11'.repeat(32) };
    const [shown] = await init({ secrets });
    expect(shown?.replace(/[\s-]/g, '')).toBe('11'.repeat(32));
  });
});
