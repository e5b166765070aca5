/** man/aegisfs.1: the hand-written text of man/aegisfs.1.in with what comes from tables put in. */
import { RELEASE_DATE, VERSION } from '../../src/base/version.ts';
import { FLAG_SECTIONS, SPECIAL_FLAGS, TOOL_REFERENCE } from '../../src/cli/flag-reference.ts';
import { XRAY_FLAGS } from '../../src/cli/xray-line.ts';
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

function tools(): string {
  return Object.values(TOOL_REFERENCE)
    .map(({ synopsis, help, detail }) => {
      const [name = '', ...words] = synopsis.split(' ');
      return entry([typed(name), ...words.map(meant)].join(' '), sentences(help, detail));
    })
    .join('');
}

function xrayOptions(): string {
  return XRAY_FLAGS.map(({ name, kind, help }) => entry(term([name], kind === 'string' ? 'DEVICE' : undefined), sentences(help))).join('');
}

/** A template with what its marks stand for. */
function filled(template: string, name: string, parts: ReadonlyMap<string, string>): string {
  const note = `.\\" Made by scripts/man.mjs from ${name}.in and the tables of src/cli: do not edit.\n`;
  return note + template.replace(/@([A-Z_]+)@/g, (whole, mark: string) => parts.get(mark)?.trimEnd() ?? whole);
}

const RELEASE: readonly (readonly [string, string])[] = [
  ['VERSION', VERSION],
  ['DATE', RELEASE_DATE],
];

/**
 * The manual page of the program.
 * @param template text of man/aegisfs.1.in
 */
export function manPage(template: string): string {
  const statuses = EXIT_STATUS.map(({ code, meaning }) => entry(typed(String(code)), meaning)).join('');
  const parts = new Map([...RELEASE, ['OPTIONS', options()], ['SUBCOMMANDS', tools()], ['EXIT_STATUS', statuses]]);
  return filled(template, 'man/aegisfs.1', parts);
}

/**
 * The manual page of `aegisfs xray`.
 * @param template text of man/aegisfs-xray.1.in
 */
export function xrayManPage(template: string): string {
  return filled(template, 'man/aegisfs-xray.1', new Map([...RELEASE, ['OPTIONS', xrayOptions()]]));
}
