import { Errno } from '../../base/errno.ts';
import { quoteNameAt } from '../../base/quote.ts';
import { readlinkat } from '../../sys/at.ts';
import { PATH_MAX } from '../../sys/constants.ts';
import type { ForwardContext } from './context.ts';

const stored = new Uint8Array(PATH_MAX);

/** Target of a symlink, without NUL, to dst (behaviour.md 6.16). @returns its length; −EIO if it does not decrypt */
export function readlink(ctx: ForwardContext, node: number, dst: Uint8Array, dstOff: number, dstLen: number): number {
  const { path } = ctx;
  let result = path.first(node);
  if (result < 0) return result;
  do result = readlinkat(path.dirFd, path.name, 0, stored, 0, PATH_MAX);
  while (path.again(result));
  path.done();
  if (result < 0) return result;
  const target = ctx.symlinks.decryptTarget(stored, 0, result);
  if (target === null) {
    ctx.log.warn(`Readlink ${quoteNameAt(path.name, 0, path.len)}: decrypting target failed: not made with this key or damaged`);
    return -Errno.EIO;
  }
  if (target.length > dstLen) return -Errno.ENAMETOOLONG;
  dst.set(target, dstOff);
  return target.length;
}
