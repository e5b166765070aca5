/** Requests about a node itself: attributes, access, link target, filesystem figures. */
import { Fattr, GETATTR_FH } from '../abi/flags.ts';
import { AccessIn, GetattrIn, MAX_SYMLINK, SetattrIn } from '../abi/structs.ts';
import { i64, u32, u64 } from '../decode.ts';
import { putAttrReply, putStatfs } from '../encode.ts';
import type { Frame } from '../frame.ts';
import type { Operations } from '../operations.ts';
import { MALFORMED, PAYLOAD, status, TOO_LARGE } from './handler.ts';

/** GETATTR: fuse_getattr_in -> fuse_attr_out. */
export function getattr(frame: Frame, operations: Operations): number {
  const handle = (u32(frame, GetattrIn.flags) & GETATTR_FH) === 0 ? -1 : u64(frame, GetattrIn.fh);
  frame.attr.attrTimeout = 0;
  const result = operations.getattr(frame.request, handle, frame.attr);
  return result < 0 ? result : putAttrReply(frame);
}

/** SETATTR: fuse_setattr_in -> fuse_attr_out. */
export function setattr(frame: Frame, operations: Operations): number {
  const set = frame.setAttr;
  const valid = u32(frame, SetattrIn.valid);
  set.valid = valid;
  set.handle = (valid & Fattr.FH) === 0 ? -1 : u64(frame, SetattrIn.fh);
  set.mode = u32(frame, SetattrIn.mode);
  set.uid = u32(frame, SetattrIn.uid);
  set.gid = u32(frame, SetattrIn.gid);
  set.size = (valid & Fattr.SIZE) === 0 ? 0 : u64(frame, SetattrIn.fileSize);
  set.atimeSec = (valid & Fattr.ATIME) === 0 ? 0 : i64(frame, SetattrIn.atime);
  set.atimeNsec = u32(frame, SetattrIn.atimensec);
  set.mtimeSec = (valid & Fattr.MTIME) === 0 ? 0 : i64(frame, SetattrIn.mtime);
  set.mtimeNsec = u32(frame, SetattrIn.mtimensec);
  if (set.size < 0 || Number.isNaN(set.atimeSec) || Number.isNaN(set.mtimeSec)) return TOO_LARGE;
  if ((valid & Fattr.FH) !== 0 && set.handle < 0) return MALFORMED;
  frame.attr.attrTimeout = 0;
  const result = operations.setattr(frame.request, set, frame.attr);
  return result < 0 ? result : putAttrReply(frame);
}

/** READLINK: nothing -> the target without NUL. */
export function readlink(frame: Frame, operations: Operations): number {
  return operations.readlink(frame.request, frame.out8, PAYLOAD, MAX_SYMLINK);
}

/** ACCESS: fuse_access_in -> nothing. */
export function access(frame: Frame, operations: Operations): number {
  return status(operations.access(frame.request, u32(frame, AccessIn.mask)));
}

/** STATFS: nothing -> fuse_statfs_out. */
export function statfs(frame: Frame, operations: Operations): number {
  const result = operations.statfs(frame.request, frame.statfs);
  return result < 0 ? result : putStatfs(frame);
}
