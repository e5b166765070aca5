/** The table of command line options (behaviour.md 1.6): one row per option; the parser, the help and the types are derived from it. */

/** How the value of an option is written and what it becomes (behaviour.md 1.3). */
export type FlagKind = 'bool' | 'int' | 'uint8' | 'duration' | 'string' | 'list';

/** One row of the table. */
export interface FlagSpec {
  readonly name: string;
  /** Second spelling; both share one value. */
  readonly alias?: string;
  readonly kind: FlagKind;
  /** Numbers for int, uint8 and duration (nanoseconds); a list starts empty. */
  readonly default: boolean | number | string | readonly string[];
  readonly help: string;
  /** Selects an operation instead of configuring one. */
  readonly operation?: true;
}

const none: readonly string[] = [];

export const FLAGS = [
  { name: 'acl', kind: 'bool', default: false, help: 'Let the kernel enforce POSIX ACLs' },
  { name: 'aegis', kind: 'bool', default: false, help: 'Encrypt contents with AEGIS-128X2' },
  { name: 'aegis256x2', kind: 'bool', default: false, help: 'Encrypt contents with AEGIS-256X2' },
  { name: 'aessiv', kind: 'bool', default: false, help: 'Encrypt contents with AES-SIV' },
  { name: 'allow_other', kind: 'bool', default: false, help: 'Let other users use the mount; permissions are checked' },
  { name: 'badname', kind: 'list', default: none, help: 'Show undecryptable names that match this glob pattern' },
  { name: 'config', kind: 'string', default: '', help: 'Use this config file instead of the one in CIPHERDIR' },
  { name: 'context', kind: 'string', default: '', help: 'Set the SELinux context of the mount' },
  { name: 'cpuprofile', kind: 'string', default: '', help: 'Write a CPU profile to this file' },
  { name: 'ctlsock', kind: 'string', default: '', help: 'Create a control socket here' },
  { name: 'debug', alias: 'd', kind: 'bool', default: false, help: 'Print debug messages' },
  {
    name: 'deterministic-names',
    kind: 'bool',
    default: false,
    help: 'Encrypt equal names equally in every directory (no gocryptfs.diriv)',
  },
  { name: 'dev', kind: 'bool', default: false, help: 'Allow device files' },
  { name: 'devrandom', kind: 'bool', default: false, help: 'Accepted for compatibility, without effect' },
  { name: 'exclude', alias: 'e', kind: 'list', default: none, help: 'Hide this path in the reverse view' },
  { name: 'exclude-from', kind: 'list', default: none, help: 'Read patterns to hide in the reverse view from this file' },
  { name: 'exclude-wildcard', alias: 'ew', kind: 'list', default: none, help: 'Hide paths that match this pattern in the reverse view' },
  { name: 'exec', kind: 'bool', default: false, help: 'Allow programs to be run' },
  { name: 'extpass', kind: 'list', default: none, help: 'Run this program to get the password' },
  { name: 'fg', alias: 'f', kind: 'bool', default: false, help: 'Stay in the foreground' },
  { name: 'fido2', kind: 'string', default: '', help: 'Use the FIDO2 token at this device path' },
  { name: 'fido2-assert-option', kind: 'list', default: none, help: 'Option for fido2-assert -t, kept in the config file' },
  { name: 'force_owner', kind: 'string', default: '', help: 'Show everything as owned by UID:GID' },
  { name: 'forcedecode', kind: 'bool', default: false, help: 'Accepted for compatibility, without effect' },
  { name: 'fsck', kind: 'bool', default: false, operation: true, help: 'Check CIPHERDIR for damage' },
  { name: 'fsname', kind: 'string', default: '', help: 'Name shown in the first column of df' },
  { name: 'fusedebug', kind: 'bool', default: false, help: 'Print every FUSE request and reply' },
  { name: 'hh', kind: 'bool', default: false, help: 'Print a list of all options' },
  { name: 'hkdf', kind: 'bool', default: true, help: 'Derive keys with HKDF (with -masterkey or -zerokey)' },
  { name: 'idle', alias: 'i', kind: 'duration', default: 0, help: 'Unmount after this time without use' },
  { name: 'info', kind: 'bool', default: false, operation: true, help: 'Print the properties of CIPHERDIR' },
  { name: 'init', kind: 'bool', default: false, operation: true, help: 'Create a filesystem in CIPHERDIR' },
  { name: 'kernel_cache', kind: 'bool', default: false, help: 'Keep cached contents when a file is opened again' },
  { name: 'ko', kind: 'string', default: '', help: 'Further mount options for the kernel, separated by commas' },
  { name: 'longnamemax', kind: 'uint8', default: 255, help: 'Hash names whose encrypted form is longer than this' },
  { name: 'longnames', kind: 'bool', default: true, help: 'Store long names as a hash' },
  { name: 'masterkey', kind: 'string', default: '', help: 'Use this master key (64 hex digits, or "stdin") instead of a password' },
  { name: 'memprofile', kind: 'string', default: '', help: 'Write a memory profile to this file' },
  { name: 'nodev', kind: 'bool', default: false, help: 'Forbid device files' },
  { name: 'noexec', kind: 'bool', default: false, help: 'Forbid programs to be run' },
  { name: 'nofail', kind: 'bool', default: false, help: 'Accepted for fstab lines, without effect' },
  { name: 'nonempty', kind: 'bool', default: false, help: 'Allow a mountpoint that is not empty' },
  { name: 'noprealloc', kind: 'bool', default: false, help: 'Do not reserve disk space before writing' },
  { name: 'nosuid', kind: 'bool', default: false, help: 'Forbid setuid programs' },
  { name: 'nosyslog', kind: 'bool', default: false, help: 'Keep messages on the terminal in the background' },
  { name: 'notifypid', kind: 'int', default: 0, help: 'Send SIGUSR1 to this process once mounted' },
  { name: 'noxattr', kind: 'bool', default: false, help: 'Do without extended attributes' },
  { name: 'one-file-system', kind: 'bool', default: false, help: 'Show directories on other devices as empty (reverse)' },
  { name: 'openssl', kind: 'string', default: 'auto', help: 'Accepted for compatibility (auto, true or false)' },
  { name: 'passfile', kind: 'list', default: none, help: 'Read the password from this file' },
  { name: 'passwd', kind: 'bool', default: false, operation: true, help: 'Change the password' },
  { name: 'plaintextnames', kind: 'bool', default: false, help: 'Leave names and symlink targets readable' },
  { name: 'quiet', alias: 'q', kind: 'bool', default: false, help: 'Print errors and warnings only' },
  { name: 'raw64', kind: 'bool', default: true, help: 'Names in base64 without padding (with -masterkey or -zerokey)' },
  { name: 'reverse', kind: 'bool', default: false, help: 'Show an encrypted view of a plain directory' },
  { name: 'ro', kind: 'bool', default: false, help: 'Mount read-only' },
  { name: 'rw', kind: 'bool', default: false, help: 'Mount read-write' },
  { name: 'scryptn', kind: 'int', default: 16, help: 'Cost of guessing the password, as log2(N), 10 to 28' },
  { name: 'serialize_reads', kind: 'bool', default: false, help: 'Ask the kernel for one read at a time' },
  { name: 'sharedstorage', kind: 'bool', default: false, help: 'Several mounts of one CIPHERDIR see changes at once' },
  { name: 'speed', kind: 'bool', default: false, help: 'Measure the ciphers' },
  { name: 'suid', kind: 'bool', default: false, help: 'Allow setuid programs and file capabilities' },
  { name: 'trace', kind: 'string', default: '', help: 'Write an execution trace to this file' },
  { name: 'version', kind: 'bool', default: false, help: 'Print the version' },
  { name: 'wpanic', kind: 'bool', default: false, help: 'End with exit code 2 after any warning' },
  { name: 'xchacha', kind: 'bool', default: false, help: 'Encrypt contents with XChaCha20-Poly1305' },
  { name: 'zerokey', kind: 'bool', default: false, help: 'Use a master key of zeros, for tests only' },
] as const satisfies readonly FlagSpec[];

interface KindValue {
  bool: boolean;
  int: number;
  uint8: number;
  duration: number;
  string: string;
  list: string[];
}

type FlagRow = (typeof FLAGS)[number];

/** The name under which an option's value is kept. */
export type FlagName = FlagRow['name'];

/** The value of every option after parsing; durations in nanoseconds. */
export type FlagValues = { [Row in FlagRow as Row['name']]: KindValue[Row['kind']] };

const rowOf = new Map<string, FlagSpec & { readonly name: FlagName }>();
for (const row of FLAGS) {
  rowOf.set(row.name, row);
  if ('alias' in row) {
    rowOf.set(row.alias, row);
  }
}

/** The row that an option name (either spelling) belongs to. */
export function findFlag(name: string): (FlagSpec & { readonly name: FlagName }) | undefined {
  return rowOf.get(name);
}

/** A fresh set of values with every option at its default. */
export function defaultValues(): FlagValues {
  return Object.fromEntries(FLAGS.map((row) => [row.name, row.kind === 'list' ? [] : row.default])) as unknown as FlagValues;
}
