import { Errno } from '../../base/errno.ts';
import { readlinkat } from '../../sys/at.ts';
import { PATH_MAX } from '../../sys/constants.ts';
import { DERIVED_LEN, Purpose } from '../../vault/reverse/derive.ts';
import type { ReverseContext } from './context.ts';
import { findPlace, findPlaceAgain, newPlace } from './place.ts';

const place = newPlace();
const plain = new Uint8Array(PATH_MAX);
const nonce = new Uint8Array(DERIVED_LEN);

/** Encrypted target of a symlink, without NUL, to dst. @returns its length; −ENAMETOOLONG if it is longer than a link can show */
export function readlink(ctx: ReverseContext, node: number, dst: Uint8Array, dstOff: number, dstLen: number): number {
  const { path, name, derivation } = ctx;
  let result = findPlace(ctx, node, place);
  if (result < 0) return result;
  result = readlinkat(path.dirFd, path.name, 0, plain, 0, PATH_MAX);
  if (result === -Errno.ENOENT) {
    if (!findPlaceAgain(ctx, node, place)) return result;
    result = readlinkat(path.dirFd, path.name, 0, plain, 0, PATH_MAX);
  }
  path.done();
  if (result < 0 || place.dir === null) return result;
  const encrypted = ctx.codec.encryptName(place.dir.iv, 0, path.name, 0, path.len, name);
  if (encrypted < 0) return encrypted;
  // The last component counts twice: an accident that the vaults of gocryptfs have made part of the format (format.md 10.1).
  derivation.start(place.dir.cipher).enter(name.buf, name.off, name.len).enter(name.buf, name.off, name.len);
  derivation.derive(Purpose.SymlinkIV, nonce, 0);
  const target = ctx.symlinks.encryptTargetDerived(plain.subarray(0, result), nonce);
  if (target.length > dstLen) return -Errno.ENAMETOOLONG;
  dst.set(target, dstOff);
  return target.length;
}
