/** What a plaintext name and a directory IV may be (format.md 8.1, 8.4). */
import { isZero } from '../../base/bytes.ts';
import { Errno } from '../../base/errno.ts';

/** Longest plaintext name, and longest name on the usual backing filesystems, bytes. */
export const MAX_NAME_LEN = 255;
/** Longest encrypted name there can be, bytes of base64 text: 255 plaintext bytes with padding. */
export const MAX_CIPHER_NAME_LEN = 344;
/** Length of a directory IV, bytes. */
export const DIR_IV_LEN = 16;
/** Name of the file that holds the IV of a directory. */
export const DIR_IV_NAME = 'gocryptfs.diriv';
/** Name of the configuration in the root of a vault. */
export const CONF_NAME = 'gocryptfs.conf';
/** The IV of every directory with deterministic names; also handed in where no IV is used. */
export const ZERO_IV = new Uint8Array(DIR_IV_LEN);

const SLASH = 0x2f;
const DOT = 0x2e;

/** True for '.' and '..'. */
export function isDotName(name: Uint8Array, off: number, len: number): boolean {
  return (len === 1 && name[off] === DOT) || (len === 2 && name[off] === DOT && name[off + 1] === DOT);
}

/** Checks a plaintext name. @returns 0, −ENAMETOOLONG above 255 bytes, −EBADMSG for any other rule of format.md 8.1 */
export function checkName(name: Uint8Array, off: number, len: number): number {
  if (len > MAX_NAME_LEN) return -Errno.ENAMETOOLONG;
  if (len === 0 || isDotName(name, off, len)) return -Errno.EBADMSG;
  for (let i = off; i < off + len; i++) {
    const byte = name[i];
    if (byte === SLASH || byte === 0) return -Errno.EBADMSG;
  }
  return 0;
}

/** True if `len` bytes, read with DIR_IV_LEN + 1, are a directory IV: exactly 16 and not all zero. */
export function isDirIV(buf: Uint8Array, off: number, len: number): boolean {
  return len === DIR_IV_LEN && !isZero(buf, off, len);
}
