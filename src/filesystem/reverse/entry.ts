import { Errno } from '../../base/errno.ts';
import { MAX_NAME_BYTES } from '../../shared/arena.ts';
import { NodeChoice, ROOT } from '../../shared/nodes.ts';
import { AT_SYMLINK_NOFOLLOW, S_IFMT, S_IFREG } from '../../sys/constants.ts';
import { fstat, fstatat, Stat } from '../../sys/stat.ts';
import type { Entry } from '../forward/types.ts';
import type { ReverseContext } from './context.ts';
import type { DirPath } from './dir-paths.ts';
import { noteLinked } from './file-ids.ts';
import { DIR_IV_KEY, DIR_IV_KEY_LEN, nameFileKey, ViewKind } from './view-names.ts';

const key = new Uint8Array(MAX_NAME_BYTES + 3);

/** Seconds for which the kernel may rely on names and attributes (behaviour.md 6.2). */
export function timeoutOf(ctx: ReverseContext): number {
  return ctx.options.sharedStorage ? 0 : 1;
}

/** True for the directory whose `.gocryptfs.reverse.conf` is passed through: the root, unless -config was given. */
export function hasMappedConf(ctx: ReverseContext, parent: number): boolean {
  return ctx.options.mapConfig && parent === ROOT;
}

/**
 * Fills in the entry of a target of `resolveName`; takes a reference on its node.
 * @param plain - plain name with a NUL
 * @returns 0; −ENOENT if it does not exist
 */
export function enterTarget(
  ctx: ReverseContext,
  dir: DirPath,
  dirFd: number,
  kind: ViewKind,
  plain: Uint8Array,
  off: number,
  len: number,
  out: Entry,
): number {
  const { attr } = out;
  const result = kind === ViewKind.DirIV ? fstat(dirFd, attr) : fstatat(dirFd, plain, off, attr, AT_SYMLINK_NOFOLLOW);
  if (result < 0) return result;
  return enterKnown(ctx, dir, kind, plain, off, len, out);
}

/** The same for an object whose attributes are in `out.attr` already (for DirIV those of the directory). */
export function enterKnown(
  ctx: ReverseContext,
  dir: DirPath,
  kind: ViewKind,
  plain: Uint8Array,
  off: number,
  len: number,
  out: Entry,
): number {
  const { attr } = out;
  switch (kind) {
    case ViewKind.DirIV: {
      const result = reference(ctx, dir, DIR_IV_KEY, 0, DIR_IV_KEY_LEN, 0, 0, 0, S_IFREG, out);
      if (result === 0) ctx.attributes.showDirIV(attr);
      return result;
    }
    case ViewKind.NameFile: {
      // Its content depends on nothing but its name, so it stays the same node even if the object is replaced.
      const result = reference(ctx, dir, key, 0, nameFileKey(plain, off, len, key), 0, 0, 0, S_IFREG, out);
      if (result === 0) ctx.attributes.showNameFile(attr, ctx.codec.encryptedLength(len), out.node);
      return result;
    }
    default: {
      const type = attr[Stat.mode]! & S_IFMT;
      const result = reference(ctx, dir, plain, off, len, attr[Stat.dev]!, attr[Stat.inoLo]!, attr[Stat.inoHi]!, type, out);
      if (result < 0) return result;
      if (kind === ViewKind.Conf) {
        ctx.attributes.showConf(attr);
      } else {
        if (type === S_IFREG && attr[Stat.nlink]! > 1) noteLinked(ctx, dir, plain, off, len, attr);
        ctx.attributes.showReal(attr);
      }
      return 0;
    }
  }
}

function reference(
  ctx: ReverseContext,
  dir: DirPath,
  name: Uint8Array,
  off: number,
  len: number,
  dev: number,
  inoLo: number,
  inoHi: number,
  type: number,
  out: Entry,
): number {
  const node = ctx.nodes.reference(dir.node, name, off, len, dev, inoLo, inoHi, type, NodeChoice.PerEntry);
  if (node === 0) return -Errno.ENOMEM;
  out.node = node;
  out.generation = ctx.nodes.generation(node);
  out.entryTimeout = timeoutOf(ctx);
  out.attrTimeout = out.entryTimeout;
  return 0;
}
