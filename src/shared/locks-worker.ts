/** One thread of locks.test.ts: counts in shared memory without atomics, protected by a lock alone. */
import { parentPort, workerData } from 'node:worker_threads';
import { lockMutex, unlockMutex } from './mutex.ts';
import { lockExclusive, lockShared, unlockExclusive, unlockShared } from './rwlock.ts';

/** What a thread gets. Words 0–3 are the lock, 4–11 the counters, 15 the threads that have started. */
export interface LockWork {
  readonly memory: SharedArrayBuffer;
  readonly role: 'mutex' | 'writer' | 'reader';
  readonly rounds: number;
  /** Threads that must have started before any of them begins, so that they really meet. */
  readonly threads: number;
}

const { memory, role, rounds, threads } = workerData as LockWork;
const words = new Int32Array(memory);
Atomics.add(words, 15, 1);
while (Atomics.load(words, 15) < threads);
let torn = 0;
for (let round = 0; round < rounds; round++) {
  if (role === 'mutex') {
    lockMutex(words, 0);
    // A long way between reading and writing, so that a second thread inside would lose its count.
    const seen = words[4]!;
    for (let i = 5; i < 12; i++) words[i] = words[i]! ^ seen;
    words[4] = seen + 1;
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
