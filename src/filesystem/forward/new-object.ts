import type { DiskName } from '../../vault/names/disk-name.ts';
import { pinChild } from './child-name.ts';
import type { ForwardContext } from './context.ts';
import { createNameFile, removeNameFile } from './long-name-file.ts';
import type { NameBytes } from './types.ts';

/**
 * First half of making an object: pins its directory, encrypts its name into `ctx.name`, and writes the `.name` file of a long name
 * (behaviour.md 6.4). The caller then makes the object and calls `endNew`.
 * @returns the slot, or a negated errno with nothing to undo (−EEXIST: an object or an orphaned `.name` file has the name)
 */
export function beginNew(ctx: ForwardContext, parent: number, name: NameBytes): number {
  const slot = pinChild(ctx, parent, name, ctx.name);
  if (slot < 0 || !ctx.name.isLong) return slot;
  const result = createNameFile(ctx, ctx.dirs.fd(slot), ctx.name);
  if (result === 0) return slot;
  ctx.dirs.unpin(slot);
  return result;
}

/** Second half: takes the `.name` file back if the object was not made. @returns `result` */
export function endNew(ctx: ForwardContext, slot: number, name: DiskName, result: number): number {
  if (result < 0 && name.isLong) removeNameFile(ctx, ctx.dirs.fd(slot), name);
  ctx.dirs.unpin(slot);
  return result;
}
