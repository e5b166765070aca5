import { Errno, errnoName } from '../../base/errno.ts';
import { quoteNameAt } from '../../base/quote.ts';
import { XATTR_LIST_MAX, XATTR_SIZE_MAX } from '../../sys/constants.ts';
import { classifyCipherXattr, classifyPlainXattr, XattrClass } from '../../vault/names/xattr.ts';
import type { ForwardContext } from './context.ts';
import { actAs, actAsDaemon } from './credentials.ts';
import type { Caller, NameBytes } from './types.ts';
import { XattrCall, XattrKind } from './xattr-call.ts';

const call = new XattrCall();
const stored = new Uint8Array(XATTR_SIZE_MAX);
const names = new Uint8Array(XATTR_LIST_MAX);

/** Value of an attribute (behaviour.md 6.17). `size` 0 asks for its length. @returns its length; −ENODATA, −ERANGE, −EIO */
export function getxattr(ctx: ForwardContext, node: number, name: NameBytes, dst: Uint8Array, dstOff: number, size: number): number {
  if (ctx.options.noXattr) return -Errno.ENODATA;
  const kind = classifyPlainXattr(name.buf, name.off, name.len);
  // Asked for before every write: answered without a look at the file.
  if (kind === XattrClass.Capability && !ctx.options.suid) return -Errno.EOPNOTSUPP;
  if (kind === XattrClass.Acl) return call.set(XattrKind.Get, name.buf, name.off, dst, dstOff, size, 0).perform(ctx, node);
  const named = ctx.xattrs.encryptName(name.buf, name.off, name.len);
  if (named < 0) return named === -Errno.EINVAL ? -Errno.EIO : named;
  const len = call.set(XattrKind.Get, ctx.xattrs.cipherName, 0, stored, 0, XATTR_SIZE_MAX, 0).perform(ctx, node);
  if (len === -Errno.ERANGE || len >= XATTR_SIZE_MAX) return -Errno.EOVERFLOW;
  if (len < 0) return len;
  const value = ctx.xattrs.decryptValue(stored.subarray(0, len));
  if (value === null) {
    ctx.log.warn(`GetXAttr: value of ${quoteNameAt(ctx.xattrs.cipherName, 0, named)} does not decrypt`);
    return -Errno.EIO;
  }
  if (size === 0) return value.length;
  if (value.length > size) return -Errno.ERANGE;
  dst.set(value, dstOff);
  return value.length;
}

/** Sets an attribute (behaviour.md 6.17); `flags` are XATTR_CREATE and XATTR_REPLACE. */
export function setxattr(
  ctx: ForwardContext,
  caller: Caller,
  node: number,
  name: NameBytes,
  value: Uint8Array,
  valueOff: number,
  valueLen: number,
  flags: number,
): number {
  if (ctx.options.noXattr) return -Errno.EOPNOTSUPP;
  if (classifyPlainXattr(name.buf, name.off, name.len) === XattrClass.Acl) {
    call.set(XattrKind.Set, name.buf, name.off, value, valueOff, valueLen, flags);
    return setAs(ctx, caller, node);
  }
  const named = ctx.xattrs.encryptName(name.buf, name.off, name.len);
  if (named < 0) return named;
  const sealed = ctx.xattrs.encryptValue(value.subarray(valueOff, valueOff + valueLen));
  // What could not be read back (see getxattr) is not written.
  if (sealed.length >= XATTR_SIZE_MAX) return -Errno.EOVERFLOW;
  return call.set(XattrKind.Set, ctx.xattrs.cipherName, 0, sealed, 0, sealed.length, flags).perform(ctx, node);
}

/** ACLs are set as the calling user: whether that drops the setgid bit depends on the groups (behaviour.md 6.3). */
function setAs(ctx: ForwardContext, caller: Caller, node: number): number {
  const acting = actAs(ctx, caller);
  if (acting < 0) return acting;
  try {
    return call.perform(ctx, node);
  } finally {
    actAsDaemon(ctx, acting);
  }
}

/** Removes an attribute (behaviour.md 6.17). */
export function removexattr(ctx: ForwardContext, node: number, name: NameBytes): number {
  if (ctx.options.noXattr) return -Errno.EOPNOTSUPP;
  if (classifyPlainXattr(name.buf, name.off, name.len) === XattrClass.Acl) {
    return call.set(XattrKind.Remove, name.buf, name.off, stored, 0, 0, 0).perform(ctx, node);
  }
  const named = ctx.xattrs.encryptName(name.buf, name.off, name.len);
  if (named < 0) return named;
  return call.set(XattrKind.Remove, ctx.xattrs.cipherName, 0, stored, 0, 0, 0).perform(ctx, node);
}

/** Names of all attributes, each with its NUL (behaviour.md 6.17). `size` 0 asks for the length. @returns their length; −ERANGE */
export function listxattr(ctx: ForwardContext, node: number, dst: Uint8Array, dstOff: number, size: number): number {
  if (ctx.options.noXattr) return 0;
  const len = call.set(XattrKind.List, names, 0, names, 0, XATTR_LIST_MAX, 0).perform(ctx, node);
  if (len < 0) return len;
  let used = 0;
  for (let at = 0; at < len; ) {
    const end = names.indexOf(0, at);
    const cLen = end - at;
    const kind = classifyCipherXattr(names, at, cLen);
    if (kind === XattrClass.Acl) {
      const next = put(names, at, cLen, dst, dstOff, used, size);
      if (next < 0) return next;
      used = next;
    } else if (kind === XattrClass.Encrypted) {
      const plainLen = decrypted(ctx, at, cLen);
      const next = plainLen < 0 ? used : put(ctx.xattrs.plainName, 0, plainLen, dst, dstOff, used, size);
      if (next < 0) return next;
      used = next;
    }
    at = end + 1;
  }
  return used;
}

/** Decrypts the name at `at` of the list. @returns its length, −1 if it is not to be shown */
function decrypted(ctx: ForwardContext, at: number, cLen: number): number {
  const { xattrs, log } = ctx;
  const plainLen = xattrs.decryptName(names, at, cLen);
  if (plainLen < 0) {
    log.warn(`ListXAttr: invalid xattr name ${quoteNameAt(names, at, cLen)}: ${errnoName(Errno.EBADMSG)}`);
    return -1;
  }
  if (classifyPlainXattr(xattrs.plainName, 0, plainLen) !== XattrClass.Acl) return plainLen;
  log.warn(`ListXAttr: ignoring deprecated encrypted ACL ${quoteNameAt(names, at, cLen)} = ${quoteNameAt(xattrs.plainName, 0, plainLen)}`);
  return -1;
}

/** Appends a name and its NUL, or only counts it. @returns bytes used then, or −ERANGE */
function put(src: Uint8Array, off: number, len: number, dst: Uint8Array, dstOff: number, used: number, size: number): number {
  if (size === 0) return used + len + 1;
  if (used + len + 1 > size) return -Errno.ERANGE;
  for (let i = 0; i < len; i++) dst[dstOff + used + i] = src[off + i]!;
  dst[dstOff + used + len] = 0;
  return used + len + 1;
}
