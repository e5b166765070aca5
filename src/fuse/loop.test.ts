import { describe, expect, it } from 'vitest';
import { FakeOperations } from '../../tests/fuse/fake-operations.ts';
import { buildRequest, u32, u64 } from '../../tests/fuse/request-builder.ts';
import { Errno } from '../base/errno.ts';
import { silentLogger } from '../base/log.ts';
import { Baton } from './baton.ts';
import type { Channel } from './channel.ts';
import { serveWorker } from './loop.ts';

const negotiated = { minor: 38, flags: 0, flags2: 0, maxReadahead: 131072, maxWrite: 1048576 };

/** Runs a loop over these requests, then ends as `last` says. */
function serve(requests: Buffer[], last: number, answers: number[] = []) {
  const replies: string[] = [];
  const warnings: string[] = [];
  const operations = new FakeOperations();
  const baton = new Baton(new SharedArrayBuffer(Baton.bytes), 0, 0);
  const channel: Channel = {
    read(buffer) {
      const next = requests.shift();
      if (next === undefined) return last;
      buffer.set(next);
      return next.length;
    },
    write(buffer, len) {
      replies.push(Buffer.from(buffer.slice(0, len)).toString('hex'));
      return answers.shift() ?? 0;
    },
  };
  const log = { ...silentLogger, warn: (message: string) => warnings.push(message) };
  const result = serveWorker({ fd: -1, operations, negotiated, baton, log, channel });
  return { result, replies, warnings, operations, baton };
}

const access = (unique: number) => buildRequest(34, [u32(4), u32(0)], { unique });

describe('the request loop', () => {
  it('answers every request in turn until the device is gone, then ends the session for all', () => {
    const forget = buildRequest(2, [u64(1)]);
    const { result, replies, operations, baton, warnings } = serve([access(2), forget, access(4)], -Errno.ENODEV);
    expect(result).toBe(0);
    expect(replies).toEqual(['10000000000000000200000000000000', '10000000000000000400000000000000']);
    expect(operations.calls.map(([name]) => name)).toEqual(['access', 'forget', 'access', 'destroy']);
    expect(baton.waitForTurn()).toBe('stop');
    expect(warnings).toEqual([]);
  });

  it('answers EIO if the kernel refuses a reply, and goes on', () => {
    const { result, replies, warnings } = serve([access(2), access(4)], -Errno.ENODEV, [-Errno.EINVAL]);
    expect(result).toBe(0);
    expect(replies).toEqual(['10000000000000000200000000000000', '10000000fbffffff0200000000000000', '10000000000000000400000000000000']);
    expect(warnings.length).toBe(1);
  });

  it('reports a device that fails, and stops the others', () => {
    const { result, warnings, operations, baton } = serve([], -Errno.EIO);
    expect(result).toBe(-Errno.EIO);
    expect(warnings.length).toBe(1);
    expect(operations.calls).toEqual([['destroy']]);
    expect(baton.waitForTurn()).toBe('stop');
  });

  it('refuses a session whose writes would not fit its buffer', () => {
    const options = { fd: -1, operations: new FakeOperations(), log: silentLogger };
    expect(() => serveWorker({ ...options, negotiated: { ...negotiated, maxWrite: 2 ** 21 } })).toThrow(RangeError);
  });
});
