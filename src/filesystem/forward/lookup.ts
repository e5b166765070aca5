import { pinChild } from './child-name.ts';
import type { ForwardContext } from './context.ts';
import { enter } from './entry.ts';
import type { Entry, NameBytes } from './types.ts';

/** Finds a name in a directory (behaviour.md 6.5). @returns 0 with a reference taken, or a negated errno */
export function lookup(ctx: ForwardContext, parent: number, name: NameBytes, out: Entry): number {
  const slot = pinChild(ctx, parent, name, ctx.name);
  if (slot < 0) return slot;
  const result = enter(ctx, parent, ctx.dirs.fd(slot), ctx.name, false, out);
  ctx.dirs.unpin(slot);
  return result;
}
