import type { KeyHandle } from '../native.ts';

/**
 * Immutable facts of an unlocked vault, derived once and handed to every thread (structured-clonable; keys are handles
 * into locked memory, valid in all threads of the process).
 */
export interface VaultParameters {
  /** Row of the cipher registry, e.g. "aegis-128x2". */
  readonly cipher: string;
  /** Nonce and tag length of a content block, bytes. */
  readonly nonceLen: number;
  readonly tagLen: number;
  /** nonceLen + tagLen, bytes. */
  readonly overhead: number;
  /** 4096 + overhead: stored size of a full block, bytes. */
  readonly cipherBlockSize: number;
  readonly contentKey: KeyHandle;
  readonly emeKey: KeyHandle;
  /** Names and symlink targets are stored as they are. */
  readonly plaintextNames: boolean;
  /** Directories have a gocryptfs.diriv; false for plaintext and deterministic names. */
  readonly dirIV: boolean;
  /** Encrypted names longer than longNameMax are hashed; false only with -longnames=false. */
  readonly longNames: boolean;
  /** Longest encrypted name stored as it is, bytes of base64 text. */
  readonly longNameMax: number;
  /** base64url with '=' padding (vaults without Raw64, and always for xattr names with plaintext names). */
  readonly paddedBase64: boolean;
}
