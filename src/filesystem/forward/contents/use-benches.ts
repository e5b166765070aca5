import { afterEach } from 'vitest';
import { Bench } from './fixture.ts';

/** Makes benches that are cleaned up after each test; call it once per test file. */
export function useBenches(): (...args: ConstructorParameters<typeof Bench>) => Bench {
  const benches: Bench[] = [];
  afterEach(() => {
    for (const bench of benches.splice(0)) bench.close();
  });
  return (...args) => {
    const bench = new Bench(...args);
    benches.push(bench);
    return bench;
  };
}
