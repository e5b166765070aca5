import { faccessat } from '../../sys/at.ts';
import { AT_EACCESS, AT_SYMLINK_NOFOLLOW, S_IFLNK } from '../../sys/constants.ts';
import { fstatfs } from '../../sys/stat.ts';
import type { ForwardContext } from './context.ts';

/** Whether the daemon may access an object; only asked without default_permissions (behaviour.md 6.16). */
export function access(ctx: ForwardContext, node: number, mask: number): number {
  if (ctx.nodes.type(node) === S_IFLNK) return 0;
  const { path } = ctx;
  let result = path.first(node);
  if (result < 0) return result;
  do result = faccessat(path.dirFd, path.name, 0, mask, AT_EACCESS | AT_SYMLINK_NOFOLLOW);
  while (path.again(result));
  path.done();
  return result;
}

/** Figures of the filesystem that holds CIPHERDIR (STATFS_FIELDS numbers). */
export function statfs(ctx: ForwardContext, out: Float64Array): number {
  return fstatfs(ctx.options.rootFd, out);
}
