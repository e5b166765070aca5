/**
 * Before `npm pack`: builds, and puts the addon where node-gyp-build looks for it in an installed package, so that installing needs no
 * compiler. Addons for other platforms that lie in prebuilds/ already are packed as well.
 */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');

function run(program, args) {
  // What npm prints on standard output is the name of the package.
  const result = spawnSync(program, args, { cwd: root, stdio: ['ignore', 2, 2] });
  if (result.error) throw result.error;
  if (result.status !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${result.status}`);
}

/** An addon for glibc does not load with musl, and the other way round. */
function libc() {
  process.report.excludeNetwork = true;
  return process.report.getReport().header.glibcVersionRuntime === undefined ? 'musl' : 'glibc';
}

try {
  run(process.execPath, ['scripts/build.mjs']);
  run(process.execPath, ['scripts/man.mjs', '--check']);
  const folder = path.join(root, 'prebuilds', `${process.platform}-${process.arch}`);
  const addon = path.join(folder, `aegisfs.${libc()}.node`);
  mkdirSync(folder, { recursive: true });
  copyFileSync(path.join(root, 'build/Release/aegisfs.node'), addon);
  run(process.env.STRIP ?? 'strip', ['--strip-unneeded', addon]);
} catch (error) {
  process.stderr.write(`prepack: ${error.message}\n`);
  process.exitCode = 1;
}
