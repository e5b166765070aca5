/** What a configuration says, without any secret (behaviour.md 1.8). */
import { cipherOfFlags } from '../crypto/registry.ts';
import { loadConfig } from '../vault/config/parse.ts';
import { readConfigFile } from './config-file.ts';

/** Properties of a vault. */
export interface VaultInfo {
  readonly creator: string;
  readonly featureFlags: readonly string[];
  /** Length of the wrapped master key, bytes. */
  readonly encryptedKeyLen: number;
  readonly scrypt: { readonly saltLen: number; readonly N: number; readonly R: number; readonly P: number; readonly keyLen: number };
  /** Name of the content cipher. */
  readonly contentEncryption: string;
}

/** Reads the properties. @throws AegisError for every kind of load failure */
export function readVaultInfo(configPath: string): VaultInfo {
  const config = loadConfig(readConfigFile(configPath));
  const featureFlags = config.FeatureFlags ?? [];
  const { Salt, N, R, P, KeyLen } = config.ScryptObject;
  return {
    creator: config.Creator,
    featureFlags,
    encryptedKeyLen: config.EncryptedKey.length,
    scrypt: { saltLen: Salt.length, N, R, P, keyLen: KeyLen },
    contentEncryption: cipherOfFlags(featureFlags).displayName,
  };
}
