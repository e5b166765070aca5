import { describe, expect, it } from 'vitest';
import { IdleCounter, idlePlan } from './idle.ts';

describe('idlePlan (behaviour.md 5.7)', () => {
  it.each([
    [1e9, { sampleMs: 250, samples: 4 }],
    [3600e9, { sampleMs: 120_000, samples: 30 }],
    [500e9, { sampleMs: 120_000, samples: 5 }],
    [10e6, { sampleMs: 2.5, samples: 4 }],
  ])('%d ns', (idleNs, plan) => {
    expect(idlePlan(idleNs)).toEqual(plan);
  });
  it('works down to a nanosecond', () => {
    const { sampleMs, samples } = idlePlan(1);
    expect(sampleMs).toBe(1);
    expect(samples).toBe(4);
  });
});

describe('IdleCounter', () => {
  it('takes the first sample for busy, and fires at every multiple of the count', () => {
    const counter = new IdleCounter(2);
    expect([false, false, false, false, false, false].map((busy) => counter.take(busy))).toEqual([false, false, true, false, true, false]);
  });
  it('starts over after a busy sample or a refused unmount', () => {
    const counter = new IdleCounter(2);
    counter.take(false);
    expect([false, true, false, false].map((busy) => counter.take(busy))).toEqual([false, false, false, true]);
    counter.reset();
    expect([false, false].map((busy) => counter.take(busy))).toEqual([false, true]);
  });
});
