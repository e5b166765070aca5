/** completions/aegisfs.fish. */
import { SPECIAL_FLAGS, TOOL_REFERENCE } from '../../src/cli/flag-reference.ts';
import { XRAY_FLAGS } from '../../src/cli/xray-line.ts';
import { completedRows, type FlagRow } from './flag-rows.ts';

function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`;
}

/** With one dash and with two. Single letters are words here, too: fish would take -init for the letter i and its value. */
function spelling(name: string): string {
  return name.length === 1 ? `-o ${name}` : `-o ${name} -l ${name}`;
}

function valueWords({ argument, values }: FlagRow): string {
  if (argument === undefined) return '';
  if (values === 'file') return ' -r -F';
  return values === undefined || values === 'free' ? ' -x' : ` -x -a ${quoted((values as readonly string[]).join(' '))}`;
}

function line(words: string, help: string): string {
  return `complete -c aegisfs ${words} -d ${quoted(help)}\n`;
}

/** Lines for the program itself, not for one of its tools. */
function mainLine(words: string, help: string): string {
  return line(`-n __aegisfs_main ${words}`, help);
}

function xrayLine({ name, kind, help }: (typeof XRAY_FLAGS)[number]): string {
  return line(`-n '__aegisfs_tool xray' ${spelling(name)}${kind === 'string' ? ' -r -F' : ''}`, help);
}

/** A script for fish's folder of completions. */
export function fishCompletion(): string {
  const rows = completedRows();
  const tools = Object.entries(TOOL_REFERENCE);
  const { help, list } = SPECIAL_FLAGS;
  const lines = [
    ...tools.map(([name, tool]) => line(`-n __fish_is_first_token -a ${name}`, tool.help)),
    ...rows.map((row) => mainLine(`${row.names.map(spelling).join(' ')}${valueWords(row)}`, row.help)),
    mainLine('-o h -o help -l help', help.help),
    mainLine(`-o o -x -a '(__fish_append , ${rows.map(({ name }) => name).join(' ')})'`, list.help),
    ...XRAY_FLAGS.map(xrayLine),
  ];
  return `# Made by scripts/man.mjs from src/cli/flags.ts: do not edit.

function __aegisfs_tool
    set -l words (commandline -opc)
    set -q words[2]; and contains -- $words[2] $argv
end

function __aegisfs_main
    not __aegisfs_tool ${tools.map(([name]) => name).join(' ')}
end

complete -c aegisfs -f
complete -c aegisfs -n __aegisfs_main -a '(__fish_complete_directories (commandline -ct))'
complete -c aegisfs -n '__aegisfs_tool statfs xray' -F
${lines.join('')}`;
}
