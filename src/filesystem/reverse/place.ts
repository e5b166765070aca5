import { Errno } from '../../base/errno.ts';
import { ROOT } from '../../shared/nodes.ts';
import type { ReverseContext } from './context.ts';
import type { DirPath } from './dir-paths.ts';
import { hasMappedConf } from './entry.ts';
import { dropIfRemoved } from './lookup.ts';
import { kindOfKey, ViewKind } from './view-names.ts';

/** What `ctx.path` points to after `findPlace`. */
export interface Place {
  kind: ViewKind;
  /** Directory that holds it; the root's own for the root. */
  dir: DirPath | null;
}

/** A place to be filled by `findPlace`. */
export function newPlace(): Place {
  return { kind: ViewKind.Real, dir: null };
}

/**
 * Points `ctx.path` to a node: directory descriptor and key. To be ended with `ctx.path.done()`.
 * @returns 0, or a negated errno with nothing to undo
 */
export function findPlace(ctx: ReverseContext, node: number, place: Place): number {
  const { path } = ctx;
  const result = path.first(node);
  if (result < 0) return result;
  place.kind = kindOfKey(path.name, path.len, hasMappedConf(ctx, path.parent));
  place.dir = ctx.paths.of(path.parent);
  if (place.dir !== null) return 0;
  path.done();
  return -Errno.ENOENT;
}

/** After a call found nothing: true if the directory was stale, and `ctx.path` now points to the one that took its place. */
export function findPlaceAgain(ctx: ReverseContext, node: number, place: Place): boolean {
  ctx.path.done();
  return node !== ROOT && dropIfRemoved(ctx, ctx.nodes.parent(node)) && findPlace(ctx, node, place) === 0;
}
