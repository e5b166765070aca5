/** The opcode table: everything the server knows about a kind of request is its row here. Source: linux/fuse.h, protocol 7.38. */
import { Opcode } from './abi/opcodes.ts';
import * as struct from './abi/structs.ts';
import * as attributes from './handlers/attributes.ts';
import * as directories from './handlers/directories.ts';
import * as files from './handlers/files.ts';
import type { Handler } from './handlers/handler.ts';
import * as names from './handlers/names.ts';
import * as session from './handlers/session.ts';
import * as xattrs from './handlers/xattrs.ts';

/** One kind of request. */
export interface OpcodeRow {
  /** As in enum fuse_opcode, without the prefix. */
  readonly name: string;
  /** Least number of bytes between the header and the names. */
  readonly body: number;
  /** Number of NUL-terminated strings behind the body. */
  readonly names: number;
  /** False: the kernel waits for no answer and must not get one. */
  readonly reply: boolean;
  /** null: not supported, answered with ENOSYS (behaviour.md 6.12). */
  readonly handler: Handler | null;
}

const rows: OpcodeRow[] = [];

function row(opcode: number, name: string, body: number, nameCount: number, handler: Handler | null, reply = true): void {
  rows[opcode] = { name, body, names: nameCount, reply, handler };
}

const noReply = false;

row(Opcode.LOOKUP, 'LOOKUP', 0, 1, names.lookup);
row(Opcode.FORGET, 'FORGET', struct.ForgetIn.size, 0, session.forget, noReply);
row(Opcode.GETATTR, 'GETATTR', struct.GetattrIn.size, 0, attributes.getattr);
row(Opcode.SETATTR, 'SETATTR', struct.SetattrIn.size, 0, attributes.setattr);
row(Opcode.READLINK, 'READLINK', 0, 0, attributes.readlink);
row(Opcode.SYMLINK, 'SYMLINK', 0, 2, names.symlink);
row(Opcode.MKNOD, 'MKNOD', struct.MknodIn.size, 1, names.mknod);
row(Opcode.MKDIR, 'MKDIR', struct.MkdirIn.size, 1, names.mkdir);
row(Opcode.UNLINK, 'UNLINK', 0, 1, names.unlink);
row(Opcode.RMDIR, 'RMDIR', 0, 1, names.rmdir);
row(Opcode.RENAME, 'RENAME', struct.RenameIn.size, 2, names.rename);
row(Opcode.LINK, 'LINK', struct.LinkIn.size, 1, names.link);
row(Opcode.OPEN, 'OPEN', struct.OpenIn.size, 0, files.open);
row(Opcode.READ, 'READ', struct.ReadIn.size, 0, files.read);
row(Opcode.WRITE, 'WRITE', struct.WriteIn.size, 0, files.write);
row(Opcode.STATFS, 'STATFS', 0, 0, attributes.statfs);
row(Opcode.RELEASE, 'RELEASE', struct.ReleaseIn.size, 0, files.release);
row(Opcode.FSYNC, 'FSYNC', struct.FsyncIn.size, 0, files.fsync);
row(Opcode.SETXATTR, 'SETXATTR', struct.SetxattrIn.size, 1, xattrs.setxattr);
row(Opcode.GETXATTR, 'GETXATTR', struct.GetxattrIn.size, 1, xattrs.getxattr);
row(Opcode.LISTXATTR, 'LISTXATTR', struct.GetxattrIn.size, 0, xattrs.listxattr);
row(Opcode.REMOVEXATTR, 'REMOVEXATTR', 0, 1, xattrs.removexattr);
row(Opcode.FLUSH, 'FLUSH', struct.FlushIn.size, 0, files.flush);
// INIT has been answered before any loop starts (handshake.ts); a second one is not part of the protocol.
row(Opcode.INIT, 'INIT', struct.InitIn.size, 0, null);
row(Opcode.OPENDIR, 'OPENDIR', struct.OpenIn.size, 0, directories.opendir);
row(Opcode.READDIR, 'READDIR', struct.ReadIn.size, 0, directories.readdir);
row(Opcode.RELEASEDIR, 'RELEASEDIR', struct.ReleaseIn.size, 0, directories.releasedir);
row(Opcode.FSYNCDIR, 'FSYNCDIR', struct.FsyncIn.size, 0, directories.fsyncdir);
// Locks are not negotiated: the kernel keeps them itself.
row(Opcode.GETLK, 'GETLK', 0, 0, null);
row(Opcode.SETLK, 'SETLK', 0, 0, null);
row(Opcode.SETLKW, 'SETLKW', 0, 0, null);
row(Opcode.ACCESS, 'ACCESS', struct.AccessIn.size, 0, attributes.access);
row(Opcode.CREATE, 'CREATE', struct.CreateIn.size, 1, names.create);
row(Opcode.INTERRUPT, 'INTERRUPT', struct.InterruptIn.size, 0, session.interrupt, noReply);
row(Opcode.BMAP, 'BMAP', 0, 0, null);
row(Opcode.DESTROY, 'DESTROY', 0, 0, session.destroy);
row(Opcode.IOCTL, 'IOCTL', struct.IoctlIn.size, 0, files.ioctl);
row(Opcode.POLL, 'POLL', 0, 0, null);
// Only sent after a RETRIEVE notification, which is never sent here.
row(Opcode.NOTIFY_REPLY, 'NOTIFY_REPLY', 0, 0, session.interrupt, noReply);
row(Opcode.BATCH_FORGET, 'BATCH_FORGET', struct.BatchForgetIn.size, 0, session.batchForget, noReply);
row(Opcode.FALLOCATE, 'FALLOCATE', struct.FallocateIn.size, 0, files.fallocate);
row(Opcode.READDIRPLUS, 'READDIRPLUS', struct.ReadIn.size, 0, directories.readdirplus);
row(Opcode.RENAME2, 'RENAME2', struct.Rename2In.size, 2, names.rename2);
row(Opcode.LSEEK, 'LSEEK', struct.LseekIn.size, 0, files.lseek);
row(Opcode.COPY_FILE_RANGE, 'COPY_FILE_RANGE', struct.CopyFileRangeIn.size, 0, files.copyFileRange);
row(Opcode.SETUPMAPPING, 'SETUPMAPPING', 0, 0, null);
row(Opcode.REMOVEMAPPING, 'REMOVEMAPPING', 0, 0, null);
row(Opcode.SYNCFS, 'SYNCFS', 0, 0, null);
row(Opcode.TMPFILE, 'TMPFILE', 0, 0, null);
row(Opcode.STATX, 'STATX', 0, 0, null);

const unknown: OpcodeRow = { name: 'UNKNOWN', body: 0, names: 0, reply: true, handler: null };

/** The row of an opcode; one that answers ENOSYS for opcodes this server has never heard of. */
export function opcodeRow(opcode: number): OpcodeRow {
  return rows[opcode] ?? unknown;
}
