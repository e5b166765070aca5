import { describe, expect, it } from 'vitest';
import { runThreads } from '../../tests/support/threads.ts';
import type { LockWork } from './locks-worker.ts';
import { Mutex } from './mutex.ts';
import { RwLock } from './rwlock.ts';

const entry = new URL('./locks-worker.ts', import.meta.url);

describe('Mutex', () => {
  it('lets one thread in at a time', async () => {
    const memory = new SharedArrayBuffer(64);
    const work: LockWork = { memory, role: 'mutex', rounds: 50_000, threads: 4 };
    await runThreads<number>(entry, [work, work, work, work]);
    const words = new Int32Array(memory);
    expect([words[0], words[4]]).toEqual([0, 200_000]);
  });

  it('leaves its word free', () => {
    const words = new Int32Array(new SharedArrayBuffer(8));
    const mutex = new Mutex(words, 1);
    mutex.lock();
    expect(words[1]).not.toBe(0);
    mutex.unlock();
    expect(words[1]).toBe(0);
  });
});

describe('RwLock', () => {
  it('shows no reader a half-done change, and every writer gets its turns', async () => {
    const memory = new SharedArrayBuffer(64);
    const make = (role: LockWork['role']): LockWork => ({ memory, role, rounds: 8000, threads: 5 });
    const torn = await runThreads<number>(entry, [make('writer'), make('reader'), make('writer'), make('reader'), make('reader')]);
    expect(torn).toEqual([0, 0, 0, 0, 0]);
    expect(new Int32Array(memory)[4]).toBe(16_000);
  });

  it('lets readers in together', () => {
    const words = new Int32Array(new SharedArrayBuffer(RwLock.bytes));
    const lock = new RwLock(words, 0);
    // A second reader would wait for ever here if readers excluded each other.
    lock.lockShared();
    lock.lockShared();
    lock.unlockShared();
    lock.unlockShared();
    lock.lockExclusive();
    lock.unlockExclusive();
    lock.lockShared();
    lock.unlockShared();
    expect(words[1]).toBe(words[0]);
    expect(words[2]).toBe(words[0]);
  });

  it('still works when its numbers wrap around', () => {
    const words = new Int32Array(new SharedArrayBuffer(RwLock.bytes)).fill(0x7fffffff);
    const lock = new RwLock(words, 0);
    for (let i = 0; i < 3; i++) {
      lock.lockShared();
      lock.unlockShared();
      lock.lockExclusive();
      lock.unlockExclusive();
    }
    expect(words[0]).toBe((0x7fffffff + 6) | 0);
  });
});
