/** Combinations and values that are refused right after parsing (behaviour.md 1.3 and 1.4). */
import type { FlagValues } from './flags.ts';
import { isWellFormedGlob } from './glob-syntax.ts';
import { quoteWords } from './parse.ts';
import { readBool, readInteger, ValueProblem } from './values.ts';

function together(first: string, second: string): string {
  return `The options ${first} and ${second} cannot be used at the same time`;
}

/** The first rule a command line breaks, as a complete message; exit code 1. */
export function checkOptions(values: FlagValues): string | undefined {
  const openssl = values.openssl === 'auto' ? true : readBool(values.openssl);
  if (openssl instanceof ValueProblem) {
    return `Invalid "-openssl" setting: ${openssl.detail}`;
  }
  const extpass = values.extpass.length > 0;
  const passfile = values.passfile.length > 0;
  const masterkey = values.masterkey !== '';
  if (extpass && passfile) {
    return together('-extpass', '-passfile');
  }
  if (passfile && masterkey) {
    return together('-passfile', '-masterkey');
  }
  if (extpass && masterkey && !values.init) {
    return together('-extpass', '-masterkey');
  }
  if (extpass && values.fido2 !== '') {
    return together('-extpass', '-fido2');
  }
  if (values.idle < 0) {
    return 'Idle timeout cannot be less than 0';
  }
  const badGlob = values.badname.find((pattern) => !isWellFormedGlob(pattern));
  if (badGlob !== undefined) {
    return `-badname: invalid pattern ${quoteWords([badGlob])} supplied`;
  }
  if (values.longnamemax > 0 && values.longnamemax < 62) {
    return `-longnamemax: value ${values.longnamemax} is outside allowed range 62 ... 255`;
  }
  return undefined;
}

/** The owner of `-force_owner UID:GID`, null if not asked for, or the complete error message (behaviour.md 5.5). */
export function parseForceOwner(text: string): { uid: number; gid: number } | null | string {
  if (text === '') {
    return null;
  }
  const parts = text.split(':');
  if (parts.length !== 2) {
    return 'force_owner must be in form UID:GID';
  }
  const ids: number[] = [];
  for (const [at, kind] of ['UID', 'GID'].entries()) {
    const word = parts[at] ?? '';
    const id = readInteger(word, -1n, 0x7fffffffn);
    if (id instanceof ValueProblem || id < 0) {
      return `force_owner: Unable to parse ${kind} ${word} as positive integer`;
    }
    ids.push(id);
  }
  return { uid: ids[0] ?? 0, gid: ids[1] ?? 0 };
}
