/** completions/aegisfs.fish. */
import { SPECIAL_FLAGS, SUBCOMMANDS } from '../../src/cli/flag-reference.ts';
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

/** A script for fish's folder of completions. */
export function fishCompletion(): string {
  const rows = completedRows();
  const { help, list } = SPECIAL_FLAGS;
  return `# Made by scripts/man.mjs from src/cli/flags.ts: do not edit.
complete -c aegisfs -f -a '(__fish_complete_directories (commandline -ct))'
${SUBCOMMANDS.map(({ name, help: text }) => line(`-n __fish_is_first_token -a ${name}`, text)).join('')}${rows
  .map((row) => line(`${row.names.map(spelling).join(' ')}${valueWords(row)}`, row.help))
  .join(
    '',
  )}${line('-o h -o help -l help', help.help)}${line(`-o o -x -a '(__fish_append , ${rows.map(({ name }) => name).join(' ')})'`, list.help)}`;
}
