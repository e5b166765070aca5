/** Creating a vault (behaviour.md 4.1). */

import fs from 'node:fs';
import path from 'node:path';
import { fsPath } from '../base/byte-text.ts';
import { AegisError } from '../base/errors.ts';
import type { Reporter } from '../base/reporter.ts';
import { kernel } from '../crypto/kernel.ts';
import { MASTER_KEY_LEN } from '../crypto/keys.ts';
import { randomBytes } from '../crypto/random.ts';
import { checkNewVault, createConfig, type NewVaultOptions } from '../vault/config/create.ts';
import { formatMasterKey } from '../vault/config/masterkey.ts';
import { serializeConfig } from '../vault/config/parse.ts';
import type { Fido2Object } from '../vault/config/schema.ts';
import { writeConfigFile } from './config-file.ts';
import { errnoText } from './errno-text.ts';
import { readTokenSecret, registerToken } from './secrets/fido2.ts';
import { hasMasterKey, takeMasterKey } from './secrets/masterkey.ts';
import { readNewPassword } from './secrets/password.ts';
import type { SecretOptions } from './unlock.ts';

const DIRIV_NAME = 'gocryptfs.diriv';
const DIRIV_LEN = 16;
const DIRIV_MODE = 0o444;

/** What a new vault shall be. */
export interface InitOptions {
  /** Absolute. */
  readonly cipherdir: string;
  readonly configPath: string;
  /** -config was given. */
  readonly customConfig: boolean;
  readonly vault: Omit<NewVaultOptions, 'fido2'>;
  readonly secrets: SecretOptions;
  readonly fido2AssertOptions: readonly string[];
}

/** What happens on the way that a front end wants to show. */
export interface InitEvents {
  readonly log: Reporter;
  /** The new master key as text; shown once and never stored. */
  masterKey(text: string): void;
}

/** Creates a vault. @throws AegisError `cipherdir`, `init`, `read-password`, `config-create`, `config-write`, … */
export async function initVault(options: InitOptions, events: InitEvents): Promise<void> {
  const { log } = events;
  const { vault, secrets } = options;
  checkTarget(options);
  checkNewVault({ ...vault, fido2: null });
  if (!vault.reverse && !kernel.hasAesAcceleration() && !vault.cipherOptions.includes('xchacha')) {
    log.info('Notice: Your CPU does not have AES-GCM acceleration. Consider using -xchacha for better performance.', 'caution');
  }
  if (secrets.extpass.length === 0 && secrets.fido2 === '') {
    log.info('Choose a password for protecting your files.');
  }
  const { password, fido2 } = await newSecret(options, log);
  let masterKey: Uint8Array | undefined;
  try {
    masterKey = hasMasterKey(secrets) ? await takeMasterKey(secrets, log) : randomBytes(MASTER_KEY_LEN);
    const config = createConfig({ ...vault, fido2 }, masterKey, password);
    writeConfigFile(options.configPath, serializeConfig(config), log);
    events.masterKey(formatMasterKey(masterKey));
  } finally {
    password.fill(0);
    masterKey?.fill(0);
  }
  if (!vault.reverse && !vault.plaintextNames && !vault.deterministicNames) {
    createDirIV(options.cipherdir);
  }
}

/** Nothing that exists may be overwritten. */
function checkTarget(options: InitOptions): void {
  const { cipherdir, configPath } = options;
  if (!options.vault.reverse && readNames(cipherdir).length > 0) {
    throw new AegisError('cipherdir', `Invalid cipherdir: directory ${cipherdir} not empty`);
  }
  if ((options.vault.reverse || options.customConfig) && fs.lstatSync(fsPath(configPath), { throwIfNoEntry: false }) !== undefined) {
    throw new AegisError('init', `Config file "${configPath}" already exists`);
  }
}

function readNames(directory: string): string[] {
  try {
    return fs.readdirSync(fsPath(directory));
  } catch (error) {
    throw new AegisError('cipherdir', `Invalid cipherdir: open ${directory}: ${errnoText(error)}`);
  }
}

async function newSecret(options: InitOptions, log: Reporter): Promise<{ password: Uint8Array; fido2: Fido2Object | null }> {
  const { secrets } = options;
  if (secrets.fido2 === '') {
    return { password: await readNewPassword(secrets, log), fido2: null };
  }
  const fido2 = registerToken(secrets.fido2, path.basename(options.cipherdir), options.fido2AssertOptions, log);
  return { password: readTokenSecret(secrets.fido2, fido2, log), fido2 };
}

function createDirIV(directory: string): void {
  const file = path.join(directory, DIRIV_NAME);
  try {
    fs.writeFileSync(fsPath(file), randomBytes(DIRIV_LEN), { flag: 'wx', mode: DIRIV_MODE });
  } catch (error) {
    throw new AegisError('init', `open ${file}: ${errnoText(error)}`);
  }
}
