import { describe, expect, it } from 'vitest';
import { Fixture } from '../../tests/fuse/dispatch-fixture.ts';
import type { Part } from '../../tests/fuse/request-builder.ts';
import { buildRequest, bytes, u32, u64 } from '../../tests/fuse/request-builder.ts';
import { rows, UNSAFE } from '../../tests/fuse/request-rows.ts';
import { Errno } from '../base/errno.ts';
import { Opcode } from './abi/opcodes.ts';

describe('every request', () => {
  it.each(Object.entries(rows))('%s reaches its operation and its reply the kernel', (_name, row) => {
    const fixture = new Fixture();
    row.prepare?.(fixture.operations);
    const reply = fixture.send(row.opcode, row.parts);
    expect(fixture.operations.calls).toEqual([row.call]);
    expect(reply).toMatchObject({ error: 0, unique: 7n });
    expect(reply?.payload.toString('hex')).toBe(row.payload);
    expect(fixture.warnings).toEqual([]);
  });

  it.each(Object.entries(rows))('%s passes an error on', (_name, row) => {
    const fixture = new Fixture();
    row.prepare?.(fixture.operations);
    fixture.operations.result = -Errno.ESTALE;
    fixture.operations.list = () => -Errno.ESTALE;
    const reply = fixture.send(row.opcode, row.parts);
    expect(reply).toMatchObject({ error: -116, unique: 7n });
    expect(reply?.payload.length).toBe(0);
  });

  it.each(Object.entries(rows))('%s turns a bug into EIO and a log line with its stack', (name, row) => {
    const fixture = new Fixture();
    row.prepare?.(fixture.operations);
    fixture.operations.calls.push = () => {
      throw new Error('boom');
    };
    expect(fixture.send(row.opcode, row.parts)).toMatchObject({ error: -5 });
    expect(fixture.warnings.length).toBe(1);
    expect(fixture.warnings[0]).toContain(`fuse: ${name.split(/[ ,]/)[0]} of node 1 failed`);
    expect(fixture.warnings[0]).toMatch(/boom\n\s+at /);
  });

  it.each(Object.entries(rows))('%s cut short is refused without reaching the operation', (_name, row) => {
    const whole = buildRequest(row.opcode, row.parts);
    const fixture = new Fixture();
    for (let length = 40; length < whole.length; length++) {
      fixture.dispatcher.request.set(whole);
      new DataView(fixture.dispatcher.request.buffer).setUint32(0, length, true);
      expect(fixture.dispatcher.dispatch(length)).toBe(16);
      expect([-5, -22]).toContain(new DataView(fixture.dispatcher.reply.buffer).getInt32(4, true));
      expect(fixture.operations.calls).toEqual([]);
    }
  });
});

describe('requests without a reply', () => {
  it('FORGET', () => {
    const fixture = new Fixture();
    expect(fixture.send(Opcode.FORGET, [u64(3)], { node: 44 })).toBeNull();
    expect(fixture.operations.calls).toEqual([['forget', 44, 3]]);
  });

  it('BATCH_FORGET', () => {
    const fixture = new Fixture();
    expect(fixture.send(Opcode.BATCH_FORGET, [u32(2), u32(0), u64(44), u64(3), u64(45), u64(1)])).toBeNull();
    expect(fixture.operations.calls).toEqual([
      ['forget', 44, 3],
      ['forget', 45, 1],
    ]);
  });

  it('BATCH_FORGET that counts further than it reaches forgets nothing', () => {
    const fixture = new Fixture();
    expect(fixture.send(Opcode.BATCH_FORGET, [u32(3), u32(0), u64(44), u64(3), u64(45), u64(1)])).toBeNull();
    expect(fixture.operations.calls).toEqual([]);
  });

  it('INTERRUPT and NOTIFY_REPLY', () => {
    const fixture = new Fixture();
    expect(fixture.send(Opcode.INTERRUPT, [u64(6)])).toBeNull();
    expect(fixture.send(Opcode.NOTIFY_REPLY, [u64(0), u64(0), u32(0), u32(0), u64(0), u64(0)])).toBeNull();
  });

  it('a bug in forget is logged', () => {
    const fixture = new Fixture();
    fixture.operations.forget = () => {
      throw new Error('boom');
    };
    expect(fixture.send(Opcode.FORGET, [u64(3)])).toBeNull();
    expect(fixture.warnings.length).toBe(1);
  });
});

describe('requests that are not supported', () => {
  it.each([...'GETLK SETLK SETLKW BMAP POLL SETUPMAPPING REMOVEMAPPING SYNCFS TMPFILE STATX INIT'.split(' ')])('%s gets ENOSYS', (name) => {
    const opcode = Opcode[name as keyof typeof Opcode];
    expect(new Fixture().send(opcode, [bytes(new Uint8Array(64))])).toMatchObject({ error: -38, unique: 7n });
  });

  it.each([0, 7, 19, 53, 4096, 0xffffffff])('opcode %d gets ENOSYS', (opcode) => {
    expect(new Fixture().send(opcode, [])).toMatchObject({ error: -38, unique: 7n });
  });

  it('DESTROY is acknowledged', () => {
    expect(new Fixture().send(Opcode.DESTROY, [])).toMatchObject({ error: 0, unique: 7n });
  });
});

describe('values that cannot be', () => {
  it.each<[string, number, Part[], number]>([
    ['READ at 2^53', Opcode.READ, [u64(3), u64(UNSAFE), u32(1), u32(0), u64(0), u64(0)], -75],
    ['WRITE at 2^53', Opcode.WRITE, [u64(3), u64(UNSAFE), u32(0), u32(0), u64(0), u64(0)], -75],
    ['READ with an unknown handle', Opcode.READ, [u64(UNSAFE), u64(0), u32(1), u32(0), u64(0), u64(0)], -22],
    ['FALLOCATE of 2^53', Opcode.FALLOCATE, [u64(3), u64(0), u64(UNSAFE), u64(0)], -75],
    ['LSEEK to −1', Opcode.LSEEK, [u64(3), u64(-1), u32(3), u32(0)], -75],
    ['SETATTR to a size of 2^53', Opcode.SETATTR, [u32(8), u32(0), u64(0), u64(UNSAFE), bytes(new Uint8Array(64))], -75],
    ['RENAME to an unknown node', Opcode.RENAME, [u64(UNSAFE), 'a', 'b'], -22],
    ['LINK of an unknown node', Opcode.LINK, [u64(UNSAFE), 'a'], -22],
    ['a name with a slash', Opcode.LOOKUP, ['a/b'], -22],
    ['an empty name', Opcode.LOOKUP, [''], -22],
    ['SETXATTR with a value that is not there', Opcode.SETXATTR, [u32(4), u32(0), 'user.a', bytes('val')], -22],
    ['WRITE of data that is not there', Opcode.WRITE, [u64(3), u64(0), u32(5), u32(0), u64(0), u64(0), bytes('four')], -22],
  ])('%s', (_what, opcode, parts, error) => {
    const fixture = new Fixture();
    expect(fixture.send(opcode, parts)).toMatchObject({ error });
    expect(fixture.operations.calls).toEqual([]);
  });

  it('a node of 2^53 or more', () => {
    expect(new Fixture().send(Opcode.GETATTR, [u64(0), u64(0)], { node: UNSAFE })).toMatchObject({ error: -22 });
  });

  it('READ and WRITE of more than 1 MiB: EMSGSIZE and a warning', () => {
    const fixture = new Fixture();
    const size = 1024 * 1024 + 1;
    expect(fixture.send(Opcode.READ, [u64(3), u64(0), u32(size), u32(0), u64(0), u64(0)])).toMatchObject({ error: -90 });
    expect(fixture.send(Opcode.WRITE, [u64(3), u64(0), u32(size), u32(0), u64(0), u64(0)])).toMatchObject({ error: -90 });
    expect(fixture.warnings.length).toBe(2);
    expect(fixture.operations.calls).toEqual([]);
  });

  it('READ of exactly 1 MiB works', () => {
    const fixture = new Fixture();
    fixture.operations.data = new Uint8Array(1024 * 1024).fill(0x55);
    const reply = fixture.send(Opcode.READ, [u64(3), u64(0), u32(1024 * 1024), u32(0), u64(0), u64(0)]);
    expect(reply?.payload.length).toBe(1024 * 1024);
    expect(reply?.payload[1024 * 1024 - 1]).toBe(0x55);
  });

  it('an id beyond 2^53 gets its answer all the same', () => {
    expect(new Fixture().send(Opcode.ACCESS, [u64(0)], { unique: 2n ** 63n + 5n })).toMatchObject({ error: 0, unique: 2n ** 63n + 5n });
  });

  it('id 0, which would make the reply a notification, gets none', () => {
    expect(new Fixture().send(Opcode.ACCESS, [u64(0)], { unique: 0 })).toBeNull();
  });

  it('a length field that contradicts the length', () => {
    const fixture = new Fixture();
    expect(fixture.send(Opcode.ACCESS, [u64(0)], { len: 47 })).toMatchObject({ error: -5 });
    expect(fixture.send(Opcode.ACCESS, [u64(0)], { len: 49 })).toMatchObject({ error: -5 });
    expect(fixture.warnings.length).toBe(2);
  });

  it('less than a header is dropped', () => {
    const fixture = new Fixture();
    expect(fixture.dispatcher.dispatch(39)).toBe(0);
    expect(fixture.warnings.length).toBe(1);
  });

  it.each([-512, -100000, Number.NaN, 2 ** 21])('an operation that returns %d: EIO', (result) => {
    const fixture = new Fixture();
    fixture.operations.readlink = () => result;
    expect(fixture.send(Opcode.READLINK, [])).toMatchObject({ error: -5 });
    expect(fixture.warnings.length).toBe(1);
  });

  it('a read that claims more than was asked for: EIO', () => {
    const fixture = new Fixture();
    fixture.operations.read = () => 101;
    expect(fixture.send(Opcode.READ, [u64(3), u64(0), u32(100), u32(0), u64(0), u64(0)])).toMatchObject({ error: -5 });
  });

  it('an attribute longer than the buffer: ERANGE', () => {
    const fixture = new Fixture();
    fixture.operations.data = new Uint8Array(65);
    expect(fixture.send(Opcode.GETXATTR, [u32(64), u32(0), 'user.a'])).toMatchObject({ error: -34 });
  });
});

describe('directory listings', () => {
  it('an error behind entries leaves the entries', () => {
    const fixture = new Fixture();
    fixture.operations.list = (sink) => {
      sink.add(1, 0, 1, 0, 8, new Uint8Array([97]), 0, 1);
      return -Errno.EIO;
    };
    const reply = fixture.send(Opcode.READDIR, [u64(6), u64(0), u32(4096), u32(0), u64(0), u64(0)]);
    expect(reply).toMatchObject({ error: 0 });
    expect(reply?.payload.length).toBe(32);
  });

  it('a listing asked for in more than 1 MiB is cut to what the reply holds', () => {
    const fixture = new Fixture();
    let count = 0;
    fixture.operations.list = (sink) => {
      while (sink.add(1, 0, 1, 0, 8, new Uint8Array(8).fill(97), 0, 8)) count++;
      return 0;
    };
    const reply = fixture.send(Opcode.READDIR, [u64(6), u64(0), u32(2 ** 31), u32(0), u64(0), u64(0)]);
    expect(count).toBe(2 ** 20 / 32);
    expect(reply?.payload.length).toBe(2 ** 20);
  });
});

describe('time-outs', () => {
  it.each([
    [0, '0000000000000000', '00000000'],
    [-1, '0000000000000000', '00000000'],
    [Number.NaN, '0000000000000000', '00000000'],
    [0.25, '0000000000000000', '80b2e60e'],
    [86400, '8051010000000000', '00000000'],
    [Number.POSITIVE_INFINITY, 'ffffffff00000000', '00000000'],
  ])('%d s', (timeout, seconds, nanoseconds) => {
    const fixture = new Fixture();
    fixture.operations.attrTimeout = timeout;
    const payload = fixture.send(Opcode.GETATTR, [u64(0), u64(0)])?.payload.toString('hex') ?? '';
    expect(payload.slice(0, 16)).toBe(seconds);
    expect(payload.slice(16, 24)).toBe(nanoseconds);
  });
});

describe('debug lines', () => {
  it('one per request and reply, from the table', () => {
    const fixture = new Fixture(true);
    fixture.operations.result = -Errno.ENOENT;
    fixture.send(Opcode.RENAME, [u64(9), 'old', 'new\n"'], { node: 5 });
    fixture.operations.result = 0;
    fixture.send(Opcode.OPEN, [u32(0o2), u32(0)]);
    fixture.send(Opcode.FORGET, [u64(1)]);
    fixture.send(99, []);
    expect(fixture.debugLines).toEqual([
      'rx 7: RENAME node 5 uid 1000 pid 4711, 58 bytes [9 0] "old" "new\\n\\""',
      'tx 7: RENAME ENOENT',
      'rx 7: OPEN node 1 uid 1000 pid 4711, 48 bytes [2 0]',
      'tx 7: OPEN OK, 16 bytes',
      'rx 7: FORGET node 1 uid 1000 pid 4711, 48 bytes [1 0]',
      'rx 7: opcode 99 node 1 uid 1000 pid 4711, 40 bytes',
      'tx 7: UNKNOWN ENOSYS',
    ]);
  });
});
