/** man/aegisfs.1: the hand-written text of man/aegisfs.1.in with what comes from tables put in. */
import { RELEASE_DATE, VERSION } from '../../src/base/version.ts';
import { FLAG_SECTIONS, SPECIAL_FLAGS, SUBCOMMANDS } from '../../src/cli/flag-reference.ts';
import { EXIT_STATUS } from './exit-status.ts';
import { type FlagRow, rowsOf } from './flag-rows.ts';
import { entry, meant, prose, typed } from './roff.ts';

function term(names: readonly string[], argument: string | undefined): string {
  const spellings = names.map((name) => typed(`-${name}`)).join(', ');
  return argument === undefined ? spellings : `${spellings} ${meant(argument)}`;
}

function sentences(...parts: readonly (string | undefined)[]): string {
  return parts
    .filter((part) => part !== undefined)
    .map((part) => (/[.!?]$/.test(part) ? part : `${part}.`))
    .join(' ');
}

function defaultSentence({ kind, default: value }: FlagRow): string | undefined {
  const isShown = (kind === 'bool' && value === true) || (kind !== 'bool' && kind !== 'list' && value !== 0 && value !== '');
  return isShown ? `Default: \`${value}\`` : undefined;
}

function flagEntry(row: FlagRow): string {
  return entry(term(row.names, row.argument), sentences(row.help, row.detail, defaultSentence(row)));
}

function options(): string {
  const sections = FLAG_SECTIONS.map(({ title, intro, flags }) => {
    const lead = intro === undefined ? '' : `${prose(intro)}\n`;
    return `.SS ${title}\n${lead}${rowsOf(flags).map(flagEntry).join('')}`;
  });
  const { help, list, end } = SPECIAL_FLAGS;
  const special = [
    entry(term(help.names, undefined), sentences(help.help, help.detail)),
    entry(term(['o'], list.argument), sentences(list.help, list.detail)),
    entry(typed('--'), sentences(end.help, end.detail)),
  ];
  return `${sections.join('')}.SS Help and special words\n${special.join('')}`;
}

/**
 * The manual page.
 * @param template text of man/aegisfs.1.in
 */
export function manPage(template: string): string {
  const parts = new Map([
    ['VERSION', VERSION],
    ['DATE', RELEASE_DATE],
    ['OPTIONS', options().trimEnd()],
    [
      'SUBCOMMANDS',
      SUBCOMMANDS.map(({ name, help, detail }) => entry(typed(name), sentences(help, detail)))
        .join('')
        .trimEnd(),
    ],
    [
      'EXIT_STATUS',
      EXIT_STATUS.map(({ code, meaning }) => entry(typed(String(code)), meaning))
        .join('')
        .trimEnd(),
    ],
  ]);
  const source = '.\\" Made by scripts/man.mjs from man/aegisfs.1.in and src/cli/flags.ts: do not edit.\n';
  return source + template.replace(/@([A-Z_]+)@/g, (whole, name: string) => parts.get(name) ?? whole);
}
