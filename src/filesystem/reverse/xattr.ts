import { asciiBytes, concatBytes } from '../../base/bytes.ts';
import { Errno } from '../../base/errno.ts';
import { XATTR_LIST_MAX, XATTR_SIZE_MAX } from '../../sys/constants.ts';
import { lgetxattrat, llistxattrat } from '../../sys/xattr.ts';
import { classifyCipherXattr, classifyPlainXattr, XattrClass } from '../../vault/names/xattr.ts';
import { DERIVED_LEN, Purpose } from '../../vault/reverse/derive.ts';
import type { NameBytes } from '../forward/types.ts';
import type { ReverseContext } from './context.ts';
import { findPlace, findPlaceAgain, newPlace } from './place.ts';
import { ViewKind } from './view-names.ts';

const place = newPlace();
const value = new Uint8Array(XATTR_SIZE_MAX);
const names = new Uint8Array(XATTR_LIST_MAX);
const nonce = new Uint8Array(DERIVED_LEN);
/** Any bytes; the name of a call that needs none. */
const NO_NAME = asciiBytes('\0');

/** Value of an attribute of the view (behaviour.md 7.5). `size` 0 asks for its length. @returns its length; −ENODATA, −ERANGE */
export function getxattr(ctx: ReverseContext, node: number, name: NameBytes, dst: Uint8Array, dstOff: number, size: number): number {
  if (ctx.options.noXattr) return -Errno.ENODATA;
  const kind = classifyCipherXattr(name.buf, name.off, name.len);
  if (kind === XattrClass.Acl) return call(ctx, node, name.buf, name.off, dst, dstOff, size);
  if (kind !== XattrClass.Encrypted) return -Errno.ENODATA;
  const { xattrs } = ctx;
  const plainLen = xattrs.decryptName(name.buf, name.off, name.len);
  if (plainLen < 0 || classifyPlainXattr(xattrs.plainName, 0, plainLen) === XattrClass.Acl) return -Errno.ENODATA;
  const len = call(ctx, node, xattrs.plainName, 0, value, 0, XATTR_SIZE_MAX);
  if (len < 0) return len;
  const sealed = xattrs.encryptValueDerived(value.subarray(0, len), valueNonce(ctx, node, name));
  // What no filesystem could store is not shown either.
  if (sealed.length > XATTR_SIZE_MAX) return -Errno.E2BIG;
  if (size === 0) return sealed.length;
  if (sealed.length > size) return -Errno.ERANGE;
  dst.set(sealed, dstOff);
  return sealed.length;
}

/** Nonce of a value, for the object that `call` has just found. */
function valueNonce(ctx: ReverseContext, node: number, attribute: NameBytes): Uint8Array {
  const { path, name, derivation } = ctx;
  const { dir } = place;
  derivation.start(dir === null ? new Uint8Array(0) : dir.cipher);
  if (dir !== null && dir.node !== node && ctx.codec.encryptName(dir.iv, 0, path.name, 0, path.len, name) === 0) {
    derivation.enter(name.buf, name.off, name.len);
  }
  derivation.byte(0).bytes(attribute.buf, attribute.off, attribute.len).derive(Purpose.XattrIV, nonce, 0);
  return nonce;
}

/** Names of all attributes of the view, each with its NUL. `size` 0 asks for the length. @returns their length; −ERANGE */
export function listxattr(ctx: ReverseContext, node: number, dst: Uint8Array, dstOff: number, size: number): number {
  if (ctx.options.noXattr) return 0;
  const len = call(ctx, node, null, 0, names, 0, XATTR_LIST_MAX);
  if (len < 0) return len === -Errno.ENODATA ? 0 : len;
  const { xattrs } = ctx;
  const shown: Uint8Array[] = [];
  for (let at = 0; at < len; ) {
    const end = names.indexOf(0, at);
    if (classifyPlainXattr(names, at, end - at) === XattrClass.Acl) {
      shown.push(names.slice(at, end + 1));
    } else {
      const cipherLen = xattrs.encryptName(names, at, end - at);
      if (cipherLen > 0) shown.push(xattrs.cipherName.slice(0, cipherLen), NO_NAME);
    }
    at = end + 1;
  }
  const list = concatBytes(...shown);
  if (size === 0) return list.length;
  if (list.length > size) return -Errno.ERANGE;
  dst.set(list, dstOff);
  return list.length;
}

/** Reads an attribute, or with `name` null the list of names, of the plain object. Virtual files have none: −ENODATA. */
function call(
  ctx: ReverseContext,
  node: number,
  name: Uint8Array | null,
  off: number,
  dst: Uint8Array,
  dstOff: number,
  len: number,
): number {
  let result = findPlace(ctx, node, place);
  if (result < 0) return result;
  if (place.kind !== ViewKind.Real) {
    ctx.path.done();
    return -Errno.ENODATA;
  }
  result = once(ctx, name, off, dst, dstOff, len);
  if (result === -Errno.ENOENT) {
    if (!findPlaceAgain(ctx, node, place)) return result;
    result = once(ctx, name, off, dst, dstOff, len);
  }
  ctx.path.done();
  return result;
}

function once(ctx: ReverseContext, name: Uint8Array | null, off: number, dst: Uint8Array, dstOff: number, len: number): number {
  const { path } = ctx;
  if (name === null) return llistxattrat(path.dirFd, path.name, 0, dst, dstOff, len);
  return lgetxattrat(path.dirFd, path.name, 0, name, off, dst, dstOff, len);
}
