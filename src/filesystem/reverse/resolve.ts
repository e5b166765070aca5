import { decodeBase64Url } from '../../base/base64.ts';
import { asciiBytes, copyBytes, endsWith, isBytes } from '../../base/bytes.ts';
import { Errno } from '../../base/errno.ts';
import { MAX_NAME_BYTES } from '../../shared/arena.ts';
import { ROOT } from '../../shared/nodes.ts';
import { openat } from '../../sys/at.ts';
import { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } from '../../sys/constants.ts';
import { close } from '../../sys/files.ts';
import { fstat, Stat } from '../../sys/stat.ts';
import { EntryKind } from '../../vault/names/codec.ts';
import { CONF_NAME, DIR_IV_NAME } from '../../vault/names/rules.ts';
import type { NameBytes } from '../forward/types.ts';
import type { ReverseContext } from './context.ts';
import type { DirPath } from './dir-paths.ts';
import { REVERSE_CONF, ViewKind } from './view-names.ts';

const CONF = asciiBytes(CONF_NAME);
const DIR_IV = asciiBytes(DIR_IV_NAME);
const NAME_SUFFIX = asciiBytes('.name');
const HERE = asciiBytes('.\0');
const EME_BLOCK = 16;

/** What a name of the view stands for in the plain folder. */
export interface Target {
  kind: ViewKind;
  /** Plain name with a NUL, from index 0; unused for DirIV. */
  readonly plain: Uint8Array;
  len: number;
}

/** A target to be filled by `resolveName`. */
export function newTarget(): Target {
  return { kind: ViewKind.Real, plain: new Uint8Array(MAX_NAME_BYTES + 1), len: 0 };
}

const scratch = new Uint8Array(MAX_NAME_BYTES);

/** True for a directory that -one-file-system shows empty. */
export function isForeign(ctx: ReverseContext, dirFd: number): boolean {
  if (!ctx.options.oneFileSystem) return false;
  return fstat(dirFd, ctx.stat) === 0 && ctx.stat[Stat.dev] !== ctx.rootDev;
}

/**
 * Finds out what a name in a directory of the view stands for, by computation alone where it is not a hashed one; whether it exists is
 * for the caller to see.
 * @returns 0 with `target` filled; −ENOENT for what is no name of the view, −EPERM for what is excluded (behaviour.md 7.2, 7.6)
 */
export function resolveName(ctx: ReverseContext, dir: DirPath, dirFd: number, name: NameBytes, target: Target): number {
  const { codec, parameters, options } = ctx;
  const { buf, off, len } = name;
  const isMapped = options.mapConfig && dir.node === ROOT;
  if (len > MAX_NAME_BYTES) return -Errno.ENAMETOOLONG;
  if (isMapped && isBytes(buf, off, len, CONF)) return take(target, ViewKind.Conf, REVERSE_CONF, 0, REVERSE_CONF.length);
  if (parameters.dirIV && isBytes(buf, off, len, DIR_IV)) return take(target, ViewKind.DirIV, DIR_IV, 0, 0);
  if (isForeign(ctx, dirFd)) return -Errno.ENOENT;
  if (codec.plaintextNames) {
    take(target, ViewKind.Real, buf, off, len);
  } else {
    const kind = codec.classify(buf, off, len, false);
    const isLong = kind === EntryKind.LongName || kind === EntryKind.LongNameFile;
    const result = isLong ? resolveLong(ctx, dir, dirFd, name, target) : resolveShort(ctx, dir, name, target);
    if (result < 0) return result;
  }
  if (isMapped && isBytes(target.plain, 0, target.len, REVERSE_CONF)) return -Errno.ENOENT;
  return ctx.exclusion.hides(dir, target.plain, 0, target.len) ? -Errno.EPERM : 0;
}

function take(target: Target, kind: ViewKind, plain: Uint8Array, off: number, len: number): 0 {
  target.kind = kind;
  copyBytes(plain, off, target.plain, 0, len);
  target.plain[len] = 0;
  target.len = len;
  return 0;
}

function resolveShort(ctx: ReverseContext, dir: DirPath, name: NameBytes, target: Target): number {
  const { codec, parameters, log } = ctx;
  const { buf, off, len } = name;
  const plainLen = codec.decryptName(dir.iv, 0, buf, off, len);
  if (plainLen < 0) {
    const bytes = decodeBase64Url(buf, off, len, scratch, 0, parameters.paddedBase64);
    if (bytes > 0 && bytes % EME_BLOCK === 0) {
      const text = Buffer.from(buf.subarray(off, off + len)).toString('latin1');
      log.warn(`Lookup "${text}": decrypts to no valid name`);
    }
    return -Errno.ENOENT;
  }
  // The view has this object under its hashed name only.
  if (codec.hashes(plainLen)) return -Errno.ENOENT;
  return take(target, ViewKind.Real, codec.plain, 0, plainLen);
}

function resolveLong(ctx: ReverseContext, dir: DirPath, dirFd: number, name: NameBytes, target: Target): number {
  const { longNames } = ctx;
  const { buf, off } = name;
  const isNameFile = endsWith(buf, off, name.len, NAME_SUFFIX);
  const len = isNameFile ? name.len - NAME_SUFFIX.length : name.len;
  const kind = isNameFile ? ViewKind.NameFile : ViewKind.Real;
  let plain: Uint8Array | number | undefined = longNames.recall(buf, off, len);
  if (plain === undefined) {
    const fd = openat(dirFd, HERE, 0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
    if (fd < 0) return fd;
    plain = longNames.search(fd, dir.iv, buf, off, len);
    close(fd);
    if (plain === undefined) return -Errno.ENOENT;
    if (typeof plain === 'number') return plain;
  }
  return take(target, kind, plain, 0, plain.length);
}
