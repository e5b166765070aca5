import { describe, expect, it, vi } from 'vitest';
import { Baton, MAX_WORKERS, SlowCall } from './baton.ts';

// One thread plays all workers: only the calls that do not wait. tests/fuse/baton.test.ts does the rest with real threads.

const memory = () => new SharedArrayBuffer(Baton.bytes);

/** A worker that reads, and one that has been put on stand-by through a stopped session, so that it did not wait. */
describe('one worker', () => {
  it('gets the baton at once and keeps it from request to request', () => {
    const baton = new Baton(memory(), 0, 0);
    expect(baton.waitForTurn()).toBe('read');
    for (let i = 0; i < 1000; i++) {
      baton.beginRequest();
      expect(baton.endRequest()).toBe(true);
    }
    expect(baton.standbys()).toBe(0);
  });

  it('with the highest index works as well', () => {
    const baton = new Baton(memory(), 0, MAX_WORKERS - 1);
    expect(baton.waitForTurn()).toBe('read');
    baton.beginRequest();
    expect(baton.endRequest()).toBe(true);
    expect(() => new Baton(memory(), 0, MAX_WORKERS)).toThrow(RangeError);
    expect(() => new Baton(memory(), 0, -2)).toThrow(RangeError);
  });

  it('stops when told to', () => {
    const shared = memory();
    new Baton(shared, 0, -1).stop();
    expect(new Baton(shared, 0, 0).waitForTurn()).toBe('stop');
  });

  it('asks for help once per shortage when it would hand over and nobody is there', () => {
    const onExhausted = vi.fn();
    const baton = new Baton(memory(), 0, 0, { onExhausted });
    expect(baton.waitForTurn()).toBe('read');
    expect(onExhausted).not.toHaveBeenCalled();
    baton.handOver();
    expect(onExhausted).not.toHaveBeenCalled();
    baton.beginRequest();
    baton.handOver();
    baton.handOver();
    expect(onExhausted).toHaveBeenCalledTimes(1);
    expect(baton.endRequest()).toBe(true);
  });

  it('uses the part of the memory it is given', () => {
    const shared = new SharedArrayBuffer(Baton.bytes + 128);
    const baton = new Baton(shared, 64, 0);
    baton.waitForTurn();
    baton.beginRequest();
    expect(new Uint8Array(shared, 0, 64).every((byte) => byte === 0)).toBe(true);
    expect(new Uint8Array(shared, 64 + Baton.bytes).every((byte) => byte === 0)).toBe(true);
  });
});

describe('durations', () => {
  it('average towards what is measured, and one outlier is soon forgotten', () => {
    const now = vi.spyOn(performance, 'now');
    try {
      const shared = memory();
      const baton = new Baton(shared, 0, 0);
      let clock = 0;
      now.mockImplementation(() => clock);
      const call = (ms: number) => {
        baton.beforeSlowCall(SlowCall.fsync);
        clock += ms;
        baton.afterSlowCall(SlowCall.fsync);
      };
      for (let i = 0; i < 60; i++) call(4);
      expect(new Baton(shared, 0, 1).average(SlowCall.fsync)).toBeGreaterThan(3900);
      expect(baton.average(SlowCall.fsync)).toBeLessThanOrEqual(4000);
      for (let i = 0; i < 60; i++) call(0);
      expect(baton.average(SlowCall.fsync)).toBe(0);
      call(3600_000);
      expect(baton.average(SlowCall.fsync)).toBe(2000);
      for (let i = 0; i < 7; i++) call(0);
      expect(baton.average(SlowCall.fsync)).toBeLessThan(1000);
      expect(baton.average(SlowCall.read)).toBe(0);
    } finally {
      now.mockRestore();
    }
  });
});
