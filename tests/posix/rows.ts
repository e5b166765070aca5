import { AEGIS, CIPHERS, type Cipher, DEFAULT_NAMES, FULL, NAMINGS, type Naming } from '../support/matrix.ts';
import { aegisfs, gocryptfs, type Program } from '../support/program.ts';

/** One filesystem that the suite runs on. */
export interface Row {
  readonly name: string;
  readonly program: Program;
  readonly cipher: Cipher;
  readonly naming: Naming;
  readonly mount: readonly string[];
  readonly env: Record<string, string>;
  /** Promises that this program is known not to keep, with the reason. They must fail: the list stays true. */
  readonly deviations: Record<string, string>;
}

const SHARED = ['-allow_other'];

function row(name: string, cipher: Cipher, naming: Naming, more: Partial<Row> = {}): Row {
  return { name, program: aegisfs, cipher, naming, mount: SHARED, env: {}, deviations: {}, ...more };
}

const aegis = (name: string, more: Partial<Row>) => row(`AEGIS-128X2, ${name}`, AEGIS, DEFAULT_NAMES, more);

/** All ciphers with all namings, or all ciphers with default names and AEGIS with all namings. */
const vaults = (FULL ? CIPHERS.flatMap((cipher) => NAMINGS.map((naming) => [cipher, naming] as const)) : choice()).map(([cipher, naming]) =>
  row(`${cipher.name}, ${naming.name}`, cipher, naming),
);

function choice(): (readonly [Cipher, Naming])[] {
  return [...CIPHERS.map((cipher) => [cipher, DEFAULT_NAMES] as const), ...NAMINGS.slice(1).map((naming) => [AEGIS, naming] as const)];
}

export const AEGISFS_ROWS: readonly Row[] = [
  ...vaults,
  aegis('for root alone', { mount: [] }),
  aegis('shared storage', { mount: [...SHARED, '-sharedstorage'] }),
  aegis('ACLs enforced', { mount: [...SHARED, '-acl'] }),
  aegis('one worker', { env: { AEGISFS_WORKERS: '1' } }),
  aegis('eight workers', { env: { AEGISFS_WORKERS: '8' } }),
];

const NAMELESS = 'release 2.3 needs the name of a file whose handle the kernel does not send';
const CREATED_MODE = 'release 2.3 answers mkdir with the mode the directory has while its IV is being written';

const GOCRYPTFS_DEVIATIONS: Record<string, string> = {
  'unlinked but open, short name: mode, owner, times and syncs': NAMELESS,
  'unlinked but open, long name: mode, owner, times and syncs': NAMELESS,
  'overwritten but open, short name: mode, owner, times and syncs': NAMELESS,
  'overwritten but open, long name: mode, owner, times and syncs': NAMELESS,
  'times of two hundred deleted files can be set': NAMELESS,
  'xattrs of an unlinked open file': NAMELESS,
  'a removed directory that is open is empty and has no links': NAMELESS,
  'a removed FIFO that is open can be looked at': NAMELESS,
  'every mode is kept, and every mode can be removed': CREATED_MODE,
  'setgid is inherited, also with a mode without rwx': CREATED_MODE,
  'a directory its owner may not enter can be removed by its owner': CREATED_MODE,
  'directories, long to short: absent, empty and full targets':
    'release 2.3 loses the name file when a long-named empty directory is overwritten',
  'directories, long to long: absent, empty and full targets':
    'release 2.3 loses the name file when a long-named empty directory is overwritten',
  'nanoseconds are kept, on files, directories, links and FIFOs': 'release 2.3 sets the times of the target of a link',
};

/** The original keeps almost all of the same promises: that says that the suite asks the right things. */
export const GOCRYPTFS_ROW: Row = row('gocryptfs', CIPHERS[0] ?? AEGIS, DEFAULT_NAMES, {
  program: gocryptfs,
  deviations: GOCRYPTFS_DEVIATIONS,
});
