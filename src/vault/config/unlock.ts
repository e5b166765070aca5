/** From configuration, or from options alone, to the facts of an unlocked vault (format.md 4.8, 5; behaviour.md 1.6). */
import { AegisError } from '../../base/errors.ts';
import { deriveKeys } from '../../crypto/keys.ts';
import { CIPHERS, type CipherRow, cipherById, cipherOfFlags } from '../../crypto/registry.ts';
import { BLOCK_SIZE } from '../contents/layout.ts';
import { MAX_NAME_LEN } from '../names/rules.ts';
import type { VaultParameters } from '../parameters.ts';
import { Flag } from './flags.ts';
import { hasFlag, type VaultConfig } from './schema.ts';

/** Properties of a vault that is opened without its configuration; see behaviour.md 1.6 for the options. */
export interface VaultOptions {
  /** Options of the cipher registry that are switched on, without dash, e.g. ['aegis']. */
  readonly cipherOptions: readonly string[];
  /** -reverse: AES-SIV is forced on. */
  readonly reverse: boolean;
  readonly plaintextNames: boolean;
  readonly deterministicNames: boolean;
  /** 0 means the default. */
  readonly longNameMax: number;
  readonly longNames: boolean;
  readonly raw64: boolean;
  readonly hkdf: boolean;
}

type NameFacts = Pick<VaultParameters, 'plaintextNames' | 'dirIV' | 'longNames' | 'longNameMax' | 'paddedBase64'>;

/**
 * Derives the keys of a loaded configuration; the caller zeroes the master key.
 * @param options longNames is the option of the same name, which counts even with a configuration
 */
export function toParameters(config: VaultConfig, masterKey: Uint8Array, options: { readonly longNames: boolean }): VaultParameters {
  const plaintextNames = hasFlag(config, Flag.PlaintextNames);
  return parameters(cipherOfFlags(config.FeatureFlags ?? []), masterKey, hasFlag(config, Flag.HKDF), {
    plaintextNames,
    dirIV: !plaintextNames && hasFlag(config, Flag.DirIV),
    longNames: options.longNames,
    longNameMax: config.LongNameMax === 0 ? MAX_NAME_LEN : config.LongNameMax,
    paddedBase64: !hasFlag(config, Flag.Raw64),
  });
}

/**
 * Derives the keys of a vault from a master key and options alone; the caller zeroes the master key.
 * @throws AegisError 'usage' for options that contradict each other
 */
export function parametersFromOptions(masterKey: Uint8Array, options: VaultOptions): VaultParameters {
  return parameters(cipherFromOptions(options), masterKey, options.hkdf, {
    plaintextNames: options.plaintextNames,
    dirIV: !options.plaintextNames && !options.deterministicNames,
    longNames: options.longNames,
    longNameMax: options.longNameMax === 0 ? MAX_NAME_LEN : options.longNameMax,
    paddedBase64: !options.raw64,
  });
}

/** The cipher that options ask for. @throws AegisError 'usage' */
export function cipherFromOptions(options: Pick<VaultOptions, 'cipherOptions' | 'reverse' | 'hkdf'>): CipherRow {
  // Ciphers with their own nonce length cannot stand beside each other; any of them overrides -aessiv (behaviour.md 1.6, 12).
  const own = CIPHERS.filter((row) => row.gcmIV128 === 'forbidden' && row.option !== null && options.cipherOptions.includes(row.option));
  const [first, second] = own;
  if (first !== undefined && second !== undefined) {
    throw new AegisError('usage', `The options -${first.option} and -${second.option} cannot be used at the same time`);
  }
  if (first !== undefined && options.reverse) {
    throw new AegisError('usage', `The options -${first.option} and -reverse cannot be used at the same time`);
  }
  if (first !== undefined && first.withoutHkdf === 'impossible' && !options.hkdf) {
    throw new AegisError('usage', `The option -${first.option} requires HKDF, -hkdf=false cannot be used with it`);
  }
  if (first !== undefined) return first;
  return cipherById(options.reverse || options.cipherOptions.includes('aessiv') ? 'aes-siv' : 'aes-gcm');
}

function parameters(cipher: CipherRow, masterKey: Uint8Array, hkdf: boolean, names: NameFacts): VaultParameters {
  const overhead = cipher.nonceLen + cipher.tagLen;
  return {
    cipher: cipher.id,
    nonceLen: cipher.nonceLen,
    tagLen: cipher.tagLen,
    overhead,
    cipherBlockSize: BLOCK_SIZE + overhead,
    ...deriveKeys(masterKey, cipher, hkdf),
    ...names,
  };
}
