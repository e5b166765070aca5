import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Errno } from '../../../base/errno.ts';
import { Bench, expectBytes, pattern, TEST_CIPHERS } from './fixture.ts';

const LENGTH = 300_000;

describe.each(TEST_CIPHERS)('reading with $name', (cipher) => {
  let b: Bench;
  let handle: number;
  const data = pattern(LENGTH);

  beforeAll(() => {
    b = new Bench(cipher);
    handle = b.open('f');
    b.write(handle, 0, data);
  });
  afterAll(() => b.close());

  it('gives any range, and touches nothing around it', () => {
    const range = fc.tuple(
      fc.nat(LENGTH + 5000),
      fc.oneof(fc.integer({ min: 1, max: 9000 }), fc.integer({ min: 1, max: 140_000 })),
      fc.nat(20),
    );
    fc.assert(
      fc.property(range, ([off, size, dstOff]) => {
        const dst = Buffer.alloc(dstOff + size + 7, 0xee);
        const count = b.contents.read(handle, off, size, dst, dstOff);
        const expected = data.subarray(Math.min(off, LENGTH), Math.min(off + size, LENGTH));
        expect(count).toBe(expected.length);
        expect(dst.subarray(dstOff, dstOff + count).equals(expected)).toBe(true);
        expect(dst.subarray(0, dstOff).every((byte) => byte === 0xee)).toBe(true);
        expect(dst.subarray(dstOff + size).every((byte) => byte === 0xee)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });

  it('costs one pread, the first one included when it starts the file', () => {
    b.contents.release(handle);
    handle = b.open('f');
    for (const [off, preads] of [
      [0, 1],
      [131_072, 1],
      [100, 1],
    ] as const) {
      b.sys.reset();
      expectBytes(b.read(handle, off, 131_072), data.subarray(off, off + 131_072));
      expect(b.sys.counts).toEqual({ pread: preads });
    }
    b.contents.release(handle);
    handle = b.open('f');
    b.sys.reset();
    expectBytes(b.read(handle, 8192, 4096), data.subarray(8192, 12_288));
    expect(b.sys.counts).toEqual({ pread: 2 });
  });

  it('passes on what the backing store says', () => {
    b.sys.arm({ call: 'pread', skip: 0, partial: 0, errno: Errno.EIO });
    expect(b.read(handle, 0, 10)).toBe(-Errno.EIO);
    b.sys.arm(null);
    expect(b.log.length).toBe(1);
    expectBytes(b.read(handle, 0, 10), data.subarray(0, 10));
  });
});
