/** One thread of concurrency.test.ts: does one kind of work on a file that other threads use too. */
import { parentPort, workerData } from 'node:worker_threads';
import { FileContents } from './file-contents.ts';
import { benchContext, TEST_CIPHERS } from './fixture.ts';

/** What a thread gets. */
export interface ContentsWork {
  readonly memory: SharedArrayBuffer;
  readonly cipher: string;
  readonly contentKey: number;
  readonly handle: number;
  readonly role: 'fullBlocks' | 'tails' | 'watchBlock' | 'recreate' | 'watchSize' | 'stripes';
  readonly rounds: number;
  /** For stripes: which of how many. */
  readonly stripe: number;
  readonly stripes: number;
}

/** Bytes of one stripe, as in the test; no divisor of the block size. */
const STRIPE_LEN = 999;

const work = workerData as ContentsWork;
const warnings: string[] = [];
const cipher = TEST_CIPHERS.find((row) => row.name === work.cipher)!;
const contents = new FileContents(benchContext(work.memory, cipher, work.contentKey, false, warnings));
const buf = Buffer.alloc(8192);
const problems: string[] = [];

function check(isRight: boolean, problem: string): void {
  if (!isRight && problems.length < 5) problems.push(problem);
}

/** Value of the first `len` bytes if they are all alike, else −1. */
function uniform(off: number, len: number): number {
  const value = buf[off]!;
  for (let i = off; i < off + len; i++) if (buf[i] !== value) return -1;
  return value;
}

let lastHead = 0;
for (let round = 0; round < work.rounds; round++) {
  // Rises from 1 to 250, so that a block that comes back shows.
  const value = 1 + Math.floor((round * 250) / work.rounds);
  switch (work.role) {
    case 'fullBlocks':
      buf.fill(value, 0, 4096);
      check(contents.write(work.handle, 4096, buf, 0, 4096) === 4096, 'full write failed');
      break;
    case 'tails':
      buf.fill(value, 0, 96);
      check(contents.write(work.handle, 4096 + 4000, buf, 0, 96) === 96, 'tail write failed');
      break;
    case 'watchBlock': {
      const count = contents.read(work.handle, 4096, 4096, buf, 0);
      const head = uniform(0, 4000);
      check(count === 4096, `read gave ${count}`);
      check(head >= lastHead, `block went back from ${lastHead} to ${head}`);
      check(uniform(4000, 96) > 0, 'tail is torn');
      lastHead = head;
      break;
    }
    case 'recreate':
      check(contents.truncate(work.handle, 0) === 0, 'truncate failed');
      buf.fill(value, 0, 10);
      check(contents.write(work.handle, 0, buf, 0, 10) === 10, 'write failed');
      break;
    case 'watchSize': {
      const count = contents.read(work.handle, 0, 100, buf, 0);
      check(count === 0 || (count === 10 && uniform(0, 10) > 0), `read gave ${count}`);
      break;
    }
    case 'stripes':
      buf.fill(work.stripe + 1, 0, STRIPE_LEN);
      check(
        contents.write(work.handle, (round * work.stripes + work.stripe) * STRIPE_LEN, buf, 0, STRIPE_LEN) === STRIPE_LEN,
        'stripe failed',
      );
      break;
  }
}
parentPort!.postMessage([...problems, ...warnings.slice(0, 5)]);
