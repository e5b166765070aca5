/** A master key given directly (behaviour.md 3.5, 3.6; format.md 4.8). */
import { AegisError } from '../../base/errors.ts';
import type { Reporter } from '../../base/reporter.ts';
import { MASTER_KEY_LEN } from '../../crypto/keys.ts';
import { parseMasterKey } from '../../vault/config/masterkey.ts';
import { readSecretFromStdin } from './stdin.ts';
import { askOnTerminal, stdinIsTerminal } from './terminal.ts';

/** How the command line names a master key. */
export interface MasterKeyChoice {
  /** Hex digits, `stdin`, or empty. */
  readonly masterkey: string;
  readonly zerokey: boolean;
}

/** True if no password is needed. */
export function hasMasterKey(choice: MasterKeyChoice): boolean {
  return choice.masterkey !== '' || choice.zerokey;
}

/** The key of `-masterkey` or `-zerokey`; the caller zeroes it. @throws AegisError `masterkey` or `read-password` */
export async function takeMasterKey(choice: MasterKeyChoice, log: Reporter): Promise<Uint8Array> {
  if (choice.masterkey === '') {
    log.info('Using all-zero dummy master key.');
    log.info('ZEROKEY MODE PROVIDES NO SECURITY AT ALL AND SHOULD ONLY BE USED FOR TESTING.', 'caution');
    return new Uint8Array(MASTER_KEY_LEN);
  }
  const fromStdin = choice.masterkey === 'stdin';
  const key = fromStdin ? await readMasterKeyLine(log) : parseMasterKey(choice.masterkey);
  log.info('Using explicit master key.');
  if (!fromStdin) {
    log.info('THE MASTER KEY IS VISIBLE VIA "ps ax" AND MAY BE STORED IN YOUR SHELL HISTORY!', 'caution');
    log.info('ONLY USE THIS MODE FOR EMERGENCIES', 'caution');
  }
  return key;
}

async function readMasterKeyLine(log: Reporter): Promise<Uint8Array> {
  const line = stdinIsTerminal() ? await askOnTerminal('Masterkey') : readSecretFromStdin('Masterkey', log);
  if (line.length === 0) {
    throw new AegisError('read-password', 'master key is empty');
  }
  try {
    return parseMasterKey(Buffer.from(line).toString('latin1'));
  } finally {
    line.fill(0);
  }
}
