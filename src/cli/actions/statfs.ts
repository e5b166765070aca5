/** `aegisfs statfs`. */
import { isAegisError } from '../../base/errors.ts';
import { readStatfs } from '../../operations/statfs.ts';
import { Exit } from '../exit-codes.ts';
import { type Output, writeAll } from '../output.ts';

const STDOUT = 1;
const STDERR = 2;
const EXIT_SYSCALL = 2;

/** Prints the figures of the filesystem below a path (behaviour.md 10.2). */
export function statfsAction(name: string, args: readonly string[], output: Output): number {
  const [path] = args;
  if (path === undefined || args.length !== 1) {
    writeAll(STDERR, `Usage: ${name} PATH\n`);
    return Exit.Usage;
  }
  try {
    writeAll(STDOUT, `${JSON.stringify(readStatfs(path), null, '\t')}\n`);
    return Exit.Success;
  } catch (error) {
    if (!isAegisError(error)) {
      throw error;
    }
    output.log.fatal(`statfs syscall returned error: ${error.message}`);
    return EXIT_SYSCALL;
  }
}
