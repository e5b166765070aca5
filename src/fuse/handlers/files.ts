/** Requests on open files. */
import { Errno } from '../../base/errno.ts';
import { FSYNC_FDATASYNC } from '../abi/flags.ts';
import {
  CopyFileRangeIn,
  FallocateIn,
  FlushIn,
  FsyncIn,
  IoctlIn,
  IoctlReply,
  LseekIn,
  LseekReply,
  MAX_IO,
  OpenIn,
  ReadIn,
  ReleaseIn,
  WriteIn,
} from '../abi/structs.ts';
import { u32, u64 } from '../decode.ts';
import { putSize, putU64 } from '../encode.ts';
import type { Frame } from '../frame.ts';
import type { Operations } from '../operations.ts';
import { BODY, freshOpen, MALFORMED, openReply, PAYLOAD, status, TOO_LARGE } from './handler.ts';

/** Most bytes a copy_file_range(2) moves at once (MAX_RW_COUNT); the reply has room for 32 bits only. */
const MAX_COPY = 0x7ffff000;

/** OPEN: fuse_open_in -> fuse_open_out. */
export function open(frame: Frame, operations: Operations): number {
  return openReply(frame, operations.open(frame.request, u32(frame, OpenIn.flags), freshOpen(frame)));
}

/** READ: fuse_read_in -> data, which the operation puts straight into the reply. */
export function read(frame: Frame, operations: Operations): number {
  const handle = u64(frame, ReadIn.fh);
  const offset = u64(frame, ReadIn.offset);
  const size = u32(frame, ReadIn.count);
  if (handle < 0) return MALFORMED;
  if (offset < 0) return TOO_LARGE;
  if (size > MAX_IO) return refuseSize(frame, 'read', size);
  const result = operations.read(frame.request, handle, offset, size, frame.out8, PAYLOAD);
  if (result > size) throw new RangeError(`read returned ${result} bytes, asked for ${size}`);
  return result;
}

/** WRITE: fuse_write_in, data -> fuse_write_out. */
export function write(frame: Frame, operations: Operations): number {
  const handle = u64(frame, WriteIn.fh);
  const offset = u64(frame, WriteIn.offset);
  const size = u32(frame, WriteIn.count);
  if (handle < 0) return MALFORMED;
  if (offset < 0) return TOO_LARGE;
  if (size > MAX_IO) return refuseSize(frame, 'write', size);
  const data = BODY + WriteIn.size;
  if (size > frame.inLen - data) return MALFORMED;
  const result = operations.write(frame.request, handle, offset, frame.in8, data, size, u32(frame, WriteIn.flags));
  if (result < 0) return result;
  if (result > size) throw new RangeError(`write returned ${result} bytes, got ${size}`);
  return putSize(frame, result);
}

function refuseSize(frame: Frame, what: string, size: number): number {
  frame.log.warn(`fuse: ${what} of ${size} bytes refused, the limit is ${MAX_IO}`);
  return -Errno.EMSGSIZE;
}

/** FLUSH: fuse_flush_in -> nothing. */
export function flush(frame: Frame, operations: Operations): number {
  const handle = u64(frame, FlushIn.fh);
  return handle < 0 ? MALFORMED : status(operations.flush(frame.request, handle));
}

/** RELEASE: fuse_release_in -> nothing. */
export function release(frame: Frame, operations: Operations): number {
  const handle = u64(frame, ReleaseIn.fh);
  return handle < 0 ? MALFORMED : status(operations.release(frame.request, handle, u32(frame, ReleaseIn.flags)));
}

/** FSYNC: fuse_fsync_in -> nothing. */
export function fsync(frame: Frame, operations: Operations): number {
  const handle = u64(frame, FsyncIn.fh);
  if (handle < 0) return MALFORMED;
  return status(operations.fsync(frame.request, handle, (u32(frame, FsyncIn.flags) & FSYNC_FDATASYNC) !== 0));
}

/** FALLOCATE: fuse_fallocate_in -> nothing. */
export function fallocate(frame: Frame, operations: Operations): number {
  const handle = u64(frame, FallocateIn.fh);
  const offset = u64(frame, FallocateIn.offset);
  const length = u64(frame, FallocateIn.length);
  if (handle < 0) return MALFORMED;
  if (offset < 0 || length < 0) return TOO_LARGE;
  return status(operations.fallocate(frame.request, handle, offset, length, u32(frame, FallocateIn.mode)));
}

/** LSEEK: fuse_lseek_in -> fuse_lseek_out. */
export function lseek(frame: Frame, operations: Operations): number {
  const handle = u64(frame, LseekIn.fh);
  const offset = u64(frame, LseekIn.offset);
  if (handle < 0) return MALFORMED;
  if (offset < 0) return TOO_LARGE;
  const result = operations.lseek(frame.request, handle, offset, u32(frame, LseekIn.whence));
  if (result < 0) return result;
  putU64(frame.out32, PAYLOAD, result);
  return LseekReply.size;
}

/** COPY_FILE_RANGE: fuse_copy_file_range_in -> fuse_write_out. */
export function copyFileRange(frame: Frame, operations: Operations): number {
  const handleIn = u64(frame, CopyFileRangeIn.fhIn);
  const offIn = u64(frame, CopyFileRangeIn.offIn);
  const nodeOut = u64(frame, CopyFileRangeIn.nodeOut);
  const handleOut = u64(frame, CopyFileRangeIn.fhOut);
  const offOut = u64(frame, CopyFileRangeIn.offOut);
  const wanted = u64(frame, CopyFileRangeIn.len);
  if (handleIn < 0 || nodeOut < 0 || handleOut < 0) return MALFORMED;
  if (offIn < 0 || offOut < 0) return TOO_LARGE;
  // A length may be anything up to 2^64 ("to the end"): copying less than asked for is allowed.
  const len = wanted < 0 || wanted > MAX_COPY ? MAX_COPY : wanted;
  const flags = u32(frame, CopyFileRangeIn.flags);
  const result = operations.copyFileRange(frame.request, handleIn, offIn, nodeOut, handleOut, offOut, len, flags);
  return result < 0 ? result : putSize(frame, result);
}

/** IOCTL: fuse_ioctl_in -> fuse_ioctl_out without data. */
export function ioctl(frame: Frame, operations: Operations): number {
  const handle = u64(frame, IoctlIn.fh);
  if (handle < 0) return MALFORMED;
  const result = operations.ioctl(frame.request, handle, u32(frame, IoctlIn.cmd));
  if (result < 0) return result;
  const at = PAYLOAD >>> 2;
  frame.out32.fill(0, at, at + (IoctlReply.size >>> 2));
  frame.out32[at] = result;
  return IoctlReply.size;
}
