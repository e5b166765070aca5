/** One secret per line, from a descriptor that others may go on reading (behaviour.md 3.2). */

import { Errno, errnoName } from '../../base/errno.ts';
import { AegisError } from '../../base/errors.ts';
import { pollIn, read } from '../../sys/files.ts';

/** Longest password, bytes. */
export const MAX_PASSWORD_LEN = 2048;

const LINE_FEED = 10;
const FOREVER_MS = -1;

/**
 * Reads up to and excluding the first line feed or the end, one byte per call, so that nothing behind the line feed is consumed.
 * @throws AegisError `read-password` for a read error or more than MAX_PASSWORD_LEN bytes
 */
export function readSecretLine(fd: number): Uint8Array {
  const buffer = new Uint8Array(MAX_PASSWORD_LEN + 1);
  let length = 0;
  for (;;) {
    const got = read(fd, buffer, length, 1);
    if (got === -Errno.EINTR || got === -Errno.EAGAIN) {
      pollIn(fd, FOREVER_MS);
      continue;
    }
    if (got < 0) {
      buffer.fill(0);
      throw new AegisError('read-password', `could not read: ${errnoName(got)}`);
    }
    if (got === 0 || buffer[length] === LINE_FEED) {
      return takeSecret(buffer, length);
    }
    length += 1;
    if (length > MAX_PASSWORD_LEN) {
      buffer.fill(0);
      throw new AegisError('read-password', `fatal: maximum password length of ${MAX_PASSWORD_LEN} bytes exceeded`);
    }
  }
}

/** Copies the first `length` bytes into a buffer of their own and zeroes the source. */
export function takeSecret(buffer: Uint8Array, length: number): Uint8Array {
  const secret = Uint8Array.from(buffer.subarray(0, length));
  buffer.fill(0);
  return secret;
}

/** The bytes before the first line feed (all, if there is none), copied. */
export function firstLine(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(LINE_FEED);
  return Uint8Array.from(end < 0 ? bytes : bytes.subarray(0, end));
}
