/** Random parts of directories: IVs and the names of temporary files (format.md 8.4). */
import { readBE32 } from '../../base/bytes.ts';
import { kernel } from '../../crypto/kernel.ts';
import { DIR_IV_LEN } from './rules.ts';

const scratch = new Uint8Array(8);

/** Fills dst with the IV of a new directory, never all zero. */
export function randomDirIV(dst: Uint8Array, off: number): void {
  kernel.randomFill(dst, off, DIR_IV_LEN);
}

/** A random whole number below 2^53, for a name that nothing else in a directory has. */
export function randomNumber(): number {
  kernel.randomFill(scratch, 0, scratch.length);
  return (readBE32(scratch, 0) >>> 11) * 2 ** 32 + readBE32(scratch, 4);
}
