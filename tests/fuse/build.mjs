/**
 * Bundles the programs of this folder into build/: they run in processes and threads of their own, where Node cannot load TypeScript.
 * `node tests/fuse/build.mjs` builds all of them.
 */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';

const here = path.dirname(fileURLToPath(import.meta.url));
const root = path.join(here, '..', '..');

/** Bundles tests/fuse/<name>.ts. @returns the path of build/<name>.cjs */
export function bundle(name) {
  const outfile = path.join(root, 'build', `${name}.cjs`);
  buildSync({
    absWorkingDir: root,
    entryPoints: [path.join(here, `${name}.ts`)],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    packages: 'external',
    logLevel: 'warning',
    // A CommonJS file has no import.meta: src/native.ts finds the package root through it.
    define: { 'import.meta.url': 'bundleUrl' },
    banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
  });
  return outfile;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  for (const name of ['passthrough', 'baton-worker']) process.stdout.write(`${bundle(name)}\n`);
}
