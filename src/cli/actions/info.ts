/** -info. */
import { isAegisError } from '../../base/errors.ts';
import { readVaultInfo } from '../../operations/info.ts';
import { Exit } from '../exit-codes.ts';
import { writeAll } from '../output.ts';
import type { VaultActionInput } from './vault.ts';

const STDOUT = 1;

/** Prints the properties of a vault (behaviour.md 1.8). */
export function infoAction(input: VaultActionInput): number {
  try {
    const info = readVaultInfo(input.configPath);
    const { saltLen, N, R, P, keyLen } = info.scrypt;
    const rows = [
      ['Creator:', info.creator],
      ['FeatureFlags:', info.featureFlags.join(' ')],
      ['EncryptedKey:', `${info.encryptedKeyLen}B`],
      ['ScryptObject:', `Salt=${saltLen}B N=${N} R=${R} P=${P} KeyLen=${keyLen}`],
      ['contentEncryption:', info.contentEncryption],
    ] as const;
    writeAll(STDOUT, rows.map(([label, value]) => `${label.padEnd(18)} ${value}\n`).join(''));
    return Exit.Success;
  } catch (error) {
    if (!isAegisError(error)) {
      throw error;
    }
    writeAll(STDOUT, `Loading config file failed: ${error.message}\n`);
    return Exit.LoadConfig;
  }
}
