/** -fsck. */
import { AegisError } from '../../base/errors.ts';
import { checkVault } from '../../operations/fsck/fsck.ts';
import { Exit, exitCodeOf } from '../exit-codes.ts';
import { writeAll } from '../output.ts';
import { unlockOptions } from './options.ts';
import { ProgressLine } from './progress-line.ts';
import type { VaultActionInput } from './vault.ts';

const STDOUT = 1;

/** Checks a vault and prints what was found (behaviour.md 9). Findings go to stdout whatever -q says: they are what was asked for. */
export async function fsckAction(input: VaultActionInput): Promise<number> {
  const { cipherdir, configPath } = input;
  const { values } = input.line;
  if (values.reverse) {
    throw new AegisError('usage', 'Running -fsck with -reverse is not supported');
  }
  const progress = new ProgressLine(input.output);
  const { log } = progress;
  const result = await checkVault(
    { cipherdir, unlock: unlockOptions(values, configPath), noXattr: values.noxattr, badNamePatterns: values.badname },
    {
      log,
      finding: (line) => progress.aside(() => writeAll(STDOUT, `${line}\n`)),
      progress: ({ entries, bytes }) => progress.show(entries, bytes),
    },
  );
  progress.erase();
  if (result.aborted) {
    log.info('fsck: aborted');
    return exitCodeOf('other');
  }
  if (result.corrupt + result.skipped === 0) {
    log.info('fsck summary: no problems found');
    return Exit.Success;
  }
  if (result.skipped > 0) {
    log.warn('fsck: re-run this program as root to check all files!');
  }
  writeAll(STDOUT, `fsck summary: ${result.corrupt} corrupt files, ${result.skipped} files skipped\n`);
  return exitCodeOf('fsck-errors');
}
