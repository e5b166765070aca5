/** Reading one secret from a stdin that is not a terminal (behaviour.md 3.2). */
import fs from 'node:fs';
import { AegisError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { readSecretLine } from './read-line.ts';

const STDIN = 0;

/** What is read, as the messages call it. */
export type SecretWord = 'Password' | 'Masterkey';

/** One line from stdin. @throws AegisError `read-password` if it is empty, too long or cannot be read */
export function readSecretFromStdin(word: SecretWord, log: Logger): Uint8Array {
  let target = '?';
  try {
    target = fs.readlinkSync(`/proc/self/fd/${STDIN}`);
  } catch {
    // Without /proc only the hint is lost.
  }
  log.info(`Reading ${word} from stdin (connected to "${target}")`);
  const secret = readSecretLine(STDIN);
  if (secret.length === 0) {
    throw new AegisError('read-password', `got empty ${word} from stdin`);
  }
  return secret;
}
