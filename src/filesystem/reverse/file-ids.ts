import { DERIVED_IDS_LEN } from '../../shared/derived-ids.ts';
import { Stat } from '../../sys/stat.ts';
import { DERIVED_LEN, Purpose } from '../../vault/reverse/derive.ts';
import type { ReverseContext } from './context.ts';
import type { DirPath } from './dir-paths.ts';

const values = new Uint8Array(DERIVED_IDS_LEN);

/** File ID and nonce of block 0 by the path of a file (format.md 10.1). @returns false if the name cannot be encrypted */
function deriveIDs(ctx: ReverseContext, dir: DirPath, plain: Uint8Array, off: number, len: number): boolean {
  const { name, derivation } = ctx;
  if (ctx.codec.encryptName(dir.iv, 0, plain, off, len, name) < 0) return false;
  derivation.start(dir.cipher).enter(name.buf, name.off, name.len);
  derivation.derive(Purpose.FileID, values, 0);
  derivation.derive(Purpose.Block0IV, values, DERIVED_LEN);
  return true;
}

/**
 * A file with several names was seen under one of them: the first one decides for all until unmount. Seen, not opened: programs walk a
 * tree in the same order each time, but open what they find in any order.
 */
export function noteLinked(ctx: ReverseContext, dir: DirPath, plain: Uint8Array, off: number, len: number, attr: Float64Array): void {
  const { ids } = ctx;
  if (ids.findLinked(attr[Stat.dev]!, attr[Stat.inoLo]!, attr[Stat.inoHi]!) !== 0) return;
  if (deriveIDs(ctx, dir, plain, off, len)) ids.addLinked(attr[Stat.dev]!, attr[Stat.inoLo]!, attr[Stat.inoHi]!, values);
}

/** The record of ids for an open of a file; to be given back. @returns 0 if there is no room or no name */
export function openIDs(ctx: ReverseContext, dir: DirPath, plain: Uint8Array, len: number, attr: Float64Array): number {
  const { ids } = ctx;
  if (attr[Stat.nlink]! > 1) {
    const linked = ids.findLinked(attr[Stat.dev]!, attr[Stat.inoLo]!, attr[Stat.inoHi]!);
    if (linked !== 0) return linked;
    if (!deriveIDs(ctx, dir, plain, 0, len)) return 0;
    const added = ids.addLinked(attr[Stat.dev]!, attr[Stat.inoLo]!, attr[Stat.inoHi]!, values);
    return added !== 0 ? added : ids.add(values);
  }
  return deriveIDs(ctx, dir, plain, 0, len) ? ids.add(values) : 0;
}
