/** Collects the patterns of what a reverse view hides (behaviour.md 7.6). */
import fs from 'node:fs';
import { AegisError } from '../../base/errors.ts';
import { errnoText } from '../errno-text.ts';
import type { ExclusionOptions } from './options.ts';

/**
 * All patterns in the order in which they count, whatever the order on the command line. Bytes outside of UTF-8 are not lost: a string
 * here holds one byte per character.
 * @throws AegisError `exclude` if a file cannot be read
 */
export function readExclusions(options: ExclusionOptions): string[] {
  const fromFiles = options.files.flatMap((file) => readLines(file));
  return [...options.paths.map((path) => latin1(`/${path}`)), ...options.wildcards.map(latin1), ...fromFiles];
}

function latin1(text: string): string {
  return Buffer.from(text).toString('latin1');
}

function readLines(file: string): string[] {
  try {
    return fs.readFileSync(file, 'latin1').split('\n');
  } catch (error) {
    throw new AegisError('exclude', `Error reading exclusion patterns: "open ${file}: ${errnoText(error)}"`);
  }
}
