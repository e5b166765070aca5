/** Symbolic links: the target must decrypt (behaviour.md 6.16, 9). */
import { Errno } from '../../base/errno.ts';
import { quoteName } from '../../base/quote.ts';
import { readlinkat } from '../../sys/at.ts';
import { PATH_MAX } from '../../sys/constants.ts';
import { SymlinkCodec } from '../../vault/names/symlink.ts';
import type { FsckContext } from './context.ts';

/** Checks symlinks of one vault. */
export class SymlinkChecker {
  readonly #ctx: FsckContext;
  readonly #codec: SymlinkCodec;
  readonly #stored = new Uint8Array(PATH_MAX);

  constructor(ctx: FsckContext) {
    this.#ctx = ctx;
    this.#codec = new SymlinkCodec(ctx.parameters);
  }

  /** @param cName - backing name with a NUL behind its `len` bytes */
  check(dirFd: number, cName: Buffer, len: number): void {
    const { findings, log } = this.#ctx;
    let result = readlinkat(dirFd, cName, 0, this.#stored, 0, PATH_MAX);
    if (result >= 0 && this.#codec.decryptTarget(this.#stored, 0, result) === null) {
      log.warn(`Readlink ${quoteName(cName.toString('latin1', 0, len))}: decrypting target failed: not made with this key or damaged`);
      result = -Errno.EIO;
    }
    if (result < 0) findings.failed(`error reading symlink ${findings.quotedPath()}`, result);
  }
}
