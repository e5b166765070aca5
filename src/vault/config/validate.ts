/** The checks of a configuration, when loading and before writing (format.md 4.2, texts of behaviour.md 4.2). */
import { CIPHERS, type CipherRow } from '../../crypto/registry.ts';
import { Flag, isKnownFlag, NAME_FLAGS } from './flags.ts';
import type { ScryptObject, VaultConfig } from './schema.ts';

/** The only version of the format. */
export const CONFIG_VERSION = 2;
/** Least scrypt cost, N. */
export const MIN_SCRYPT_N = 1024;

/** Text of the first check that fails; null if the configuration is acceptable. */
export function configObjection(config: VaultConfig): string | null {
  const flags = config.FeatureFlags ?? [];
  return (
    versionObjection(config.Version) ??
    scryptObjectObjection(config.ScryptObject) ??
    unknownFlagObjection(flags) ??
    cipherObjection(flags) ??
    plaintextNamesObjection(flags) ??
    longNameMaxObjection(config.LongNameMax, flags) ??
    fido2Objection(config, flags)
  );
}

function versionObjection(version: number): string | null {
  return version === CONFIG_VERSION ? null : `unsupported on-disk format ${version}`;
}

function scryptObjectObjection(scrypt: ScryptObject): string | null {
  if (scrypt.N < MIN_SCRYPT_N) return 'fatal: scryptn below 10 is too low to make sense';
  const minima = [
    ['scrypt parameter R', scrypt.R, 8],
    ['scrypt parameter P', scrypt.P, 1],
    ['scrypt salt length', scrypt.Salt.length, 32],
    ['scrypt parameter KeyLen', scrypt.KeyLen, 32],
  ] as const;
  for (const [name, value, min] of minima) {
    if (value < min) return `fatal: ${name} below minimum: value=${value}, min=${min}`;
  }
  return null;
}

function unknownFlagObjection(flags: readonly string[]): string | null {
  const unknown = flags.find((flag) => !isKnownFlag(flag));
  return unknown === undefined ? null : `unknown feature flag ${JSON.stringify(unknown)}`;
}

function cipherObjection(flags: readonly string[]): string | null {
  const rows = CIPHERS.filter((row) => row.flag !== null && flags.includes(row.flag));
  for (const row of rows) {
    const other = row.excludes.find((flag) => flags.includes(flag));
    if (other !== undefined) return `can't have both ${row.flag} and ${other} feature flags`;
  }
  if (rows.length === 0) rows.push(CIPHERS.find((row) => row.flag === null)!);
  for (const row of rows) {
    const objection = companionObjection(row, flags);
    if (objection !== null) return objection;
  }
  return null;
}

function companionObjection(row: CipherRow, flags: readonly string[]): string | null {
  const name = row.flag ?? 'AES-GCM';
  const hasGcmIV128 = flags.includes(Flag.GCMIV128);
  if (row.gcmIV128 === 'required' && !hasGcmIV128) return `${name} requires GCMIV128 feature flag`;
  if (row.gcmIV128 === 'forbidden' && hasGcmIV128) return `${name} conflicts with GCMIV128 feature flag`;
  if (row.withoutHkdf === 'impossible' && !flags.includes(Flag.HKDF)) return `${name} requires HKDF feature flag`;
  return null;
}

function plaintextNamesObjection(flags: readonly string[]): string | null {
  if (!flags.includes(Flag.PlaintextNames)) return null;
  const conflict = NAME_FLAGS.find((flag) => flags.includes(flag));
  return conflict === undefined ? null : `PlaintextNames conflicts with ${conflict} feature flag`;
}

function longNameMaxObjection(value: number, flags: readonly string[]): string | null {
  const hasLongNameMax = flags.includes(Flag.LongNameMax);
  if (value !== 0 && !hasLongNameMax) return `LongNameMax=${value} but the LongNameMax feature flag is NOT set`;
  if (value === 0 && hasLongNameMax) return 'LongNameMax=0 but the LongNameMax feature flag IS set';
  return null;
}

function fido2Objection(config: VaultConfig, flags: readonly string[]): string | null {
  return flags.includes(Flag.FIDO2) && config.FIDO2 === null ? 'the FIDO2 feature flag is set but there is no FIDO2 object' : null;
}
