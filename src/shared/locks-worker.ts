/** One thread of locks.test.ts: counts in shared memory without atomics, protected by a lock alone. */
import { parentPort, workerData } from 'node:worker_threads';
import { lockMutex, unlockMutex } from './mutex.ts';
import { lockExclusive, lockShared, unlockExclusive, unlockShared } from './rwlock.ts';

/** What a thread gets. Words 0–3 are the lock, from word 4 on the counters. */
export interface LockWork {
  readonly memory: SharedArrayBuffer;
  readonly role: 'mutex' | 'writer' | 'reader';
  readonly rounds: number;
}

const { memory, role, rounds } = workerData as LockWork;
const words = new Int32Array(memory);
let torn = 0;
for (let round = 0; round < rounds; round++) {
  if (role === 'mutex') {
    lockMutex(words, 0);
    words[4] = words[4]! + 1;
    unlockMutex(words, 0);
  } else if (role === 'writer') {
    lockExclusive(words, 0);
    for (let i = 4; i < 12; i++) words[i] = words[i]! + 1;
    unlockExclusive(words, 0);
  } else {
    lockShared(words, 0);
    for (let i = 5; i < 12; i++) if (words[i] !== words[4]) torn++;
    unlockShared(words, 0);
  }
}
parentPort!.postMessage(torn);
