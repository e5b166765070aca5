/** Getting the master key out of a configuration, for people who have to keep it (behaviour.md 10.1). */
import type { Reporter } from '../../base/reporter.ts';
import { openConfig, unlockMasterKey } from '../unlock.ts';

/**
 * Asks for the password on the terminal or stdin, or for the token.
 * @param fido2 device of a FIDO2 token, or empty
 * @returns the master key; the caller zeroes it
 * @throws AegisError of loading and unlocking
 */
export function readMasterKey(configPath: string, fido2: string, log: Reporter): Promise<Uint8Array> {
  const config = openConfig(configPath, log);
  return unlockMasterKey(config, { extpass: [], passfile: [], masterkey: '', zerokey: false, fido2 }, log);
}
