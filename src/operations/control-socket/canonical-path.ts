/** One spelling for every path a client may send (behaviour.md 8.2). */
import path from 'node:path';

/**
 * The path below the root of the mount that a client means: without leading, doubled and trailing slashes, `.` and `x/..`.
 * @returns "" for the root itself and for everything that leads out of it
 */
export function canonicalPath(input: string): string {
  const clean = path.posix.normalize(input.replace(/^\/+/, '')).replace(/\/$/, '');
  const isRootOrAbove = clean === '.' || clean === '..' || clean.startsWith('../');
  return isRootOrAbove ? '' : clean;
}
