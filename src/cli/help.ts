/** Version line, short help and the list of all options (behaviour.md 1.8). */
import { programRelease, RELEASE_DATE, VERSION } from '../base/version.ts';
import { FLAGS, type FlagName, type FlagSpec, findFlag } from './flags.ts';

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

/** What -h shows: options of the table, and words that are not in it with their help. */
const COMMON: readonly (FlagName | readonly [label: string, help: string])[] = [
  'aegis',
  'aegis256x2',
  'aessiv',
  'xchacha',
  'allow_other',
  'idle',
  'config',
  'ctlsock',
  'extpass',
  'fg',
  'fsck',
  'fusedebug',
  ['-h, -help', 'Print this help'],
  'hh',
  'init',
  'info',
  'masterkey',
  'nonempty',
  'nosyslog',
  'passfile',
  'passwd',
  'plaintextnames',
  'quiet',
  'reverse',
  'ro',
  'speed',
  'version',
  ['--', 'End of the options'],
];

function commonRow(entry: (typeof COMMON)[number]): string {
  if (typeof entry !== 'string') {
    return helpRow(...entry);
  }
  const flag = findFlag(entry);
  return helpRow(flag?.alias === undefined ? `-${entry}` : `-${flag.alias}, -${entry}`, flag?.help ?? '');
}

function helpRow(label: string, help: string): string {
  return `  ${label.padEnd(18)} ${help}\n`;
}

/** What -h prints. */
export function shortHelp(program: string): string {
  return `${versionLine(program)}\n\n${usageLines(program)}\nCommon options (use -hh to show all):\n${COMMON.map(commonRow).join('')}`;
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
