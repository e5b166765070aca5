import { Errno } from '../../base/errno.ts';
import { NodeChoice } from '../../shared/nodes.ts';
import { AT_SYMLINK_NOFOLLOW, S_IFMT } from '../../sys/constants.ts';
import { fstatat, Stat } from '../../sys/stat.ts';
import type { DiskName } from '../../vault/names/disk-name.ts';
import type { ForwardContext } from './context.ts';
import type { Entry } from './types.ts';

/** Seconds that names and attributes stay valid in the kernel: none if others may change CIPHERDIR at any time (behaviour.md 6.2). */
export function timeoutOf(ctx: ForwardContext): number {
  return ctx.options.sharedStorage ? 0 : 1;
}

/**
 * Takes a reference on the node of an object that was just seen or made: `out.attr` holds its backing attributes and keeps them.
 * @param isNew - it was made by this very request (behaviour.md 6.2)
 * @returns 0, or −ENOMEM if the node table is full
 */
export function referenceNode(
  ctx: ForwardContext,
  parent: number,
  buf: Uint8Array,
  off: number,
  len: number,
  isNew: boolean,
  out: Entry,
): number {
  const { attr } = out;
  const choice = ctx.options.sharedStorage ? NodeChoice.PerEntry : isNew ? NodeChoice.Fresh : NodeChoice.Known;
  const type = attr[Stat.mode]! & S_IFMT;
  const node = ctx.nodes.reference(parent, buf, off, len, attr[Stat.dev]!, attr[Stat.inoLo]!, attr[Stat.inoHi]!, type, choice);
  if (node === 0) return -Errno.ENOMEM;
  out.node = node;
  out.generation = ctx.nodes.generation(node);
  out.entryTimeout = timeoutOf(ctx);
  out.attrTimeout = out.entryTimeout;
  return 0;
}

/** Fills in an entry for what lies under an on-disk name. @returns 0 with a reference taken, or a negated errno */
export function enter(ctx: ForwardContext, parent: number, dirFd: number, name: DiskName, isNew: boolean, out: Entry): number {
  let result = fstatat(dirFd, name.buf, name.off, out.attr, AT_SYMLINK_NOFOLLOW);
  if (result < 0) return result;
  result = referenceNode(ctx, parent, name.buf, name.off, name.len, isNew, out);
  if (result < 0) return result;
  ctx.attributes.showAt(out.attr, out.node, dirFd, name.buf, name.off);
  return 0;
}
