import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Errno } from '../../../base/errno.ts';
import { SEEK_DATA, SEEK_HOLE } from '../../../sys/constants.ts';
import { Bench, type Fault, pattern, storedSize, TEST_CIPHERS, type TestCipher } from './fixture.ts';

/** One step of a random history; what it does to a plain buffer is the reference. */
type Step =
  | { readonly op: 'write'; readonly handle: number; readonly off: number; readonly len: number; readonly seed: number }
  | { readonly op: 'truncate'; readonly handle: number; readonly size: number }
  | { readonly op: 'allocate'; readonly handle: number; readonly mode: number; readonly off: number; readonly len: number }
  | { readonly op: 'read'; readonly handle: number; readonly off: number; readonly len: number }
  | { readonly op: 'seek'; readonly handle: number; readonly off: number; readonly hole: boolean }
  | { readonly op: 'reopen'; readonly handle: number };

const HANDLES = 2;
const MAX_SIZE = 40_000;

/** Places near block borders, and anywhere. */
const place = fc.oneof(
  fc.tuple(fc.nat(8), fc.integer({ min: -2, max: 2 })).map(([block, delta]) => Math.max(0, block * 4096 + delta)),
  fc.nat(MAX_SIZE - 9000),
);
const length = fc.oneof(fc.integer({ min: 1, max: 40 }), fc.constantFrom(4095, 4096, 4097, 8192), fc.integer({ min: 1, max: 9000 }));
const handle = fc.nat(HANDLES - 1);
const step: fc.Arbitrary<Step> = fc.oneof(
  { arbitrary: fc.record({ op: fc.constant('write' as const), handle, off: place, len: length, seed: fc.nat(200) }), weight: 5 },
  { arbitrary: fc.record({ op: fc.constant('truncate' as const), handle, size: fc.oneof(place, fc.constant(0)) }), weight: 3 },
  { arbitrary: fc.record({ op: fc.constant('allocate' as const), handle, mode: fc.nat(1), off: place, len: length }), weight: 1 },
  { arbitrary: fc.record({ op: fc.constant('read' as const), handle, off: place, len: length }), weight: 2 },
  { arbitrary: fc.record({ op: fc.constant('seek' as const), handle, off: place, hole: fc.boolean() }), weight: 1 },
  { arbitrary: fc.record({ op: fc.constant('reopen' as const), handle }), weight: 1 },
);
/** Failures that a change must survive without a trace. */
const fault: fc.Arbitrary<Fault> = fc.oneof(
  fc.record({
    call: fc.constant('pwrite' as const),
    skip: fc.nat(1),
    partial: fc.oneof(fc.nat(40), fc.nat(12_000)),
    errno: fc.constantFrom(Errno.ENOSPC, Errno.EDQUOT),
  }),
  fc.record({
    call: fc.constantFrom('pread' as const, 'ftruncate' as const, 'fallocate' as const, 'fstat' as const),
    skip: fc.nat(1),
    partial: fc.constant(0),
    errno: fc.constantFrom(Errno.EIO, Errno.ENOSPC),
  }),
);

/** A file under test and the buffer it must equal. */
class Pair {
  readonly bench: Bench;
  readonly handles: number[] = [];
  model = Buffer.alloc(0);

  constructor(cipher: TestCipher) {
    this.bench = new Bench(cipher, { dir: '/dev/shm' });
    for (let i = 0; i < HANDLES; i++) this.handles.push(this.bench.open('f'));
  }

  private resize(size: number): void {
    this.model = Buffer.concat([this.model.subarray(0, size), Buffer.alloc(Math.max(0, size - this.model.length))]);
  }

  /** @returns false if the step failed with an errno */
  apply(s: Step): boolean {
    const contents = this.bench.contents;
    const h = this.handles[s.handle]!;
    switch (s.op) {
      case 'write': {
        const data = pattern(s.len, s.seed);
        const count = this.bench.write(h, s.off, data);
        if (count < 0) return false;
        expect(count).toBe(s.len);
        this.resize(Math.max(this.model.length, s.off + s.len));
        this.model.set(data, s.off);
        return true;
      }
      case 'truncate':
        if (contents.truncate(h, s.size) < 0) return false;
        this.resize(s.size);
        return true;
      case 'allocate':
        if (contents.fallocate(h, s.mode, s.off, s.len) < 0) return false;
        if (s.mode === 0) this.resize(Math.max(this.model.length, s.off + s.len));
        return true;
      case 'read': {
        const got = this.bench.read(h, s.off, s.len);
        if (typeof got === 'number') return false;
        expect(got.equals(this.model.subarray(s.off, s.off + s.len))).toBe(true);
        return true;
      }
      case 'seek':
        return this.seek(h, s.off, s.hole);
      case 'reopen':
        contents.release(h);
        this.handles[s.handle] = this.bench.open('f');
        return true;
    }
  }

  private seek(h: number, off: number, isHole: boolean): boolean {
    const found = this.bench.contents.lseek(h, off, isHole ? SEEK_HOLE : SEEK_DATA);
    if (off >= this.model.length) {
      expect(found).toBeLessThan(0);
      return false;
    }
    const skipped = this.model.subarray(off, found < 0 ? this.model.length : found);
    // What lies between is data for a search of holes, and must be zeros for a search of data.
    if (!isHole && (found >= 0 || found === -Errno.ENXIO)) expect(skipped.every((byte) => byte === 0)).toBe(true);
    return found >= 0;
  }

  check(): void {
    const stored = this.bench.stored('f');
    expect(stored.length <= 18 ? 0 : stored.length).toBe(storedSize(this.bench.cipher, this.model.length));
    if (stored.length > 18) expect(this.bench.plain('f').equals(this.model)).toBe(true);
    for (const h of this.handles) {
      const got = this.bench.read(h, 0, MAX_SIZE + 10_000);
      expect(typeof got !== 'number' && got.equals(this.model)).toBe(true);
    }
  }
}

function history(cipher: TestCipher, steps: readonly Step[], faults: readonly (Fault | null)[]): void {
  const pair = new Pair(cipher);
  try {
    steps.forEach((s, i) => {
      const armed = faults[i] ?? null;
      pair.bench.sys.arm(armed);
      const isDone = pair.apply(s);
      pair.bench.sys.arm(null);
      if (armed === null && s.op !== 'seek') expect(isDone).toBe(true);
      pair.check();
    });
  } finally {
    pair.bench.close();
  }
}

describe.each(TEST_CIPHERS)('random histories with $name', (cipher) => {
  const numRuns = cipher.name === 'aes-gcm' ? 150 : 25;

  it('read like a plain buffer after every step', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 15 }), (steps) => history(cipher, steps, [])),
      { numRuns },
    );
  });

  it('read as before after a step that failed', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(step, fc.option(fault, { freq: 2 })), { minLength: 1, maxLength: 15 }), (pairs) =>
        history(
          cipher,
          pairs.map(([s]) => s),
          pairs.map(([, f]) => f),
        ),
      ),
      { numRuns },
    );
  });
});
