/** `aegisfs demo`. */
import { AegisError } from '../../base/errors.ts';
import { runDemo } from '../../operations/demo.ts';
import type { SelfCommand } from '../../operations/mount/background.ts';
import { Exit } from '../exit-codes.ts';
import { writeAll } from '../output.ts';

const STDOUT = 1;

/** Runs the demonstration. */
export async function demoAction(args: readonly string[], self: SelfCommand): Promise<number> {
  if (args.length > 0) {
    throw new AegisError('usage', 'Usage: aegisfs demo');
  }
  await runDemo(self, {
    step: (text) => writeAll(STDOUT, `* ${text}\n`),
    detail: (text) => writeAll(STDOUT, `    ${text}\n`),
  });
  writeAll(STDOUT, '* Done. Start with: aegisfs -init -aegis FOLDER\n');
  return Exit.Success;
}
