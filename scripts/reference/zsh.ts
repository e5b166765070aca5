/** completions/_aegisfs. */
import { SPECIAL_FLAGS, SUBCOMMANDS } from '../../src/cli/flag-reference.ts';
import { completedRows, type FlagRow } from './flag-rows.ts';

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Text in brackets of an _arguments specification. */
function description(text: string): string {
  return `[${text.replace(/[\\[\]:]/g, '\\$&')}]`;
}

function valueAction({ argument, values }: FlagRow): string {
  if (argument === undefined) return '';
  const action =
    values === 'file' ? '_files' : values === undefined || values === 'free' ? ' ' : `(${(values as readonly string[]).join(' ')})`;
  return `:${argument.replaceAll(':', '\\:')}:${action}`;
}

function specification(row: FlagRow): string {
  const spellings = row.names.flatMap((name) => [`-${name}`, `--${name}`]);
  // A list may be repeated; of the others one spelling is enough.
  const repeat = row.kind === 'list' ? "'*'" : `'(${spellings.join(' ')})'`;
  const words = spellings.map((word) => (row.argument === undefined ? word : `${word}=`)).join(',');
  return `  ${repeat}{${words}}${quoted(`${description(row.help)}${valueAction(row)}`)} \\\n`;
}

/** A completion function for a folder of zsh's fpath. */
export function zshCompletion(): string {
  const rows = completedRows();
  const { help, list } = SPECIAL_FLAGS;
  const commands = SUBCOMMANDS.map(({ name, help: text }) => `${name}\\:"${text}"`).join(' ');
  return `#compdef aegisfs
# Made by scripts/man.mjs from src/cli/flags.ts: do not edit.

_aegisfs_first() {
  _alternative 'commands:command:((${commands}))' 'directories:CIPHERDIR:_files -/'
}

_aegisfs_list() {
  _values -s , option ${rows.map(({ name }) => name).join(' ')}
}

_arguments -S : \\
${rows.map(specification).join('')}  '(-h -help --help)'{-h,-help,--help}${quoted(description(help.help))} \\
  '*-o'${quoted(`${description(list.help)}:${list.argument}:_aegisfs_list`)} \\
  '1: :_aegisfs_first' \\
  '2:MOUNTPOINT:_files -/'
`;
}
