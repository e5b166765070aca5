/** completions/_aegisfs. */
import { SPECIAL_FLAGS, TOOL_REFERENCE } from '../../src/cli/flag-reference.ts';
import { XRAY_FLAGS } from '../../src/cli/xray-line.ts';
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

function xraySpecification({ name, kind, help }: (typeof XRAY_FLAGS)[number]): string {
  const value = kind === 'string' ? ':DEVICE:_files' : '';
  return `    ${quoted(`-${name}${description(help)}${value}`)} \\\n`;
}

/** A completion function for a folder of zsh's fpath. */
export function zshCompletion(): string {
  const rows = completedRows();
  const { help, list } = SPECIAL_FLAGS;
  const commands = Object.entries(TOOL_REFERENCE)
    .map(([name, tool]) => `${name}\\:"${tool.help}"`)
    .join(' ');
  return `#compdef aegisfs
# Made by scripts/man.mjs from src/cli/flags.ts: do not edit.

_aegisfs_first() {
  _alternative 'commands:command:((${commands}))' 'directories:CIPHERDIR:_files -/'
}

_aegisfs_list() {
  _values -s , option ${rows.map(({ name }) => name).join(' ')}
}

_aegisfs_xray() {
  _arguments -S : \\
${XRAY_FLAGS.map(xraySpecification).join('')}    '1:FILE:_files'
}

if ((CURRENT > 2)); then
  case $words[2] in
    demo) return 1 ;;
    statfs) _files; return ;;
    xray) shift words; ((CURRENT--)); _aegisfs_xray; return ;;
  esac
fi

_arguments -S : \\
${rows.map(specification).join('')}  '(-h -help --help)'{-h,-help,--help}${quoted(description(help.help))} \\
  '*-o'${quoted(`${description(list.help)}:${list.argument}:_aegisfs_list`)} \\
  '1: :_aegisfs_first' \\
  '2:MOUNTPOINT:_files -/'
`;
}
