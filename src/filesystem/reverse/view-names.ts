/** The names of a reverse view, and how its nodes are named in the node table. */
import { asciiBytes, isBytes } from '../../base/bytes.ts';

/** Name of the configuration in the plain folder. */
export const REVERSE_CONF = asciiBytes('.gocryptfs.reverse.conf');
/** The same with its NUL, as system calls take it. */
export const REVERSE_CONF_PATH = asciiBytes('.gocryptfs.reverse.conf\0');

/** What a node of the view stands for. */
export const ViewKind = {
  /** An object of the plain folder, encrypted. */
  Real: 0,
  /** The configuration, passed through. */
  Conf: 1,
  /** gocryptfs.diriv of a directory. */
  DirIV: 2,
  /** The `.name` file of an entry with a long name. */
  NameFile: 3,
} as const;
export type ViewKind = (typeof ViewKind)[keyof typeof ViewKind];

/** Virtual files are kept in the node table under names that no real object can have: these two, the second before a plain name. */
const VIRTUAL = 0x2f;
const NAME_FILE = 0x6e;
/** Bytes before the plain name in the key of a `.name` file. */
export const NAME_FILE_PREFIX_LEN = 2;
/** Key of the IV file of a directory. */
export const DIR_IV_KEY = asciiBytes('/d\0');
/** Length of that key without NUL. */
export const DIR_IV_KEY_LEN = 2;

/** Puts the key of the `.name` file of a plain name into dst, with a NUL. @returns its length */
export function nameFileKey(plain: Uint8Array, off: number, len: number, dst: Uint8Array): number {
  dst[0] = VIRTUAL;
  dst[1] = NAME_FILE;
  for (let i = 0; i < len; i++) dst[NAME_FILE_PREFIX_LEN + i] = plain[off + i]!;
  dst[NAME_FILE_PREFIX_LEN + len] = 0;
  return NAME_FILE_PREFIX_LEN + len;
}

/** What a name of the node table stands for; `isMapped` says whether a configuration in this directory is passed through. */
export function kindOfKey(key: Uint8Array, len: number, isMapped: boolean): ViewKind {
  if (key[0] === VIRTUAL) return key[1] === NAME_FILE ? ViewKind.NameFile : ViewKind.DirIV;
  return isMapped && isBytes(key, 0, len, REVERSE_CONF) ? ViewKind.Conf : ViewKind.Real;
}
