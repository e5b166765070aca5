/** What translators of either kind have in common. */
import { Errno, errnoName } from '../../base/errno.ts';
import { textOfErrnoName } from '../errno-text.ts';
import { NO_ERRNO, type Translation } from './translator.ts';

const SLASH = 0x2f;
const OUTSIDE_BASE64 = /[^A-Za-z0-9_=-]/;

/** Components of a canonical path. */
export function splitPath(path: Uint8Array): Uint8Array[] {
  const names: Uint8Array[] = [];
  let start = 0;
  for (let end = path.indexOf(SLASH); end >= 0; end = path.indexOf(SLASH, start)) {
    names.push(path.subarray(start, end));
    start = end + 1;
  }
  names.push(path.subarray(start));
  return names;
}

/** The path made of these components. */
export function joinPath(names: readonly Uint8Array[]): Uint8Array {
  return Buffer.concat(names.flatMap((name, i) => (i === 0 ? [name] : [Uint8Array.of(SLASH), name])));
}

/** Why a text is no encrypted name: a message, or a negated errno. */
export function describeBadName(text: Uint8Array, len: number): string | number {
  const at = Buffer.from(text.subarray(0, len)).toString('latin1').search(OUTSIDE_BASE64);
  return at < 0 ? -Errno.EBADMSG : `illegal base64 data at input byte ${at}`;
}

/** A failed translation, by a message or a negated errno. */
export function failure(reason: number | string): Translation {
  if (typeof reason === 'string') {
    return { errno: NO_ERRNO, text: reason };
  }
  return { errno: reason === -Errno.ENOENT ? Errno.ENOENT : NO_ERRNO, text: textOfErrnoName(errnoName(reason)) };
}
