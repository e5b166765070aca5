/** Version line, short help and the list of all options (behaviour.md 1.8). */
import { programRelease, RELEASE_DATE, VERSION } from '../base/version.ts';
import { FLAGS, type FlagSpec } from './flags.ts';

/** Architecture names as other programs print them. */
const ARCHITECTURES = new Map([
  ['x64', 'amd64'],
  ['ia32', '386'],
]);

/** `<name> <version>; <fuse layer> <version>; <date> <runtime> <os>/<arch>`. */
export function versionLine(program: string): string {
  return `${programRelease(program)}; aegisfs-fuse ${VERSION}; ${platformText()}`;
}

/** The same for tools that serve no filesystem. */
export function toolVersionLine(tool: string): string {
  return `${programRelease(tool)}; ${platformText()}`;
}

function platformText(): string {
  const arch = ARCHITECTURES.get(process.arch) ?? process.arch;
  return `${RELEASE_DATE} node${process.versions.node} ${process.platform}/${arch}`;
}

function usageLines(program: string): string {
  return `Usage: ${program} -init|-passwd|-info [OPTIONS] CIPHERDIR\n  or   ${program} [OPTIONS] CIPHERDIR MOUNTPOINT\n`;
}

const COMMON: readonly (readonly [string, string])[] = [
  ['-aegis', 'AEGIS-128X2 encryption, the fastest (with -init)'],
  ['-aessiv', 'AES-SIV encryption (with -init)'],
  ['-allow_other', 'Let other users use the mount'],
  ['-i, -idle', 'Unmount after this time without use'],
  ['-config', 'Path of the config file'],
  ['-ctlsock', 'Create a control socket here'],
  ['-extpass', 'Run a program to get the password'],
  ['-fg', 'Stay in the foreground'],
  ['-fsck', 'Check a filesystem'],
  ['-fusedebug', 'Print FUSE requests'],
  ['-h, -help', 'This help'],
  ['-hh', 'Help on all options'],
  ['-init', 'Create a filesystem'],
  ['-info', 'Print the properties of a filesystem'],
  ['-masterkey', 'Use the master key instead of a password'],
  ['-nonempty', 'Allow a mountpoint that is not empty'],
  ['-nosyslog', 'Keep messages on the terminal'],
  ['-passfile', 'Read the password from a file'],
  ['-passwd', 'Change the password'],
  ['-plaintextnames', 'Leave file names readable (with -init)'],
  ['-q, -quiet', 'Print errors and warnings only'],
  ['-reverse', 'Encrypted view of a plain directory'],
  ['-ro', 'Mount read-only'],
  ['-speed', 'Measure the ciphers'],
  ['-version', 'Print the version'],
  ['--', 'End of options'],
];

/** What -h prints. */
export function shortHelp(program: string): string {
  const rows = COMMON.map(([name, help]) => `  ${name.padEnd(18)} ${help}\n`).join('');
  return `${versionLine(program)}\n\n${usageLines(program)}\nCommon options (use -hh to show all):\n${rows}`;
}

/** What -hh prints on stdout, before the list of options. */
export function longHelpHead(program: string): string {
  const note = 'Notes: Options may start with one dash or with two.\n       A "--" of its own ends the options.\n';
  return `${versionLine(program)}\n\n${usageLines(program)}\n${note}\nOptions:\n`;
}

const TYPE_WORDS: Readonly<Record<FlagSpec['kind'], string>> = {
  bool: '',
  int: 'int',
  uint8: 'uint8',
  duration: 'duration',
  string: 'string',
  list: 'stringArray',
};

/** The list of all options that -hh prints on stderr, where scripts look for it. */
export function longHelpFlags(): string {
  const rows = FLAGS.flatMap((flag: FlagSpec) => {
    const row = { name: flag.name, type: TYPE_WORDS[flag.kind], help: `${flag.help}${defaultNote(flag)}` };
    return flag.alias === undefined ? [row] : [row, { ...row, name: flag.alias, help: `Same as -${flag.name}` }];
  });
  rows.sort((a, b) => (a.name < b.name ? -1 : 1));
  const labels = rows.map(({ name, type }) => (type === '' ? `--${name}` : `--${name} ${type}`));
  const width = Math.max(...labels.map((label) => label.length));
  return rows.map(({ help }, at) => `      ${(labels[at] ?? '').padEnd(width)}   ${help}\n`).join('');
}

function defaultNote(flag: FlagSpec): string {
  if (flag.default === false || flag.default === 0 || flag.default === '' || flag.kind === 'list') {
    return '';
  }
  return ` (default ${flag.kind === 'string' ? `"${flag.default}"` : flag.default})`;
}
