import { describe, expect, it } from 'vitest';
import { buildRequest, u32 } from '../../tests/fuse/request-builder.ts';
import { Errno } from '../base/errno.ts';
import { silentLogger } from '../base/log.ts';
import type { Channel } from './channel.ts';
import type { HandshakeOptions } from './handshake.ts';
import { handshake } from './handshake.ts';

const EVERYTHING = 0x7fffffff;

class ScriptedChannel implements Channel {
  readonly replies: Buffer[] = [];
  private readonly requests: (Buffer | number)[];

  constructor(requests: (Buffer | number)[]) {
    this.requests = requests;
  }

  read(buffer: Uint8Array): number {
    const next = this.requests.shift() ?? -Errno.ENODEV;
    if (typeof next === 'number') return next;
    buffer.set(next);
    return next.length;
  }

  write(buffer: Uint8Array, len: number): number {
    this.replies.push(Buffer.from(buffer.slice(0, len)));
    return 0;
  }
}

function init(major: number, minor: number, flags: number, flags2: number | null = 0): Buffer {
  const tail = flags2 === null ? [] : [u32(flags2), ...new Array(11).fill(u32(0))];
  return buildRequest(26, [u32(major), u32(minor), u32(0x20000), u32(flags), ...tail], { unique: 2, node: 0 });
}

function run(requests: (Buffer | number)[], options: HandshakeOptions = {}) {
  const channel = new ScriptedChannel(requests);
  return { result: handshake(channel, options, silentLogger), replies: channel.replies };
}

describe('INIT', () => {
  it('answers a current kernel with exactly these bytes', () => {
    const { result, replies } = run([init(7, 45, EVERYTHING)]);
    // flags 0x00467025 without FILE_OPS … spelled out: bits 0 2 5 12 13 17 18 22.
    const flags = (1 << 0) | (1 << 2) | (1 << 5) | (1 << 12) | (1 << 13) | (1 << 17) | (1 << 18) | (1 << 22);
    expect(result).toEqual({ minor: 38, flags, flags2: 0, maxReadahead: 0x20000, maxWrite: 1048576 });
    const body = `07000000 26000000 00000200 25304600 0c00 0900 00001000 01000000 0001 0000 00000000 ${'00'.repeat(28)}`;
    expect(replies.map((reply) => reply.toString('hex'))).toEqual([`5000000000000000 0200000000000000 ${body}`.replaceAll(' ', '')]);
  });

  it('accepts only what is offered', () => {
    expect(run([init(7, 38, 0)]).result).toMatchObject({ flags: 0, flags2: 0 });
    expect(run([init(7, 38, (1 << 13) | (1 << 3))]).result).toMatchObject({ flags: 1 << 13 });
  });

  it('negotiates the minor version down', () => {
    expect(run([init(7, 31, EVERYTHING, null)]).result).toMatchObject({ minor: 31 });
    expect(run([init(7, 28, EVERYTHING, null)]).result).toMatchObject({ minor: 28 });
  });

  it('leaves ASYNC_READ out for -serialize_reads, takes POSIX_ACL for -acl', () => {
    expect(run([init(7, 38, EVERYTHING)], { serializeReads: true }).result).toMatchObject({ flags: 0x463024 });
    expect(run([init(7, 38, EVERYTHING)], { posixAcl: true }).result).toMatchObject({ flags: 0x563025 });
  });

  it('accepts extra bits, but none that change layouts it cannot read', () => {
    const extra = (1 << 16) | (1 << 29);
    expect(run([init(7, 38, EVERYTHING)], { extraFlags: extra }).result).toMatchObject({ flags: 0x463025 | (1 << 16) });
    // Bit 0 of flags2 is SECURITY_CTX, bit 3 HAS_EXPIRE_ONLY; INIT_EXT (bit 30) makes the kernel look at them.
    const options = { extraFlags2: 0b1001 };
    expect(run([init(7, 38, EVERYTHING, 0b1111)], options).result).toMatchObject({ flags: 0x463025 + 2 ** 30, flags2: 0b1000 });
    expect(run([init(7, 38, 0x3fffffff, 0b1111)], options).result).toMatchObject({ flags: 0x463025, flags2: 0 });
  });

  it('refuses protocols before 7.28 with a clear message', () => {
    const { result, replies } = run([init(7, 27, EVERYTHING, null)]);
    expect(result).toMatchObject({ error: -Errno.EPROTO });
    expect((result as { message: string }).message).toContain('7.27');
    expect(replies.map((reply) => reply.toString('hex'))).toEqual(['10000000b9ffffff0200000000000000']);
    expect(run([init(6, 99, 0, null)]).result).toMatchObject({ error: -Errno.EPROTO });
  });

  it('asks a newer major version to come again', () => {
    const { result, replies } = run([init(8, 1, EVERYTHING), init(7, 38, EVERYTHING)]);
    expect(result).toMatchObject({ minor: 38 });
    expect(replies.length).toBe(2);
    expect(replies[0]?.readUInt32LE(16)).toBe(7);
  });

  it('reports a device that is gone, and a first request that is not INIT', () => {
    expect(run([-Errno.ENODEV]).result).toMatchObject({ error: -Errno.ENODEV });
    const { result, replies } = run([buildRequest(3, [u32(0), u32(0), u32(0), u32(0)], { unique: 9 })]);
    expect(result).toMatchObject({ error: -Errno.EPROTO });
    expect(replies.map((reply) => reply.readInt32LE(4))).toEqual([-Errno.EIO]);
  });
});
