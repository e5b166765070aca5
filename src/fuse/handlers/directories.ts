/** Requests on open directories. */
import { FSYNC_FDATASYNC } from '../abi/flags.ts';
import { FsyncIn, MAX_IO, OpenIn, ReadIn, ReleaseIn } from '../abi/structs.ts';
import { u32, u64 } from '../decode.ts';
import type { Frame } from '../frame.ts';
import type { Operations } from '../operations.ts';
import { freshOpen, MALFORMED, openReply, status } from './handler.ts';

/** OPENDIR: fuse_open_in -> fuse_open_out. */
export function opendir(frame: Frame, operations: Operations): number {
  return openReply(frame, operations.opendir(frame.request, u32(frame, OpenIn.flags), freshOpen(frame)));
}

/** READDIR: fuse_read_in -> fuse_dirent, repeated. */
export function readdir(frame: Frame, operations: Operations): number {
  return list(frame, operations, false);
}

/** READDIRPLUS: fuse_read_in -> fuse_direntplus, repeated. */
export function readdirplus(frame: Frame, operations: Operations): number {
  return list(frame, operations, true);
}

function list(frame: Frame, operations: Operations, isPlus: boolean): number {
  const handle = u64(frame, ReadIn.fh);
  if (handle < 0) return MALFORMED;
  const size = u32(frame, ReadIn.count);
  const sink = frame.sink;
  sink.start(Math.min(size, MAX_IO), isPlus);
  const result = operations.readdir(frame.request, handle, u32(frame, ReadIn.offset), u32(frame, ReadIn.offset + 4), sink);
  // Entries that are already in the reply count: with READDIRPLUS each holds a reference. A lasting error shows at the next call.
  return sink.used === 0 && result < 0 ? result : sink.used;
}

/** RELEASEDIR: fuse_release_in -> nothing. */
export function releasedir(frame: Frame, operations: Operations): number {
  const handle = u64(frame, ReleaseIn.fh);
  return handle < 0 ? MALFORMED : status(operations.releasedir(frame.request, handle));
}

/** FSYNCDIR: fuse_fsync_in -> nothing. */
export function fsyncdir(frame: Frame, operations: Operations): number {
  const handle = u64(frame, FsyncIn.fh);
  if (handle < 0) return MALFORMED;
  return status(operations.fsyncdir(frame.request, handle, (u32(frame, FsyncIn.flags) & FSYNC_FDATASYNC) !== 0));
}
