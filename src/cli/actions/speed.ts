/** -speed. */
import { cpuHasAes, cpuModel, measureSpeed } from '../../operations/speed.ts';
import { Exit } from '../exit-codes.ts';
import { versionLine } from '../help.ts';
import { writeAll } from '../output.ts';

const STDOUT = 1;
const MILLISECONDS_PER_ROW = 250;
const NAME_WIDTH = 26;

/** Prints one row per cipher and engine (behaviour.md 1.8). */
export function speedAction(program: string): number {
  writeAll(STDOUT, `${versionLine(program)}\n`);
  writeAll(STDOUT, `cpu: ${cpuModel()}; ${cpuHasAes() ? 'with' : 'no'} AES-GCM acceleration\n`);
  for (const row of measureSpeed(MILLISECONDS_PER_ROW)) {
    const note = row.selected ? '\t(selected in auto mode)' : '';
    writeAll(STDOUT, `${row.name.padEnd(NAME_WIDTH)}\t${row.megabytesPerSecond.toFixed(2).padStart(8)} MB/s${note}\n`);
  }
  return Exit.Success;
}
