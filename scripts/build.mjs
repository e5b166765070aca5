/**
 * `npm run build`: the native addon, then the two bundles. Options: --native or --bundles for one half, --force, --verbose.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { BuildError, buildNative } from './build-native.mjs';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');

/** Command line, and entry of the FUSE worker threads. */
const bundles = [
  { entry: 'src/cli/main.ts', out: 'dist/main.cjs' },
  { entry: 'src/operations/mount/worker.ts', out: 'dist/worker.cjs' },
];

/** What each bundle starts with. An older runtime would fail later, and not say why. */
const BANNER = `
const bundleUrl = require('node:url').pathToFileURL(__filename).href;
if (Number.parseInt(process.versions.node, 10) < 20) {
  process.stderr.write('aegisfs: Node.js 20 or newer is needed, ' + process.execPath + ' is version ' + process.versions.node + '\\n');
  process.exit(1);
}`;

async function loadEsbuild() {
  try {
    return await import('esbuild');
  } catch {
    throw new BuildError('esbuild is not installed: run "npm install" first');
  }
}

async function buildBundles() {
  const present = bundles.filter(({ entry }) => existsSync(path.join(root, entry)));
  for (const { entry } of bundles.filter((bundle) => !present.includes(bundle))) {
    process.stderr.write(`build: ${entry} does not exist, skipped\n`);
  }
  if (present.length === 0) return;
  const esbuild = await loadEsbuild();
  const build = ({ entry, out }) =>
    esbuild.build({
      absWorkingDir: root,
      entryPoints: [entry],
      outfile: out,
      bundle: true,
      platform: 'node',
      format: 'cjs',
      target: 'node20',
      packages: 'external',
      legalComments: 'none',
      logLevel: 'warning',
      // A CommonJS file has no import.meta: src/native.ts finds the package root through it.
      define: { 'import.meta.url': 'bundleUrl' },
      banner: { js: BANNER },
    });
  await Promise.all(present.map(build));
}

async function main(args) {
  const only = args.includes('--native') ? 'native' : args.includes('--bundles') ? 'bundles' : 'all';
  if (only !== 'bundles') buildNative({ force: args.includes('--force'), verbose: args.includes('--verbose') });
  if (only !== 'native') await buildBundles();
}

try {
  await main(process.argv.slice(2));
} catch (error) {
  // esbuild has printed its own errors with source lines.
  const isKnown = error instanceof BuildError || Array.isArray(error?.errors);
  process.stderr.write(isKnown ? `build: ${error.message.split('\n')[0]}\n` : `${error.stack}\n`);
  process.exitCode = 1;
}
