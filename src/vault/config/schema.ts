/** The configuration file as an object (format.md 4.1, 4.7). */

/** Scrypt parameters with the names of the file. */
export interface ScryptObject {
  readonly Salt: Uint8Array;
  readonly N: number;
  readonly R: number;
  readonly P: number;
  /** Length of the output, bytes. */
  readonly KeyLen: number;
}

/** What a FIDO2 token needs to give the secret that replaces the password. */
export interface Fido2Object {
  readonly CredentialID: Uint8Array;
  readonly HMACSalt: Uint8Array;
  /** Values for -t of fido2-assert; null as old files have it. */
  readonly AssertOptions: readonly string[] | null;
}

/** A parsed configuration; fields are spelt as in the file. Nothing in it is secret by itself. */
export interface VaultConfig {
  readonly Creator: string;
  /** Wrapped master key. */
  readonly EncryptedKey: Uint8Array;
  readonly ScryptObject: ScryptObject;
  readonly Version: number;
  /** null is kept as null when the file is written again. */
  readonly FeatureFlags: readonly string[] | null;
  /** null if the file has none. */
  readonly FIDO2: Fido2Object | null;
  /** 0 if the file has none. */
  readonly LongNameMax: number;
}

/** True if the configuration has a feature flag. */
export function hasFlag(config: VaultConfig, flag: string): boolean {
  return config.FeatureFlags?.includes(flag) ?? false;
}
