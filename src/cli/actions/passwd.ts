/** -passwd. */
import { changePassword } from '../../operations/passwd.ts';
import { Exit } from '../exit-codes.ts';
import { secretOptions } from './options.ts';
import type { VaultActionInput } from './vault.ts';

/** Changes the password of a vault (behaviour.md 4.3). */
export async function passwdAction(input: VaultActionInput): Promise<number> {
  const { line, configPath, output } = input;
  const scryptLogN = line.given.has('scryptn') ? line.values.scryptn : null;
  await changePassword({ configPath, secrets: secretOptions(line.values), scryptLogN }, output.log);
  return Exit.Success;
}
