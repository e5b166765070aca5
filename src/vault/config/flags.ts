/** Feature flags of a configuration (format.md 4.3). */
import { CIPHERS } from '../../crypto/registry.ts';

/** Flags that do not choose a cipher, by what they stand for. */
export const Flag = {
  PlaintextNames: 'PlaintextNames',
  DirIV: 'DirIV',
  EMENames: 'EMENames',
  GCMIV128: 'GCMIV128',
  LongNames: 'LongNames',
  LongNameMax: 'LongNameMax',
  Raw64: 'Raw64',
  HKDF: 'HKDF',
  FIDO2: 'FIDO2',
} as const;

const CIPHER_FLAGS = CIPHERS.flatMap((row) => (row.flag === null ? [] : [row.flag]));
const KNOWN: ReadonlySet<string> = new Set([...Object.values(Flag), ...CIPHER_FLAGS]);

/** Flags that cannot stand next to PlaintextNames, in the order in which they are reported (behaviour.md 4.2). */
export const NAME_FLAGS: readonly string[] = [Flag.EMENames, Flag.DirIV, Flag.LongNames, Flag.Raw64, Flag.LongNameMax];

/** True for a flag this program knows; case matters. */
export function isKnownFlag(flag: string): boolean {
  return KNOWN.has(flag);
}

/** Command line options that decide the flags of a new vault. */
export interface NewVaultFlags {
  /** Options of the cipher registry that are switched on, without dash, e.g. ['aegis']. */
  readonly cipherOptions: readonly string[];
  readonly reverse: boolean;
  readonly plaintextNames: boolean;
  readonly deterministicNames: boolean;
  /** 0 and 255 mean the default. */
  readonly longNameMax: number;
  readonly fido2: boolean;
}

/** True if a threshold for long names is stored at all. */
export function isStoredLongNameMax(value: number): boolean {
  return value !== 0 && value !== 255;
}

/** Flags of a new vault in the order in which they are written; they may contradict each other (format.md 4.3). */
export function flagsOfNewVault(options: NewVaultFlags): string[] {
  const flags: string[] = [Flag.HKDF, ...nonceFlags(options.cipherOptions)];
  if (options.plaintextNames) flags.push(Flag.PlaintextNames);
  else {
    if (!options.deterministicNames) flags.push(Flag.DirIV);
    if (isStoredLongNameMax(options.longNameMax)) flags.push(Flag.LongNameMax);
    flags.push(Flag.EMENames, Flag.LongNames, Flag.Raw64);
  }
  for (const row of CIPHERS) {
    const asked = row.option !== null && options.cipherOptions.includes(row.option);
    if (row.flag !== null && row.gcmIV128 === 'required' && (asked || (options.reverse && row.id === 'aes-siv'))) flags.push(row.flag);
  }
  if (options.fido2) flags.push(Flag.FIDO2);
  return flags;
}

/** The flag of a cipher with its own nonce length, or GCMIV128; -xchacha wins over the others as it always did. */
function nonceFlags(cipherOptions: readonly string[]): string[] {
  if (cipherOptions.includes('xchacha')) return ['XChaCha20Poly1305'];
  const own = CIPHERS.filter((row) => row.gcmIV128 === 'forbidden' && row.option !== null && cipherOptions.includes(row.option));
  return own.length === 0 ? [Flag.GCMIV128] : own.map((row) => row.flag!);
}
