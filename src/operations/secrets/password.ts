/** Which source a password comes from (behaviour.md 3.1). The caller zeroes what it gets. */
import { AegisError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { runExtpass } from './extpass.ts';
import { readPassfiles } from './passfile.ts';
import { readSecretFromStdin } from './stdin.ts';
import { askOnTerminal, askTwice, stdinIsTerminal } from './terminal.ts';

/** Sources named on the command line. */
export interface PasswordSources {
  readonly extpass: readonly string[];
  readonly passfile: readonly string[];
}

/** The password of an existing vault: files, program, terminal, stdin. @throws AegisError `read-password` */
export async function readPassword(sources: PasswordSources, log: Logger): Promise<Uint8Array> {
  const given = readGivenPassword(sources, log);
  if (given !== undefined) {
    return given;
  }
  if (!stdinIsTerminal()) {
    return readSecretFromStdin('Password', log);
  }
  const password = await askOnTerminal('Password');
  if (password.length === 0) {
    throw new AegisError('read-password', 'password is empty');
  }
  return password;
}

/** A password that is about to be set: as above, but a terminal asks twice. @throws AegisError `read-password` */
export async function readNewPassword(sources: PasswordSources, log: Logger): Promise<Uint8Array> {
  const given = readGivenPassword(sources, log);
  if (given !== undefined) {
    return given;
  }
  return stdinIsTerminal() ? askTwice('Password') : readSecretFromStdin('Password', log);
}

function readGivenPassword(sources: PasswordSources, log: Logger): Uint8Array | undefined {
  if (sources.passfile.length > 0) {
    return readPassfiles(sources.passfile, log);
  }
  return sources.extpass.length > 0 ? runExtpass(sources.extpass, log) : undefined;
}
