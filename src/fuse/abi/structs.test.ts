import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { Fattr, Fopen, FSYNC_FDATASYNC, GETATTR_FH, Init, WriteFlag } from './flags.ts';
import { Opcode } from './opcodes.ts';
import * as struct from './structs.ts';

/** Values of C expressions according to the C compiler and the installed kernel header. */
function ask(expressions: string[]): number[] {
  const dir = mkdtempSync(path.join(tmpdir(), 'fuse-abi-'));
  try {
    const source = path.join(dir, 'ask.c');
    const program = path.join(dir, 'ask');
    const lines = expressions.map((expression) => `printf("%lld\\n", (long long)(${expression}));`);
    writeFileSync(source, `#include <stddef.h>\n#include <stdio.h>\n#include <linux/fuse.h>\nint main(void) {\n${lines.join('\n')}\n}\n`);
    execFileSync('cc', ['-w', '-o', program, source]);
    return execFileSync(program, { encoding: 'utf8' }).trim().split('\n').map(Number);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

function compare(rows: [expression: string, ours: number][]): void {
  const theirs = ask(rows.map(([expression]) => expression));
  expect(rows.map(([expression, ours]) => `${expression} = ${ours}`)).toEqual(
    rows.map(([expression], i) => `${expression} = ${theirs[i]}`),
  );
}

/** Our table, the C structure, our field = C field; `size` is the size of the structure unless told otherwise. */
function layout(ours: Record<string, number>, name: string, fields: Record<string, string>): [string, number][] {
  return Object.entries(fields).map(([mine, theirs]) => [`offsetof(struct ${name}, ${theirs})`, ours[mine] ?? Number.NaN]);
}

function sized(ours: Record<string, number>, name: string, fields: Record<string, string>): [string, number][] {
  return [[`sizeof(struct ${name})`, ours.size ?? Number.NaN], ...layout(ours, name, fields)];
}

describe('the protocol as linux/fuse.h has it', () => {
  it('request structures', () => {
    compare([
      ...sized(struct.InHeader, 'fuse_in_header', {
        len: 'len',
        opcode: 'opcode',
        unique: 'unique',
        nodeid: 'nodeid',
        uid: 'uid',
        gid: 'gid',
        pid: 'pid',
      }),
      ...sized(struct.ForgetIn, 'fuse_forget_in', { nlookup: 'nlookup' }),
      ...sized(struct.BatchForgetIn, 'fuse_batch_forget_in', { count: 'count' }),
      ['sizeof(struct fuse_batch_forget_in)', struct.BatchForgetIn.entries],
      ['sizeof(struct fuse_forget_one)', struct.BatchForgetIn.entrySize],
      ...layout(struct.BatchForgetIn, 'fuse_forget_one', { entryNode: 'nodeid', entryNlookup: 'nlookup' }),
      ...sized(struct.GetattrIn, 'fuse_getattr_in', { flags: 'getattr_flags', fh: 'fh' }),
      ...sized(struct.SetattrIn, 'fuse_setattr_in', {
        valid: 'valid',
        fh: 'fh',
        fileSize: 'size',
        atime: 'atime',
        mtime: 'mtime',
        atimensec: 'atimensec',
        mtimensec: 'mtimensec',
        mode: 'mode',
        uid: 'uid',
        gid: 'gid',
      }),
      ...sized(struct.MknodIn, 'fuse_mknod_in', { mode: 'mode', rdev: 'rdev', umask: 'umask' }),
      ...sized(struct.MkdirIn, 'fuse_mkdir_in', { mode: 'mode', umask: 'umask' }),
      ...sized(struct.RenameIn, 'fuse_rename_in', { newdir: 'newdir' }),
      ...sized(struct.Rename2In, 'fuse_rename2_in', { newdir: 'newdir', flags: 'flags' }),
      ...sized(struct.LinkIn, 'fuse_link_in', { oldnodeid: 'oldnodeid' }),
      ...sized(struct.OpenIn, 'fuse_open_in', { flags: 'flags' }),
      ...sized(struct.CreateIn, 'fuse_create_in', { flags: 'flags', mode: 'mode', umask: 'umask' }),
      ...sized(struct.ReleaseIn, 'fuse_release_in', { fh: 'fh', flags: 'flags' }),
      ...sized(struct.FlushIn, 'fuse_flush_in', { fh: 'fh' }),
      ...sized(struct.ReadIn, 'fuse_read_in', { fh: 'fh', offset: 'offset', count: 'size' }),
      ...sized(struct.WriteIn, 'fuse_write_in', { fh: 'fh', offset: 'offset', count: 'size', flags: 'write_flags' }),
      ...sized(struct.FsyncIn, 'fuse_fsync_in', { fh: 'fh', flags: 'fsync_flags' }),
      ['FUSE_COMPAT_SETXATTR_IN_SIZE', struct.SetxattrIn.size],
      ...layout(struct.SetxattrIn, 'fuse_setxattr_in', { valueSize: 'size', flags: 'flags' }),
      ...sized(struct.GetxattrIn, 'fuse_getxattr_in', { valueSize: 'size' }),
      ...sized(struct.AccessIn, 'fuse_access_in', { mask: 'mask' }),
      ...layout(struct.InitIn, 'fuse_init_in', {
        major: 'major',
        minor: 'minor',
        maxReadahead: 'max_readahead',
        flags: 'flags',
        flags2: 'flags2',
      }),
      ['offsetof(struct fuse_init_in, flags2)', struct.InitIn.size],
      ...sized(struct.InterruptIn, 'fuse_interrupt_in', {}),
      ...sized(struct.IoctlIn, 'fuse_ioctl_in', { fh: 'fh', cmd: 'cmd' }),
      ...sized(struct.FallocateIn, 'fuse_fallocate_in', { fh: 'fh', offset: 'offset', length: 'length', mode: 'mode' }),
      ...sized(struct.LseekIn, 'fuse_lseek_in', { fh: 'fh', offset: 'offset', whence: 'whence' }),
      ...sized(struct.CopyFileRangeIn, 'fuse_copy_file_range_in', {
        fhIn: 'fh_in',
        offIn: 'off_in',
        nodeOut: 'nodeid_out',
        fhOut: 'fh_out',
        offOut: 'off_out',
        len: 'len',
        flags: 'flags',
      }),
    ]);
  });

  it('reply structures', () => {
    compare([
      ...sized(struct.OutHeader, 'fuse_out_header', { len: 'len', error: 'error', unique: 'unique' }),
      ...sized(struct.Attr, 'fuse_attr', {
        ino: 'ino',
        fileSize: 'size',
        blocks: 'blocks',
        atime: 'atime',
        mtime: 'mtime',
        ctime: 'ctime',
        atimensec: 'atimensec',
        mtimensec: 'mtimensec',
        ctimensec: 'ctimensec',
        mode: 'mode',
        nlink: 'nlink',
        uid: 'uid',
        gid: 'gid',
        rdev: 'rdev',
        blksize: 'blksize',
        flags: 'flags',
      }),
      ...sized(struct.EntryReply, 'fuse_entry_out', {
        nodeid: 'nodeid',
        generation: 'generation',
        entryValid: 'entry_valid',
        attrValid: 'attr_valid',
        entryValidNsec: 'entry_valid_nsec',
        attrValidNsec: 'attr_valid_nsec',
        attr: 'attr',
      }),
      ...sized(struct.AttrReply, 'fuse_attr_out', { attrValid: 'attr_valid', attrValidNsec: 'attr_valid_nsec', attr: 'attr' }),
      ...sized(struct.OpenReply, 'fuse_open_out', { fh: 'fh', flags: 'open_flags' }),
      ...sized(struct.StatfsReply, 'fuse_statfs_out', {}),
      ...layout(struct.StatfsReply, 'fuse_kstatfs', {
        blocks: 'blocks',
        bfree: 'bfree',
        bavail: 'bavail',
        files: 'files',
        ffree: 'ffree',
        bsize: 'bsize',
        namelen: 'namelen',
        frsize: 'frsize',
      }),
      ...sized(struct.SizeReply, 'fuse_write_out', { count: 'size' }),
      ...sized(struct.SizeReply, 'fuse_getxattr_out', { count: 'size' }),
      ...sized(struct.LseekReply, 'fuse_lseek_out', { offset: 'offset' }),
      ...sized(struct.IoctlReply, 'fuse_ioctl_out', { result: 'result' }),
      ...sized(struct.InitReply, 'fuse_init_out', {
        major: 'major',
        minor: 'minor',
        maxReadahead: 'max_readahead',
        flags: 'flags',
        maxBackground: 'max_background',
        congestionThreshold: 'congestion_threshold',
        maxWrite: 'max_write',
        timeGran: 'time_gran',
        maxPages: 'max_pages',
        mapAlignment: 'map_alignment',
        flags2: 'flags2',
      }),
      ['FUSE_NAME_OFFSET', struct.Dirent.size],
      ...layout(struct.Dirent, 'fuse_dirent', { ino: 'ino', off: 'off', namelen: 'namelen', type: 'type' }),
    ]);
  });

  it('opcodes', () => {
    const { STATX, ...inHeader } = Opcode;
    expect(STATX).toBe(52); // Newer than the oldest header this is built with.
    compare(Object.entries(inHeader).map(([name, value]) => [`FUSE_${name}`, value]));
  });

  it('flags', () => {
    compare([
      ...Object.entries(Fattr).map(([name, value]): [string, number] => [`FATTR_${name}`, value]),
      ...Object.entries(Fopen).map(([name, value]): [string, number] => [`FOPEN_${name}`, value]),
      ...Object.entries(Init).map(([name, value]): [string, number] => [`(unsigned)FUSE_${name}`, value]),
      ...Object.entries(WriteFlag).map(([name, value]): [string, number] => [`FUSE_WRITE_${name}`, value]),
      ['FUSE_GETATTR_FH', GETATTR_FH],
      ['FUSE_FSYNC_FDATASYNC', FSYNC_FDATASYNC],
      ['FUSE_KERNEL_VERSION', struct.KERNEL_VERSION],
    ]);
  });
});
