import type { NameMode } from './cipherdir.ts';

/** A content cipher as chosen at -init. Overheads in bytes a block: format.md 6. */
export interface Cipher {
  readonly name: string;
  readonly options: readonly string[];
  readonly overhead: number;
}

/** A way to store names as chosen at -init. */
export interface Naming {
  readonly name: string;
  readonly options: readonly string[];
  readonly mode: NameMode;
}

/** The ciphers that released programs know. */
export const RELEASED_CIPHERS: readonly Cipher[] = [
  { name: 'AES-GCM', options: [], overhead: 32 },
  { name: 'AES-SIV', options: ['-aessiv'], overhead: 32 },
  { name: 'XChaCha20-Poly1305', options: ['-xchacha'], overhead: 40 },
];
export const AEGIS: Cipher = { name: 'AEGIS-128X2', options: ['-aegis'], overhead: 32 };
export const CIPHERS: readonly Cipher[] = [...RELEASED_CIPHERS, AEGIS, { name: 'AEGIS-256X2', options: ['-aegis256x2'], overhead: 48 }];

export const DEFAULT_NAMES: Naming = { name: 'default names', options: [], mode: 'default' };
export const NAMINGS: readonly Naming[] = [
  DEFAULT_NAMES,
  { name: 'plaintext names', options: ['-plaintextnames'], mode: 'plaintext' },
  { name: 'deterministic names', options: ['-deterministic-names'], mode: 'deterministic' },
  { name: 'long names from 100', options: ['-longnamemax', '100'], mode: 'default' },
];

/** True for the complete matrix (nightly), false for the choice that fits a run on every change. */
export const FULL = process.env.AEGISFS_TESTS === 'full';
