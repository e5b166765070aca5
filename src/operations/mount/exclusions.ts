/** Collects the patterns of what a reverse view hides (behaviour.md 7.6). */
import fs from 'node:fs';
import { fsPath, textOfBytes } from '../../base/byte-text.ts';
import { AegisError } from '../../base/errors.ts';
import { errnoText } from '../errno-text.ts';
import type { ExclusionOptions } from './options.ts';

/**
 * All patterns in the order in which they count, whatever the order on the command line.
 * @throws AegisError `exclude` if a file cannot be read
 */
export function readExclusions(options: ExclusionOptions): string[] {
  const fromFiles = options.files.flatMap((file) => readLines(file));
  return [...options.paths.map((path) => `/${path}`), ...options.wildcards, ...fromFiles];
}

function readLines(file: string): string[] {
  try {
    return textOfBytes(fs.readFileSync(fsPath(file))).split('\n');
  } catch (error) {
    throw new AegisError('exclude', `Error reading exclusion patterns: "open ${file}: ${errnoText(error)}"`);
  }
}
