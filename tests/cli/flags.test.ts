/** Every option has a test of its effect: the table in README.md is complete, and the files it names use the option. */
import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { FLAGS } from '../../src/cli/flags.ts';
import { ROOT } from '../support/program.ts';

const text = fs.readFileSync(path.join(ROOT, 'tests/cli/README.md'), 'utf8');
const rows = [...text.matchAll(/^\| `(--?[\w-]*)` \| (.*) \|$/gm)].map(([, option = '', files = '']) => ({
  option,
  files: [...files.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file),
}));
const elsewhere = [...(/^The options of reverse mode \((.*)\)/m.exec(text)?.[1] ?? '').matchAll(/`([^`]+)`/g)].map(([, option]) => option);

describe('the table of options', () => {
  it('is complete', () => {
    const options = FLAGS.flatMap((flag) => ('alias' in flag ? [flag.name, flag.alias] : [flag.name])).map((name) => `-${name}`);
    expect([...rows.map(({ option }) => option), ...elsewhere].sort()).toEqual([...options, '-h', '-help', '-o', '--'].sort());
  });

  it.each(rows)('$option is used in $files', ({ option, files }) => {
    expect(files.length).toBeGreaterThan(0);
    for (const file of files) {
      const content = fs.readFileSync(path.join(ROOT, 'tests', file), 'utf8');
      expect(new RegExp(`(?<![\\w-])${option}(?![\\w-])`).test(content), `${file} uses ${option}`).toBe(true);
    }
  });
});
