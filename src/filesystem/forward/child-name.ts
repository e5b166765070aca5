import { copyBytes } from '../../base/bytes.ts';
import { Errno } from '../../base/errno.ts';
import { quoteNameAt } from '../../base/quote.ts';
import { ROOT } from '../../shared/nodes.ts';
import { AT_SYMLINK_NOFOLLOW } from '../../sys/constants.ts';
import { fstatat, STAT_FIELDS } from '../../sys/stat.ts';
import type { DiskName } from '../../vault/names/disk-name.ts';
import type { ForwardContext } from './context.ts';
import type { NameBytes } from './types.ts';

const stat = new Float64Array(STAT_FIELDS);

/**
 * Pins a directory and finds out what a plaintext name is called in it (behaviour.md 6.1, 6.5).
 * @param out - where the on-disk name goes
 * @returns the slot, to be unpinned; or a negated errno: −ENOENT, −ENAMETOOLONG, −EPERM for the reserved name, −EIO for a bad diriv
 */
export function pinChild(ctx: ForwardContext, parent: number, name: NameBytes, out: DiskName): number {
  ctx.counters.markUsed();
  const isRoot = parent === ROOT;
  if (ctx.codec.isReserved(name.buf, name.off, name.len, isRoot)) {
    ctx.log.info('The name /gocryptfs.conf is reserved when -plaintextnames is used');
    return -Errno.EPERM;
  }
  const slot = ctx.dirs.pinWithIV(parent);
  if (slot < 0) return slot;
  const { iv } = ctx.dirs;
  const ivOff = ctx.dirs.ivOffset(slot);
  let result = ctx.codec.encryptName(iv, ivOff, name.buf, name.off, name.len, out);
  if (result === -Errno.EBADMSG) warnInvalid(ctx, name);
  if (result === 0 && ctx.badNames.isMarked(name.buf, name.off, name.len)) result = findBadName(ctx, slot, name, out, isRoot);
  if (result === 0) return slot;
  ctx.dirs.unpin(slot);
  return result;
}

function warnInvalid(ctx: ForwardContext, name: NameBytes): void {
  ctx.log.warn(
    `EncryptName ${quoteNameAt(name.buf, name.off, name.len)}: invalid plainName: empty, a dot name, or with a slash or NUL byte`,
  );
}

function exists(dirFd: number, path: Uint8Array, off: number): boolean {
  return fstatat(dirFd, path, off, stat, AT_SYMLINK_NOFOLLOW) === 0;
}

/** Puts the one backing name that a name marked as bad stands for into `out`; −ENOENT if there is none or more than one. */
function findBadName(ctx: ForwardContext, slot: number, name: NameBytes, out: DiskName, isRoot: boolean): number {
  const dirFd = ctx.dirs.fd(slot);
  if (exists(dirFd, out.buf, out.off)) return 0;
  const candidates = ctx.badNames.candidates(ctx.dirs.iv, ctx.dirs.ivOffset(slot), name.buf, name.off, name.len, isRoot);
  const found = candidates.filter((candidate) => exists(dirFd, Buffer.concat([candidate, Buffer.alloc(1)]), 0));
  const only = found[0];
  if (only === undefined || found.length > 1) return -Errno.ENOENT;
  copyBytes(only, 0, out.buf, out.textOff, only.length);
  out.buf[out.textOff + only.length] = 0;
  out.off = out.textOff;
  out.len = only.length;
  out.textLen = only.length;
  out.isLong = false;
  return 0;
}
