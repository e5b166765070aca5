import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runThreads } from '../../../../tests/support/threads.ts';
import type { ContentsWork } from './concurrency-worker.ts';
import { Bench, expectBytes, TEST_CIPHERS } from './fixture.ts';

const entry = new URL('./concurrency-worker.ts', import.meta.url);
const STRIPE_LEN = 999;

describe.each([TEST_CIPHERS[0]!, TEST_CIPHERS[3]!])('threads on one $name file', (cipher) => {
  let b: Bench;
  beforeEach(() => {
    b = new Bench(cipher, { dir: '/dev/shm' });
  });
  afterEach(() => b.close());

  function run(works: readonly { role: ContentsWork['role']; rounds: number; stripe?: number }[]): Promise<string[][]> {
    const stripes = works.length;
    return runThreads<string[]>(
      entry,
      works.map(({ role, rounds, stripe = 0 }): ContentsWork => {
        const handle = b.open('f');
        return { memory: b.memory, cipher: cipher.name, contentKey: b.contentKey, handle, role, rounds, stripe, stripes };
      }),
    );
  }

  it('that write a whole block and a part of it never bring an old block back', async () => {
    const handle = b.open('f');
    b.write(handle, 0, Buffer.alloc(3 * 4096, 1));
    const problems = await run([
      { role: 'fullBlocks', rounds: 4000 },
      { role: 'tails', rounds: 4000 },
      { role: 'watchBlock', rounds: 8000 },
    ]);
    expect(problems).toEqual([[], [], []]);
    expect((b.read(handle, 4096, 4000) as Buffer).every((byte) => byte === 250)).toBe(true);
  });

  it('see nothing or everything of a file that is cut and written again', async () => {
    const problems = await run([
      { role: 'recreate', rounds: 4000 },
      { role: 'watchSize', rounds: 8000 },
      { role: 'recreate', rounds: 4000 },
    ]);
    expect(problems).toEqual([[], [], []]);
    expect(b.plain('f').length).toBe(10);
  });

  it('grow it together in pieces that share blocks', async () => {
    const rounds = 300;
    const problems = await run([0, 1, 2, 3].map((stripe) => ({ role: 'stripes', rounds, stripe })));
    expect(problems).toEqual([[], [], [], []]);
    const expected = Buffer.concat(Array.from({ length: 4 * rounds }, (_, i) => Buffer.alloc(STRIPE_LEN, (i % 4) + 1)));
    expectBytes(b.plain('f'), expected);
  });
});
