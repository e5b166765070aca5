/** The content ciphers: one row each, and everything that differs between them is in the row. */
import { AegisError } from '../base/errors.ts';
import { KeyKind } from '../native.ts';

/** Stable name of a content cipher, used in options, JSON output and VaultParameters. */
export type CipherId = 'xchacha20-poly1305' | 'aegis-128x2' | 'aegis-256x2' | 'aes-siv' | 'aes-gcm';

/** What a configuration must say about a flag next to a cipher. */
export type FlagRule = 'required' | 'forbidden' | 'optional';

/** A content cipher (format.md 4.3, 5 and 6). */
export interface CipherRow {
  readonly id: CipherId;
  /** As -info prints it. */
  readonly displayName: string;
  /** Row name of -speed, without the suffix for the library. */
  readonly speedName: string;
  readonly kind: KeyKind;
  /** Length of the content key, bytes. */
  readonly keyLen: number;
  /** Length of the nonce of a block, bytes. */
  readonly nonceLen: number;
  /** Length of the tag of a block, bytes. */
  readonly tagLen: number;
  /** Bytes of the master key that derivation uses, from its start. */
  readonly masterKeyLen: number;
  /** Length of the EME key, bytes; 16 means AES-128. */
  readonly emeKeyLen: number;
  /** HKDF info string of the content key. */
  readonly hkdfInfo: string;
  /** Content key of a vault without HKDF: the used part of the master key, its SHA-512, or no such vaults. */
  readonly withoutHkdf: 'master' | 'sha512' | 'impossible';
  /** Feature flag of the configuration; null for the cipher that needs none. */
  readonly flag: string | null;
  /** Command line option, without dash; null for the default. */
  readonly option: string | null;
  readonly gcmIV128: FlagRule;
  /** Flags of other ciphers this one cannot stand beside, checked before everything else about ciphers. */
  readonly excludes: readonly string[];
}

const GCM_INFO = 'AES-GCM file content encryption';

/** All ciphers; when a configuration has several cipher flags the first row wins, as in format.md 4.3. */
export const CIPHERS: readonly CipherRow[] = [
  {
    id: 'xchacha20-poly1305',
    displayName: 'XChaCha20-Poly1305',
    speedName: 'XChaCha20-Poly1305',
    kind: KeyKind.XChaCha20Poly1305,
    keyLen: 32,
    nonceLen: 24,
    tagLen: 16,
    masterKeyLen: 32,
    emeKeyLen: 32,
    hkdfInfo: 'XChaCha20-Poly1305 file content encryption',
    withoutHkdf: 'impossible',
    flag: 'XChaCha20Poly1305',
    option: 'xchacha',
    gcmIV128: 'forbidden',
    excludes: ['AESSIV', 'AEGIS', 'AEGIS256X2'],
  },
  {
    // Variant A: half of the master key, the info string of AES-GCM and AES-128 for names (format.md 5).
    id: 'aegis-128x2',
    displayName: 'Aegis128X2',
    speedName: 'Aegis128X2',
    kind: KeyKind.Aegis128X2,
    keyLen: 16,
    nonceLen: 16,
    tagLen: 16,
    masterKeyLen: 16,
    emeKeyLen: 16,
    hkdfInfo: GCM_INFO,
    withoutHkdf: 'master',
    flag: 'AEGIS',
    option: 'aegis',
    gcmIV128: 'forbidden',
    excludes: ['AEGIS256X2'],
  },
  {
    // Variant B.
    id: 'aegis-256x2',
    displayName: 'Aegis256X2',
    speedName: 'Aegis256X2',
    kind: KeyKind.Aegis256X2,
    keyLen: 32,
    nonceLen: 32,
    tagLen: 16,
    masterKeyLen: 32,
    emeKeyLen: 32,
    hkdfInfo: GCM_INFO,
    withoutHkdf: 'impossible',
    flag: 'AEGIS256X2',
    option: 'aegis256x2',
    gcmIV128: 'forbidden',
    excludes: [],
  },
  {
    id: 'aes-siv',
    displayName: 'AES-SIV-512',
    speedName: 'AES-SIV-512',
    kind: KeyKind.AesSiv,
    keyLen: 64,
    nonceLen: 16,
    tagLen: 16,
    masterKeyLen: 32,
    emeKeyLen: 32,
    hkdfInfo: 'AES-SIV file content encryption',
    withoutHkdf: 'sha512',
    flag: 'AESSIV',
    option: 'aessiv',
    gcmIV128: 'required',
    excludes: [],
  },
  {
    id: 'aes-gcm',
    displayName: 'AES-GCM-256',
    speedName: 'AES-GCM-256',
    kind: KeyKind.AesGcm,
    keyLen: 32,
    nonceLen: 16,
    tagLen: 16,
    masterKeyLen: 32,
    emeKeyLen: 32,
    hkdfInfo: GCM_INFO,
    withoutHkdf: 'master',
    flag: null,
    option: null,
    gcmIV128: 'required',
    excludes: [],
  },
];

/** The row of a cipher id. @throws AegisError 'cipher-missing' for an id that is none */
export function cipherById(id: string): CipherRow {
  const row = CIPHERS.find((candidate) => candidate.id === id);
  if (row === undefined) throw new AegisError('cipher-missing', `unknown content cipher "${id}"`);
  return row;
}

/** The cipher that a set of feature flags means (format.md 4.3); the flags need not be valid together. */
export function cipherOfFlags(flags: readonly string[]): CipherRow {
  return CIPHERS.find((row) => row.flag === null || flags.includes(row.flag))!;
}
