/** Judging directories that a user named. */

import fs from 'node:fs';
import { fsPath } from '../base/byte-text.ts';
import { errnoText } from './errno-text.ts';

/** What keeps a path from being a directory (symlinks are followed), or undefined. */
export function directoryObjection(directory: string): string | undefined {
  try {
    return fs.statSync(fsPath(directory)).isDirectory() ? undefined : `${directory} is not a directory`;
  } catch (error) {
    return `stat ${directory}: ${errnoText(error)}`;
  }
}
