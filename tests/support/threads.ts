/** Real worker threads for tests: a TypeScript entry is bundled, run several times on the same data, and its results collected. */
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { buildSync } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));

/**
 * Runs `entry` (a URL of a TypeScript module) in one thread per element of `inputs`, which is its `workerData`.
 * A thread answers with one `parentPort.postMessage`. @returns the answers, in the order of the inputs
 */
export async function runThreads<Output>(entry: URL, inputs: readonly unknown[]): Promise<Output[]> {
  // One level below the root, as every bundle, so that the addon is found.
  const dir = path.join(root, '.vitest');
  mkdirSync(dir, { recursive: true });
  const outfile = path.join(dir, `${path.basename(entry.pathname, '.ts')}-${process.pid}.mjs`);
  buildSync({
    entryPoints: [fileURLToPath(entry)],
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    logLevel: 'error',
  });
  try {
    return await Promise.all(
      inputs.map(
        (workerData) =>
          new Promise<Output>((resolve, reject) => {
            const worker = new Worker(outfile, { workerData });
            worker.once('message', resolve);
            worker.once('error', reject);
            worker.once('exit', (code) => reject(new Error(`thread ended with ${code} and without an answer`)));
          }),
      ),
    );
  } finally {
    rmSync(outfile);
  }
}
