/** Requests that look up, make, move and remove names. */
import { CreateIn, EntryReply, LinkIn, MkdirIn, MknodIn, Rename2In, RenameIn } from '../abi/structs.ts';
import { fileName, text, u32, u64 } from '../decode.ts';
import { putEntry, putOpen } from '../encode.ts';
import type { Frame } from '../frame.ts';
import type { EntryOut, Operations } from '../operations.ts';
import { BODY, freshOpen, MALFORMED, PAYLOAD, status } from './handler.ts';

/** An entry that says nothing yet; the attributes keep their old content until an operation fills them. */
function freshEntry(frame: Frame): EntryOut {
  const entry = frame.entry;
  entry.node = 0;
  entry.generation = 0;
  entry.entryTimeout = 0;
  entry.attrTimeout = 0;
  return entry;
}

function entryReply(frame: Frame, result: number): number {
  if (result < 0) return result;
  putEntry(frame.out32, PAYLOAD, frame.entry);
  return EntryReply.size;
}

/** LOOKUP: name -> fuse_entry_out. */
export function lookup(frame: Frame, operations: Operations): number {
  if (fileName(frame, BODY, frame.name) < 0) return MALFORMED;
  return entryReply(frame, operations.lookup(frame.request, frame.name, freshEntry(frame)));
}

/** MKNOD: fuse_mknod_in, name -> fuse_entry_out. */
export function mknod(frame: Frame, operations: Operations): number {
  if (fileName(frame, BODY + MknodIn.size, frame.name) < 0) return MALFORMED;
  const mode = u32(frame, MknodIn.mode);
  const rdev = u32(frame, MknodIn.rdev);
  const umask = u32(frame, MknodIn.umask);
  return entryReply(frame, operations.mknod(frame.request, frame.name, mode, rdev, umask, freshEntry(frame)));
}

/** MKDIR: fuse_mkdir_in, name -> fuse_entry_out. */
export function mkdir(frame: Frame, operations: Operations): number {
  if (fileName(frame, BODY + MkdirIn.size, frame.name) < 0) return MALFORMED;
  const mode = u32(frame, MkdirIn.mode);
  return entryReply(frame, operations.mkdir(frame.request, frame.name, mode, u32(frame, MkdirIn.umask), freshEntry(frame)));
}

/** SYMLINK: name, target -> fuse_entry_out. */
export function symlink(frame: Frame, operations: Operations): number {
  const target = fileName(frame, BODY, frame.name);
  if (target < 0 || text(frame, target, frame.secondName) < 0) return MALFORMED;
  return entryReply(frame, operations.symlink(frame.request, frame.name, frame.secondName, freshEntry(frame)));
}

/** LINK: fuse_link_in, name -> fuse_entry_out; the node of the header is the new parent. */
export function link(frame: Frame, operations: Operations): number {
  const node = u64(frame, LinkIn.oldnodeid);
  if (node < 0 || fileName(frame, BODY + LinkIn.size, frame.name) < 0) return MALFORMED;
  return entryReply(frame, operations.link(frame.request, node, frame.name, freshEntry(frame)));
}

/** CREATE: fuse_create_in, name -> fuse_entry_out, fuse_open_out. */
export function create(frame: Frame, operations: Operations): number {
  if (fileName(frame, BODY + CreateIn.size, frame.name) < 0) return MALFORMED;
  const open = freshOpen(frame);
  const flags = u32(frame, CreateIn.flags);
  const mode = u32(frame, CreateIn.mode);
  const umask = u32(frame, CreateIn.umask);
  const result = operations.create(frame.request, frame.name, flags, mode, umask, freshEntry(frame), open);
  if (result < 0) return result;
  putEntry(frame.out32, PAYLOAD, frame.entry);
  return EntryReply.size + putOpen(frame.out32, PAYLOAD + EntryReply.size, open);
}

/** UNLINK: name -> nothing. */
export function unlink(frame: Frame, operations: Operations): number {
  if (fileName(frame, BODY, frame.name) < 0) return MALFORMED;
  return status(operations.unlink(frame.request, frame.name));
}

/** RMDIR: name -> nothing. */
export function rmdir(frame: Frame, operations: Operations): number {
  if (fileName(frame, BODY, frame.name) < 0) return MALFORMED;
  return status(operations.rmdir(frame.request, frame.name));
}

/** RENAME: fuse_rename_in, old name, new name -> nothing. */
export function rename(frame: Frame, operations: Operations): number {
  return renameNames(frame, operations, RenameIn.size, 0);
}

/** RENAME2: fuse_rename2_in, old name, new name -> nothing. */
export function rename2(frame: Frame, operations: Operations): number {
  return renameNames(frame, operations, Rename2In.size, u32(frame, Rename2In.flags));
}

function renameNames(frame: Frame, operations: Operations, bodySize: number, flags: number): number {
  const newParent = u64(frame, RenameIn.newdir);
  if (newParent < 0) return MALFORMED;
  const next = fileName(frame, BODY + bodySize, frame.name);
  if (next < 0 || fileName(frame, next, frame.secondName) < 0) return MALFORMED;
  return status(operations.rename(frame.request, frame.name, newParent, frame.secondName, flags));
}
