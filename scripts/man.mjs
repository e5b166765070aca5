/**
 * `node scripts/man.mjs`: writes the manual page, the shell completions and the table of exit statuses from the tables of the command line.
 * With --check it writes nothing and ends with 1 if a file is not up to date.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');

/** The generators are TypeScript, as the tables they read; Node 20 runs them bundled. */
async function loadGenerators() {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: ['scripts/reference/files.ts'],
    bundle: true,
    write: false,
    platform: 'node',
    format: 'esm',
    target: 'node20',
  });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

function contentOf(file) {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error.code === 'ENOENT') return null;
    throw error;
  }
}

const { generatedFiles } = await loadGenerators();
const onlyCheck = process.argv.includes('--check');
for (const [name, wanted] of generatedFiles(root)) {
  const file = path.join(root, name);
  if (contentOf(file) === wanted) continue;
  if (onlyCheck) {
    process.stderr.write(`${name} is not up to date: run "node scripts/man.mjs"\n`);
    process.exitCode = 1;
  } else {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, wanted);
    process.stdout.write(`${name}\n`);
  }
}
