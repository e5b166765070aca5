/** The manual and its tables against the program. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXIT_STATUS } from '../../scripts/reference/exit-status.ts';
import { generatedFiles } from '../../scripts/reference/files.ts';
import { rowsOf } from '../../scripts/reference/flag-rows.ts';
import { prose } from '../../scripts/reference/roff.ts';
import { FLAG_SECTIONS, TOOL_REFERENCE } from '../../src/cli/flag-reference.ts';
import { FLAGS } from '../../src/cli/flags.ts';
import { aegisfs, ROOT } from '../support/program.ts';
import { Sandbox } from '../support/sandbox.ts';

const MANUAL = path.join(ROOT, 'man/aegisfs.1');
const XRAY_MANUAL = path.join(ROOT, 'man/aegisfs-xray.1');

/** A manual page as plain text, without bold and underlined letters. groff must be installed (Debian: groff-base). */
function groff(file = MANUAL, ...args: string[]): { text: string; warnings: string } {
  const result = spawnSync('groff', ['-man', '-Tutf8', '-ww', '-P-cbou', ...args, file], { encoding: 'utf8' });
  if (result.error) throw new Error(`groff: ${result.error.message}. Install it with: apt-get install groff-base`);
  return { text: result.stdout, warnings: result.stderr };
}

it.each([...generatedFiles(ROOT)])('%s is up to date (if not: node scripts/man.mjs)', (file, wanted) => {
  expect(fs.readFileSync(path.join(ROOT, file), 'utf8')).toBe(wanted);
});

describe('the table of options', () => {
  const rows = FLAG_SECTIONS.flatMap(({ flags }) => rowsOf(flags));

  it('has each option in one section', () => {
    expect(rows.map(({ name }) => name).sort()).toEqual(FLAGS.map(({ name }) => name).sort());
  });

  it('names the value of each option that takes one, and of no other', () => {
    const wrong = rows.filter(({ kind, argument }) => (kind === 'bool') === (argument !== undefined));
    expect(wrong.map(({ name }) => name)).toEqual([]);
  });

  it('is what the program prints with -hh, in alphabetical order', () => {
    const result = spawnSync(aegisfs.command, ['-hh'], { encoding: 'utf8' });
    expect(result.status).toBe(0);
    const printed = [...result.stderr.matchAll(/^ {6}--(\S+)/gm)].map((match) => match[1] ?? '');
    expect(printed).toEqual(rows.flatMap(({ names }) => names).sort());
    for (const row of rows) expect(result.stderr).toContain(row.help);
  });
});

describe('the manual', () => {
  it.each([MANUAL, XRAY_MANUAL])('%s is free of warnings', (file) => {
    expect(groff(file).warnings).toBe('');
    // On a narrow terminal.
    expect(groff(file, '-rLL=60n').warnings).toBe('');
  });

  it('has the usual sections', () => {
    const titles = [...groff().text.matchAll(/^([A-Z][A-Z ]+)$/gm)].map((match) => match[1]);
    expect(titles).toEqual(expect.arrayContaining(['NAME', 'SYNOPSIS', 'DESCRIPTION', 'OPTIONS', 'SUBCOMMANDS', 'EXIT STATUS']));
    expect(titles).toEqual(expect.arrayContaining(['ENVIRONMENT', 'FILES', 'EXAMPLES', 'NOTES', 'SEE ALSO']));
  });

  it('leaves no mark of its template', () => {
    for (const file of [MANUAL, XRAY_MANUAL]) expect(fs.readFileSync(file, 'utf8')).not.toMatch(/@[A-Z_]+@/);
  });

  it('shows every option with dashes that can be pasted', () => {
    const { text } = groff();
    for (const { name, alias, argument } of FLAG_SECTIONS.flatMap(({ flags }) => rowsOf(flags))) {
      const spellings = alias === undefined ? `-${name}` : `-${alias}, -${name}`;
      const line = argument === undefined ? spellings : `${spellings} ${argument}`;
      expect(text.split('\n').some((row) => `${row.trim()} `.startsWith(`${line} `))).toBe(true);
    }
  });

  it('names only options that exist', () => {
    const words = [...groff().text.matchAll(/(?<=^|[\s([,])-([a-z][a-z0-9_-]+)/gm)].map((match) => match[1]);
    const known = new Set<string>([...FLAGS.flatMap(({ name }) => name), 'ew', 'help', 'extpass', 'a', 'u', 'ro', 'idle']);
    expect([...new Set(words)].filter((word) => word !== undefined && !known.has(word))).toEqual([]);
  });
});

describe('the exit statuses', () => {
  const documented = EXIT_STATUS.map(({ code }) => code);

  it('are those the program knows', () => {
    const source = fs.readFileSync(path.join(ROOT, 'src/cli/exit-codes.ts'), 'utf8');
    const used = [...source.matchAll(/^ {2}(?:[A-Z]\w+|'?[a-z0-9-]+'?): (\d+),/gm)].map((match) => Number(match[1]));
    expect([...new Set(used)].sort((a, b) => a - b)).toEqual(documented);
  });

  it.each([
    [1, ['-nonsense']],
    [1, ['demo', 'more']],
    [6, ['-info', '/nonexistent']],
    [8, ['-info', '/']],
    [11, ['-fsck', '/']],
    [29, ['-exclude', 'x', '/', '/']],
  ])('%i is what %j gives', (code, args) => {
    expect(documented).toContain(code);
    expect(spawnSync(aegisfs.command, args, { stdio: 'ignore' }).status).toBe(code);
  });
});

it.each(Object.values(TOOL_REFERENCE))('documents "$synopsis" as the program does', ({ synopsis }) => {
  const result = spawnSync(aegisfs.command, [synopsis.split(' ')[0] ?? '', 'more', 'words'], { encoding: 'utf8' });
  expect(result.status).toBe(1);
  expect(result.stderr.split('\n')).toContain(`Usage: aegisfs ${synopsis}`);
});

it('says that reverse mode cannot be mounted as long as that is so', () => {
  const sandbox = new Sandbox();
  try {
    // There is no configuration file, so nothing is mounted in any case.
    const args = ['-reverse', '-fg', sandbox.folder('files'), sandbox.folder('view')];
    const result = spawnSync(aegisfs.command, args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
    expect(result.status).not.toBe(0);
    const says = groff().text.replace(/\s+/g, ' ').includes('This release cannot mount in reverse mode.');
    expect(result.stderr.includes('cannot mount in reverse mode')).toBe(says);
  } finally {
    sandbox.remove();
  }
});

describe('roff', () => {
  it('keeps prose from being taken for requests and escapes', () => {
    expect(prose('.so /etc/passwd')).toBe('\\&.so /etc/passwd');
    expect(prose('a \\ and `-x` of *THING*…')).toBe('a \\e and \\fB\\%\\-x\\fR of \\fITHING\\fR\\[u2026]');
  });
});
