/** Changing the password of a vault (behaviour.md 4.3). */

import fs from 'node:fs';
import { fsPath } from '../base/byte-text.ts';
import { AegisError } from '../base/errors.ts';
import type { Reporter } from '../base/reporter.ts';
import { rewrapConfig } from '../vault/config/create.ts';
import { Flag } from '../vault/config/flags.ts';
import { serializeConfig } from '../vault/config/parse.ts';
import { hasFlag } from '../vault/config/schema.ts';
import { writeConfigFile } from './config-file.ts';
import { errnoText } from './errno-text.ts';
import { hasMasterKey, takeMasterKey } from './secrets/masterkey.ts';
import { readNewPassword } from './secrets/password.ts';
import { openConfig, type SecretOptions, unlockMasterKey } from './unlock.ts';

/** What to change. */
export interface PasswdOptions {
  readonly configPath: string;
  readonly secrets: SecretOptions;
  /** log2 of the scrypt cost if it was given; null keeps the stored one. */
  readonly scryptLogN: number | null;
}

/** Sets a new password; with a master key the old configuration is kept as a backup. @throws AegisError */
export async function changePassword(options: PasswdOptions, log: Reporter): Promise<void> {
  const { configPath, secrets } = options;
  const config = openConfig(configPath, log);
  const byMasterKey = hasMasterKey(secrets);
  const masterKey = byMasterKey ? await takeMasterKey(secrets, log) : await unlockMasterKey(config, secrets, log);
  let password: Uint8Array | undefined;
  try {
    if (hasFlag(config, Flag.FIDO2)) {
      throw new AegisError('fido2-required', 'Password change is not supported on FIDO2-enabled filesystems.');
    }
    log.info('Please enter your new password.');
    password = await readNewPassword({ extpass: [], passfile: [] }, log);
    const text = serializeConfig(rewrapConfig(config, masterKey, password, options.scryptLogN));
    if (byMasterKey) {
      backUp(configPath, log);
    }
    writeConfigFile(configPath, text, log);
  } finally {
    masterKey.fill(0);
    password?.fill(0);
  }
  log.info('Password changed.', 'good');
}

/** The master key was not verified, so the old configuration must not be lost. */
function backUp(configPath: string, log: Reporter): void {
  const backup = `${configPath}.bak`;
  try {
    fs.linkSync(fsPath(configPath), fsPath(backup));
  } catch (error) {
    throw new AegisError('init', `Could not create backup file: link ${configPath} ${backup}: ${errnoText(error)}`);
  }
  log.info(`A copy of the old config file has been created at "${backup}".`, 'aside');
  log.info('Delete it after you have verified that you can access your files with the new password.', 'aside');
}
