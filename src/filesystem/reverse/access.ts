import { Errno } from '../../base/errno.ts';
import { S_IFDIR, S_IFLNK, S_IFMT, X_OK } from '../../sys/constants.ts';
import { STAT_FIELDS, Stat } from '../../sys/stat.ts';
import type { Caller } from '../forward/types.ts';
import type { ReverseContext } from './context.ts';
import { getattr } from './getattr.ts';

const attr = new Float64Array(STAT_FIELDS);
const ANY_EXECUTE = 0o111;

/** Whether a caller may access an object, judged by the attributes shown (behaviour.md 7.1); without default_permissions only. */
export function access(ctx: ReverseContext, node: number, caller: Caller, mask: number): number {
  const result = getattr(ctx, node, attr);
  if (result < 0 || mask === 0) return result;
  const mode = attr[Stat.mode]!;
  const type = mode & S_IFMT;
  if (type === S_IFLNK) return 0;
  if (caller.uid === 0) return (mask & X_OK) === 0 || type === S_IFDIR || (mode & ANY_EXECUTE) !== 0 ? 0 : -Errno.EACCES;
  const isOwner = caller.uid === attr[Stat.uid];
  const shift = isOwner ? 6 : isInGroup(caller, attr[Stat.gid]!) ? 3 : 0;
  return ((mode >>> shift) & mask) === mask ? 0 : -Errno.EACCES;
}

/** Without -allow_other the caller is the user of this process, whose groups are known. */
function isInGroup(caller: Caller, gid: number): boolean {
  if (caller.gid === gid) return true;
  return caller.uid === process.geteuid?.() && (process.getgroups?.() ?? []).includes(gid);
}
