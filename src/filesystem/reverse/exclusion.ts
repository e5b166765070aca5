import { isBytes } from '../../base/bytes.ts';
import { ROOT } from '../../shared/nodes.ts';
import type { DirPath } from './dir-paths.ts';
import { join } from './dir-paths.ts';
import { compilePatterns, type PathMatcher } from './exclude-patterns.ts';
import { REVERSE_CONF } from './view-names.ts';

/** Which objects of the plain folder the view hides (behaviour.md 7.6). */
export class Exclusion {
  readonly #matcher: PathMatcher | null;

  constructor(patterns: readonly string[]) {
    this.#matcher = patterns.length === 0 ? null : compilePatterns(patterns);
  }

  /** True if an entry of a directory is hidden, whether it exists or not. */
  hides(directory: DirPath, name: Uint8Array, off: number, len: number): boolean {
    if (this.#matcher === null) return false;
    if (directory.node === ROOT && isBytes(name, off, len, REVERSE_CONF)) return false;
    return this.#matcher(join(directory.plain, name, off, len));
  }
}
