import { isBytes } from '../../../base/bytes.ts';
import { ROOT } from '../../../shared/nodes.ts';
import { type DirPath, join } from '../dir-paths.ts';
import { REVERSE_CONF } from '../view-names.ts';
import { compilePatterns, isHidden, type Pattern } from './patterns.ts';

/** Which objects of the plain folder the view hides (behaviour.md 7.6). */
export class Exclusion {
  readonly #patterns: readonly Pattern[];

  constructor(lines: readonly string[]) {
    this.#patterns = compilePatterns(lines);
  }

  /** True if an entry of a directory is hidden, whether it exists or not. */
  hides(directory: DirPath, name: Uint8Array, off: number, len: number): boolean {
    if (this.#patterns.length === 0) return false;
    if (directory.node === ROOT && isBytes(name, off, len, REVERSE_CONF)) return false;
    return isHidden(this.#patterns, join(directory.plain, name, off, len));
  }
}
