/** New configurations and new passwords (format.md 4.3, 4.6). */
import { AegisError } from '../../base/errors.ts';
import { randomBytes } from '../../crypto/random.ts';
import { SCRYPT_KEY_LEN } from '../../crypto/scrypt.ts';
import { Flag, flagsOfNewVault, isStoredLongNameMax, type NewVaultFlags } from './flags.ts';
import { wrapMasterKey } from './masterkey.ts';
import { type Fido2Object, hasFlag, type ScryptObject, type VaultConfig } from './schema.ts';
import { CONFIG_VERSION, configObjection } from './validate.ts';

/** log2 of the scrypt cost when none is asked for. */
export const DEFAULT_SCRYPT_LOG_N = 16;
const SALT_LEN = 32;

/** Everything that decides a new configuration. */
export interface NewVaultOptions extends Omit<NewVaultFlags, 'fido2'> {
  /** Program name, blank, version. */
  readonly creator: string;
  /** log2 of the scrypt cost; 0 or less means the default. */
  readonly scryptLogN: number;
  readonly fido2: Fido2Object | null;
}

/**
 * Makes a configuration that holds `masterKey` under `password`; the caller zeroes both.
 * @throws AegisError 'config-create' for a combination that could not be loaded again, 'scrypt-params'
 */
export function createConfig(options: NewVaultOptions, masterKey: Uint8Array, password: Uint8Array): VaultConfig {
  const draft = draftConfig(options);
  const encryptedKey = wrapMasterKey(masterKey, password, draft.ScryptObject, hasFlag(draft, Flag.HKDF));
  return { ...draft, EncryptedKey: encryptedKey };
}

/**
 * Throws what createConfig would throw for these options, before a password is asked for.
 * @throws AegisError 'config-create'
 */
export function checkNewVault(options: NewVaultOptions): void {
  draftConfig(options);
}

/**
 * Wraps the master key anew under another password, with a new salt and nonce. R, P and KeyLen become the usual values, N stays
 * unless a cost is given, everything else is kept (format.md 4.6). The caller zeroes master key and password.
 * @param scryptLogN log2 of the cost, or null to keep N; 0 or less means the default
 * @throws AegisError 'config-create' for a cost that is too low, 'scrypt-params'
 */
export function rewrapConfig(config: VaultConfig, masterKey: Uint8Array, password: Uint8Array, scryptLogN: number | null): VaultConfig {
  const scryptObject = newScryptObject(scryptLogN === null ? config.ScryptObject.N : costOf(scryptLogN));
  const draft = { ...config, ScryptObject: scryptObject };
  refuse(draft);
  return { ...draft, EncryptedKey: wrapMasterKey(masterKey, password, scryptObject, hasFlag(config, Flag.HKDF)) };
}

function draftConfig(options: NewVaultOptions): VaultConfig {
  const flags = flagsOfNewVault({ ...options, fido2: options.fido2 !== null });
  const storesLongNameMax = !options.plaintextNames && isStoredLongNameMax(options.longNameMax);
  const draft: VaultConfig = {
    Creator: options.creator,
    EncryptedKey: new Uint8Array(0),
    ScryptObject: newScryptObject(costOf(options.scryptLogN)),
    Version: CONFIG_VERSION,
    FeatureFlags: flags,
    FIDO2: options.fido2,
    LongNameMax: storesLongNameMax ? options.longNameMax : 0,
  };
  refuse(draft);
  return draft;
}

function refuse(draft: VaultConfig): void {
  const objection = configObjection(draft);
  if (objection !== null) throw new AegisError('config-create', objection);
}

function newScryptObject(N: number): ScryptObject {
  return { Salt: randomBytes(SALT_LEN), N, R: 8, P: 1, KeyLen: SCRYPT_KEY_LEN };
}

/** N of a -scryptn value; values without a power of two in range are caught as a cost that is too low or too large. */
function costOf(scryptLogN: number): number {
  return 2 ** (scryptLogN <= 0 ? DEFAULT_SCRYPT_LOG_N : scryptLogN);
}
