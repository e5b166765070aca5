/** Requests about extended attributes. */
import { Errno } from '../../base/errno.ts';
import { GetxattrIn, MAX_IO, SetxattrIn } from '../abi/structs.ts';
import { text, u32 } from '../decode.ts';
import { putSize } from '../encode.ts';
import type { Frame } from '../frame.ts';
import type { Operations } from '../operations.ts';
import { BODY, MALFORMED, PAYLOAD, status } from './handler.ts';

/** SETXATTR: fuse_setxattr_in, name, value -> nothing. */
export function setxattr(frame: Frame, operations: Operations): number {
  const size = u32(frame, SetxattrIn.valueSize);
  const value = text(frame, BODY + SetxattrIn.size, frame.name);
  if (value < 0 || size > frame.inLen - value) return MALFORMED;
  return status(operations.setxattr(frame.request, frame.name, frame.in8, value, size, u32(frame, SetxattrIn.flags)));
}

/** GETXATTR: fuse_getxattr_in, name -> the value, or fuse_getxattr_out if size 0 was asked for. */
export function getxattr(frame: Frame, operations: Operations): number {
  if (text(frame, BODY + GetxattrIn.size, frame.name) < 0) return MALFORMED;
  const size = bounded(u32(frame, GetxattrIn.valueSize));
  return reply(frame, size, operations.getxattr(frame.request, frame.name, frame.out8, PAYLOAD, size));
}

/** LISTXATTR: fuse_getxattr_in -> names, or fuse_getxattr_out if size 0 was asked for. */
export function listxattr(frame: Frame, operations: Operations): number {
  const size = bounded(u32(frame, GetxattrIn.valueSize));
  return reply(frame, size, operations.listxattr(frame.request, frame.out8, PAYLOAD, size));
}

/** REMOVEXATTR: name -> nothing. */
export function removexattr(frame: Frame, operations: Operations): number {
  if (text(frame, BODY, frame.name) < 0) return MALFORMED;
  return status(operations.removexattr(frame.request, frame.name));
}

function bounded(size: number): number {
  return Math.min(size, MAX_IO);
}

/** Size 0 asks how long the value is, any other for the value. */
function reply(frame: Frame, size: number, result: number): number {
  if (result < 0) return result;
  if (size === 0) return putSize(frame, result);
  return result > size ? -Errno.ERANGE : result;
}
