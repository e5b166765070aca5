/** A password from another program (behaviour.md 3.3). */

import { spawnSync } from 'node:child_process';
import { AegisError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { errnoText } from '../errno-text.ts';
import { firstLine, MAX_PASSWORD_LEN } from './read-line.ts';

/** Far more than a password; a program that prints without end is stopped here. */
const MAX_OUTPUT_BYTES = 64 * 1024;

/**
 * Runs the program and takes the first line of its output.
 * @param words one element: split at every single blank; several: program and arguments as they are
 * @throws AegisError `read-password`
 */
export function runExtpass(words: readonly string[], log: Logger): Uint8Array {
  const [program = '', ...args] = words.length === 1 ? (words[0] ?? '').split(' ') : words;
  const quoted = args.map((word) => JSON.stringify(word)).join(' ');
  log.info(`Reading password from extpass program "${program}", arguments: [${quoted}]`);
  const result = spawnSync(program, args, { stdio: ['ignore', 'pipe', 'inherit'], maxBuffer: MAX_OUTPUT_BYTES });
  const output = result.stdout ?? Buffer.alloc(0);
  try {
    if (result.error !== undefined && result.pid === 0) {
      throw new AegisError('read-password', `extpass cmd start failed: ${program}: ${errnoText(result.error)}`);
    }
    if (result.status !== 0) {
      const how = result.status === null ? `signal: ${result.signal}` : `exit status ${result.status}`;
      throw new AegisError('read-password', `extpass program returned an error: ${how}`);
    }
    const password = firstLine(output);
    if (password.length > MAX_PASSWORD_LEN) {
      password.fill(0);
      throw new AegisError('read-password', `fatal: maximum password length of ${MAX_PASSWORD_LEN} bytes exceeded`);
    }
    if (password.length === 0) {
      throw new AegisError('read-password', 'extpass: password is empty');
    }
    return password;
  } finally {
    output.fill(0);
  }
}
