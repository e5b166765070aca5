/** One well-formed request per kind, the call it must become and the exact bytes of its reply, written down from linux/fuse.h by hand. */
import { expect } from 'vitest';
import type { DirSink } from '../../src/fuse/operations.ts';
import type { FakeOperations } from './fake-operations.ts';
import type { Part } from './request-builder.ts';
import { bytes, u32, u64 } from './request-builder.ts';

/** The first number that is not safe. */
export const UNSAFE = 2n ** 53n;

const request = { unique: 7, node: 1, uid: 1000, gid: 100, pid: 4711 };
const hex = (text: string): string => text.replaceAll(/\s/g, '');

/** Stat fields 1, 2, 3 … would hide a swap of equal values; these are all different and some need more than 32 bits. */
const attributes = [
  0x89abcdef, 0x01234567, 0x803, 0o100644, 3, 1001, 1002, 0x12, 0x100000005, 4096, 24, -5, 6, 1700000000, 8, 1700000001, 999999999,
];
const attrBytes = hex(`
  efcdab8967452301 0500000001000000 1800000000000000 fbffffffffffffff 00f1536500000000 01f1536500000000
  06000000 08000000 ffc99a3b a4810000 03000000 e9030000 ea030000 12000000 00100000 00000000`);
/** Node 258, generation 3, entry valid 1.5 s, attributes valid 2 s. */
const entryBytes = `${hex('0201000000000000 0300000000000000 0100000000000000 0200000000000000 0065cd1d 00000000')}${attrBytes}`;

function prepareEntry(operations: FakeOperations): void {
  operations.node = 258;
  operations.generation = 3;
  operations.entryTimeout = 1.5;
  operations.attrTimeout = 2;
  operations.attributes = attributes;
}

/** A request and what must come of it. */
export interface Row {
  opcode: number;
  parts: Part[];
  call: unknown[];
  /** Payload of the reply, hexadecimal. */
  payload: string;
  prepare?: (operations: FakeOperations) => void;
}

/** By name of the request. */
export const rows: Record<string, Row> = {
  LOOKUP: { opcode: 1, parts: ['file'], call: ['lookup', request, 'file'], payload: entryBytes, prepare: prepareEntry },
  'LOOKUP, negative': {
    opcode: 1,
    parts: ['none'],
    call: ['lookup', request, 'none'],
    payload: `${'00'.repeat(16)}0100${'00'.repeat(110)}`,
    prepare: (operations) => {
      operations.entryTimeout = 1;
      operations.attributes = attributes;
    },
  },
  GETATTR: {
    opcode: 3,
    parts: [u32(0), u32(0), u64(99)],
    call: ['getattr', request, -1],
    payload: `${hex('0000000000000000 00c2eb0b 00000000')}${attrBytes}`,
    prepare: (operations) => {
      operations.attrTimeout = 0.2;
      operations.attributes = attributes;
    },
  },
  'GETATTR by handle': {
    opcode: 3,
    parts: [u32(1), u32(0), u64(99)],
    call: ['getattr', request, 99],
    payload: `${'00'.repeat(16)}${attrBytes}`,
    prepare: (operations) => {
      operations.attributes = attributes;
    },
  },
  SETATTR: {
    opcode: 4,
    parts: [
      u32(0x7f),
      u32(0),
      u64(5),
      u64(2 ** 40),
      u64(0),
      u64(-3),
      u64(1700000000),
      u64(0),
      u32(11),
      u32(12),
      u32(13),
      u32(0o640),
      u32(0),
      u32(1000),
      u32(100),
      u32(0),
    ],
    call: [
      'setattr',
      request,
      {
        valid: 0x7f,
        handle: 5,
        mode: 0o640,
        uid: 1000,
        gid: 100,
        size: 2 ** 40,
        atimeSec: -3,
        atimeNsec: 11,
        mtimeSec: 1700000000,
        mtimeNsec: 12,
      },
    ],
    payload: `${'00'.repeat(16)}${attrBytes}`,
    prepare: (operations) => {
      operations.attributes = attributes;
    },
  },
  READLINK: {
    opcode: 5,
    parts: [],
    call: ['readlink', request, 4095],
    payload: Buffer.from('target').toString('hex'),
    prepare: (operations) => {
      operations.data = new TextEncoder().encode('target');
    },
  },
  SYMLINK: {
    opcode: 6,
    parts: ['name', '../to/it'],
    call: ['symlink', request, 'name', '../to/it'],
    payload: entryBytes,
    prepare: prepareEntry,
  },
  MKNOD: {
    opcode: 8,
    parts: [u32(0o10644), u32(0x103), u32(0o22), u32(0), 'fifo'],
    call: ['mknod', request, 'fifo', 0o10644, 0x103, 0o22],
    payload: entryBytes,
    prepare: prepareEntry,
  },
  MKDIR: {
    opcode: 9,
    parts: [u32(0o755), u32(0o22), 'dir'],
    call: ['mkdir', request, 'dir', 0o755, 0o22],
    payload: entryBytes,
    prepare: prepareEntry,
  },
  UNLINK: { opcode: 10, parts: ['file'], call: ['unlink', request, 'file'], payload: '' },
  RMDIR: { opcode: 11, parts: ['dir'], call: ['rmdir', request, 'dir'], payload: '' },
  RENAME: { opcode: 12, parts: [u64(9), 'old', 'new'], call: ['rename', request, 'old', 9, 'new', 0], payload: '' },
  RENAME2: {
    opcode: 45,
    parts: [u64(9), u32(2), u32(0), 'old', 'new'],
    call: ['rename', request, 'old', 9, 'new', 2],
    payload: '',
  },
  LINK: { opcode: 13, parts: [u64(44), 'link'], call: ['link', request, 44, 'link'], payload: entryBytes, prepare: prepareEntry },
  OPEN: {
    opcode: 14,
    parts: [u32(0o100002), u32(0)],
    call: ['open', request, 0o100002],
    payload: hex('4d00000000000000 02000000 00000000'),
    prepare: (operations) => {
      operations.handle = 0x4d;
      operations.openFlags = 2;
    },
  },
  CREATE: {
    opcode: 35,
    parts: [u32(0o1101), u32(0o100600), u32(0o77), u32(0), 'new'],
    call: ['create', request, 'new', 0o1101, 0o100600, 0o77],
    payload: `${entryBytes}${hex('0000000001000000 00000000 00000000')}`,
    prepare: (operations) => {
      prepareEntry(operations);
      operations.handle = 2 ** 32;
    },
  },
  READ: {
    opcode: 15,
    parts: [u64(3), u64(2 ** 33), u32(100), u32(0), u64(0), u32(0), u32(0)],
    call: ['read', request, 3, 2 ** 33, 100],
    payload: '616263',
    prepare: (operations) => {
      operations.data = new TextEncoder().encode('abc');
    },
  },
  WRITE: {
    opcode: 16,
    parts: [u64(3), u64(2 ** 33), u32(5), u32(1), u64(UNSAFE), u32(0), u32(0), bytes('hello')],
    call: ['write', request, 3, 2 ** 33, 'hello', 1],
    payload: hex('05000000 00000000'),
  },
  STATFS: {
    opcode: 17,
    parts: [],
    call: ['statfs', request],
    payload: hex(`0300000001000000 0400000000000000 0500000000000000 0600000000000000 0700000000000000
      00100000 ff000000 00020000 00000000 ${'00'.repeat(24)}`),
    prepare: (operations) => {
      operations.statfsFields = [0x6969, 4096, 2 ** 32 + 3, 4, 5, 6, 7, 255, 512, 1];
    },
  },
  RELEASE: { opcode: 18, parts: [u64(3), u32(0o2), u32(0), u64(0)], call: ['release', request, 3, 2], payload: '' },
  FSYNC: { opcode: 20, parts: [u64(3), u32(0), u32(0)], call: ['fsync', request, 3, false], payload: '' },
  'FSYNC of data': { opcode: 20, parts: [u64(3), u32(1), u32(0)], call: ['fsync', request, 3, true], payload: '' },
  SETXATTR: {
    opcode: 21,
    parts: [u32(3), u32(2), 'user.a/b', bytes('val')],
    call: ['setxattr', request, 'user.a/b', 'val', 2],
    payload: '',
  },
  GETXATTR: {
    opcode: 22,
    parts: [u32(64), u32(0), 'user.a'],
    call: ['getxattr', request, 'user.a', 64],
    payload: '7661',
    prepare: (operations) => {
      operations.data = new TextEncoder().encode('va');
    },
  },
  'GETXATTR of the size': {
    opcode: 22,
    parts: [u32(0), u32(0), 'user.a'],
    call: ['getxattr', request, 'user.a', 0],
    payload: hex('02000000 00000000'),
    prepare: (operations) => {
      operations.data = new TextEncoder().encode('va');
    },
  },
  LISTXATTR: {
    opcode: 23,
    parts: [u32(64), u32(0)],
    call: ['listxattr', request, 64],
    payload: '757365722e6100',
    prepare: (operations) => {
      operations.data = new TextEncoder().encode('user.a\0');
    },
  },
  'LISTXATTR of the size': {
    opcode: 23,
    parts: [u32(0), u32(0)],
    call: ['listxattr', request, 0],
    payload: hex('07000000 00000000'),
    prepare: (operations) => {
      operations.data = new TextEncoder().encode('user.a\0');
    },
  },
  REMOVEXATTR: { opcode: 24, parts: ['user.a'], call: ['removexattr', request, 'user.a'], payload: '' },
  FLUSH: { opcode: 25, parts: [u64(3), u32(0), u32(0), u64(UNSAFE)], call: ['flush', request, 3], payload: '' },
  OPENDIR: {
    opcode: 27,
    parts: [u32(0), u32(0)],
    call: ['opendir', request, 0],
    payload: hex('0600000000000000 08000000 00000000'),
    prepare: (operations) => {
      operations.handle = 6;
      operations.openFlags = 8;
    },
  },
  READDIR: {
    opcode: 28,
    parts: [u64(6), u64(0x7ffffffe00000011n), u32(64), u32(0), u64(0), u32(0), u32(0)],
    call: ['readdir', request, 6, 17, 0x7ffffffe, false],
    // The third entry needs 32 more bytes than the 64 that were asked for.
    payload: hex(`efcdab8967452301 12000000ffffff7f 02000000 08000000 6162000000000000
      0100000000000000 1300000000000000 08000000 04000000 6162636465666768`),
    prepare: (operations) => {
      operations.list = (sink: DirSink) => {
        const name = new TextEncoder().encode('xabcdefgh');
        expect(sink.add(0x89abcdef, 0x01234567, 18, 0x7fffffff, 8, name, 1, 2)).toBe(true);
        expect(sink.fits(8)).toBe(true);
        expect(sink.fits(9)).toBe(false);
        expect(sink.add(1, 0, 19, 0, 4, name, 1, 8)).toBe(true);
        expect(sink.fits(1)).toBe(false);
        expect(sink.add(2, 0, 20, 0, 4, name, 1, 1)).toBe(false);
        return 0;
      };
    },
  },
  READDIRPLUS: {
    opcode: 44,
    parts: [u64(6), u64(0), u32(350), u32(0), u64(0), u32(0), u32(0)],
    call: ['readdir', request, 6, 0, 0, true],
    payload: `${'00'.repeat(128)}${hex('0100000000000000 0100000000000000 01000000 04000000 2e00000000000000')}${entryBytes}${hex(
      'efcdab8967452301 0200000000000000 02000000 08000000 6162000000000000',
    )}`,
    prepare: (operations) => {
      operations.list = (sink: DirSink) => {
        const name = new TextEncoder().encode('.ab');
        expect(sink.add(1, 0, 1, 0, 4, name, 0, 1)).toBe(true);
        Object.assign(sink.plus, { node: 258, generation: 3, entryTimeout: 1.5, attrTimeout: 2 });
        sink.plus.attr.set(attributes);
        expect(sink.fits(2)).toBe(true);
        expect(sink.addPlus(0x89abcdef, 0x01234567, 2, 0, 8, name, 1, 2)).toBe(true);
        expect(sink.fits(2)).toBe(false);
        expect(sink.addPlus(3, 0, 3, 0, 8, name, 1, 2)).toBe(false);
        return 0;
      };
    },
  },
  RELEASEDIR: { opcode: 29, parts: [u64(6), u32(0), u32(0), u64(0)], call: ['releasedir', request, 6], payload: '' },
  FSYNCDIR: { opcode: 30, parts: [u64(6), u32(1), u32(0)], call: ['fsyncdir', request, 6, true], payload: '' },
  ACCESS: { opcode: 34, parts: [u32(4), u32(0)], call: ['access', request, 4], payload: '' },
  IOCTL: {
    opcode: 39,
    parts: [u64(3), u32(0), u32(0x80086601), u64(0), u32(0), u32(8)],
    call: ['ioctl', request, 3, 0x80086601],
    payload: hex('00000000 00000000 00000000 00000000'),
  },
  FALLOCATE: {
    opcode: 43,
    parts: [u64(3), u64(2 ** 34), u64(4097), u32(1), u32(0)],
    call: ['fallocate', request, 3, 2 ** 34, 4097, 1],
    payload: '',
  },
  LSEEK: {
    opcode: 46,
    parts: [u64(3), u64(2 ** 34), u32(4), u32(0)],
    call: ['lseek', request, 3, 2 ** 34, 4],
    payload: '0010000000000000',
    prepare: (operations) => {
      operations.result = 4096;
    },
  },
  COPY_FILE_RANGE: {
    opcode: 47,
    parts: [u64(1), u64(2), u64(3), u64(4), u64(5), u64(6), u64(0)],
    call: ['copyFileRange', request, 1, 2, 3, 4, 5, 6, 0],
    payload: hex('06000000 00000000'),
    prepare: (operations) => {
      operations.result = 6;
    },
  },
  'COPY_FILE_RANGE to the end': {
    opcode: 47,
    parts: [u64(1), u64(2), u64(3), u64(4), u64(5), u64(2n ** 63n), u64(0)],
    call: ['copyFileRange', request, 1, 2, 3, 4, 5, 0x7ffff000, 0],
    payload: hex('00000000 00000000'),
  },
};
