/** From CIPHERDIR and a secret to the facts and keys of an open vault (behaviour.md 3, 4.2). */
import { AegisError, isAegisError } from '../base/errors.ts';
import type { Reporter } from '../base/reporter.ts';
import { Flag } from '../vault/config/flags.ts';
import { unwrapMasterKey } from '../vault/config/masterkey.ts';
import { loadConfig } from '../vault/config/parse.ts';
import { hasFlag, type VaultConfig } from '../vault/config/schema.ts';
import { parametersFromOptions, toParameters, type VaultOptions } from '../vault/config/unlock.ts';
import type { VaultParameters } from '../vault/parameters.ts';
import { readConfigFile } from './config-file.ts';
import { readTokenSecret } from './secrets/fido2.ts';
import { hasMasterKey, type MasterKeyChoice, takeMasterKey } from './secrets/masterkey.ts';
import { type PasswordSources, readPassword } from './secrets/password.ts';

/** Where the secret of an existing vault comes from. */
export interface SecretOptions extends PasswordSources, MasterKeyChoice {
  /** Device of a FIDO2 token, or empty. */
  readonly fido2: string;
}

/** What unlocking needs to know. */
export interface UnlockOptions {
  readonly configPath: string;
  readonly secrets: SecretOptions;
  /** Properties used with a master key; `longNames` counts always. */
  readonly vault: VaultOptions;
}

/** An open vault. */
export interface UnlockedVault {
  readonly parameters: VaultParameters;
  /** null if a master key was given: the file is not even opened then. */
  readonly config: VaultConfig | null;
}

/**
 * Loads and checks a configuration for mounting, checking or changing it.
 * @throws AegisError `config-open`, `config-empty`, `config-parse`, `config-refused`
 */
export function openConfig(configPath: string, log: Reporter): VaultConfig {
  try {
    return loadConfig(readConfigFile(configPath));
  } catch (error) {
    if (!isAegisError(error)) {
      throw error;
    }
    if (error.code === 'config-parse') {
      log.warn('Failed to unmarshal config file');
    }
    throw new AegisError(error.code, `Cannot open config file: ${error.message}`);
  }
}

/** Opens a vault. @throws AegisError with the code of whatever failed */
export async function unlockVault(options: UnlockOptions, log: Reporter): Promise<UnlockedVault> {
  if (hasMasterKey(options.secrets)) {
    const masterKey = await takeMasterKey(options.secrets, log);
    return { parameters: useAndWipe(masterKey, (key) => parametersFromOptions(key, options.vault)), config: null };
  }
  const config = openConfig(options.configPath, log);
  const masterKey = await unlockMasterKey(config, options.secrets, log);
  return { parameters: useAndWipe(masterKey, (key) => toParameters(config, key, options.vault)), config };
}

/**
 * Gets the master key out of a configuration with a password or a token; the caller zeroes it.
 * @throws AegisError `wrong-password`, `read-password`, `fido2`, `fido2-required`, `scrypt-params`
 */
export async function unlockMasterKey(config: VaultConfig, secrets: SecretOptions, log: Reporter): Promise<Uint8Array> {
  const secret = await readUnlockSecret(config, secrets, log);
  log.info('Decrypting master key');
  try {
    return unwrapMasterKey(config, secret);
  } catch (error) {
    if (isAegisError(error, 'wrong-password')) {
      log.warn(`failed to unlock master key: ${error.message}`);
      throw new AegisError('wrong-password', 'Password incorrect.');
    }
    throw error;
  } finally {
    secret.fill(0);
  }
}

async function readUnlockSecret(config: VaultConfig, secrets: SecretOptions, log: Reporter): Promise<Uint8Array> {
  if (!hasFlag(config, Flag.FIDO2) || config.FIDO2 === null) {
    return readPassword(secrets, log);
  }
  if (secrets.fido2 === '') {
    throw new AegisError('fido2-required', 'Masterkey encrypted using FIDO2 token; need to use the --fido2 option.');
  }
  return readTokenSecret(secrets.fido2, config.FIDO2, log);
}

/** Hands a secret to `use` and zeroes it whatever happens. */
export function useAndWipe<T>(secret: Uint8Array, use: (secret: Uint8Array) => T): T {
  try {
    return use(secret);
  } finally {
    secret.fill(0);
  }
}
