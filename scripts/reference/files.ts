/** Every file that is made from the tables of the command line. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { bashCompletion } from './bash.ts';
import { EXIT_STATUS } from './exit-status.ts';
import { fishCompletion } from './fish.ts';
import { manPage, xrayManPage } from './man-page.ts';
import { zshCompletion } from './zsh.ts';

const STATUS_START = '<!-- exit status: made by scripts/man.mjs -->\n';
const STATUS_END = '<!-- end of exit status -->\n';

/** A Markdown document with its table of exit statuses replaced. */
function withStatusTable(document: string): string {
  const start = document.indexOf(STATUS_START);
  const end = document.indexOf(STATUS_END);
  if (start < 0 || end < start) throw new Error('the marks around the table of exit statuses are missing');
  const rows = EXIT_STATUS.map(({ code, meaning }) => `| ${code} | ${meaning} |\n`);
  return `${document.slice(0, start + STATUS_START.length)}\n| status | meaning |\n|---|---|\n${rows.join('')}\n${document.slice(end)}`;
}

/**
 * What the generated files should contain, by path relative to the root.
 * @param root the repository
 */
export function generatedFiles(root: string): Map<string, string> {
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
  return new Map([
    ['man/aegisfs.1', manPage(read('man/aegisfs.1.in'))],
    ['man/aegisfs-xray.1', xrayManPage(read('man/aegisfs-xray.1.in'))],
    ['completions/aegisfs.bash', bashCompletion()],
    ['completions/_aegisfs', zshCompletion()],
    ['completions/aegisfs.fish', fishCompletion()],
    ['docs/cli.md', withStatusTable(read('docs/cli.md'))],
  ]);
}
