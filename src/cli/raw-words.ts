/** The words of the command line and the working directory as they are; the runtime decodes both as UTF-8 and loses other bytes. */
import fs from 'node:fs';
import path from 'node:path';
import { textOfBytes } from '../base/byte-text.ts';

/** What the runtime's decoder leaves for bytes that are no UTF-8. */
const REPLACEMENT = '\ufffd';

/** The words behind the name of the program, as text that stands for bytes (base/byte-text.ts). */
export function commandWords(): string[] {
  const words = process.argv.slice(2);
  if (!words.some((word) => word.includes(REPLACEMENT))) {
    return words;
  }
  // The runtime's own words come first, ours are the last.
  const all = fs.readFileSync('/proc/self/cmdline').toString('latin1').split('\0').slice(0, -1);
  return all.slice(all.length - words.length).map((word) => textOfBytes(Buffer.from(word, 'latin1')));
}

/** Makes a path absolute, without looking at it. */
export function absolutePath(given: string): string {
  const folder = process.cwd();
  const base = folder.includes(REPLACEMENT) ? textOfBytes(fs.readlinkSync('/proc/self/cwd', { encoding: 'buffer' })) : folder;
  return path.resolve(base, given);
}
