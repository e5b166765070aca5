/**
 * `npm run check`: what can be said about the sources without running them, in seconds: format and lint (biome), types (tsc), import
 * arrows (dependency-cruiser) and the house rules below. Prints every finding with its reason; exit 1 if there is one.
 */
import { spawn, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const THIS = 'scripts/check.mjs';

/** Folders whose code runs per request, or that everything stands on. */
const BELOW_OPERATIONS = /^src\/(base|sys|crypto|vault|shared|fuse|filesystem)\/|^src\/native\.ts$/;
/** Unit tests and what belongs to them: fixtures, and threads that a test starts. */
const TEST = /(\.test|[/-]fixture|\/test-[a-z-]+|\/(concurrency|locks)-worker)\.ts$/;
const CODE = /\.(ts|mjs|cjs|c|h|sh|py)$/;

/** House rules as searches, each with its reason. `code` looks at the text without comments. */
const RULES = [
  {
    reason: 'only the command line may print and end the process: a library that does cannot be tested or used elsewhere',
    files: (file) => /^src\/(?!cli\/)/.test(file) && !TEST.test(file),
    code: /\bprocess\s*\.\s*(exit|exitCode|stdout|stderr)\b|\bconsole\s*\./,
  },
  {
    reason: 'a worker never awaits: below operations everything is synchronous',
    files: (file) => BELOW_OPERATIONS.test(file) && !TEST.test(file),
    code: /(?<!['"])\b(async|await)\b(?!['"])|\bnew Promise\b/,
  },
  {
    reason: 'every thread has its own copy of a module variable: what threads must agree on lives in src/shared',
    files: (file) => BELOW_OPERATIONS.test(file) && !TEST.test(file),
    code: /^(export\s+)?(let|var)\s/,
  },
  {
    reason: 'no holes in the type system',
    files: (file) => /\.ts$/.test(file),
    code: /(:|\bas|<|\|)\s*any\b/,
  },
  {
    reason: 'no switched-off checks',
    files: (file) => /\.(ts|mjs|cjs)$/.test(file),
    text: /@ts-(ignore|expect-error|nocheck)|biome-ignore/,
  },
  {
    reason: 'no skipped, focused or unfinished tests',
    files: (file) => /\.ts$/.test(file),
    code: /\b(it|test|describe)\.(skip|only|todo)\b|\b(xit|fit|xdescribe|fdescribe)\(/,
  },
  {
    reason: 'unfinished work belongs into an issue',
    files: (file) => CODE.test(file),
    text: /(?<!\.)\b(TODO|FIXME|XXX|HACK)\b|\b([Ss]tub|[Pp]laceholder)\b|\bnot (yet )?implemented\b/,
  },
  {
    reason: 'the lock file names packages, not where one machine fetched them',
    files: (file) => file === 'package-lock.json',
    text: /"resolved":\s*"https?:/,
  },
  {
    reason: 'a path of one machine means nothing on another',
    files: () => true,
    text: /(^|[\s'"`(=:])\/work\/\w/,
  },
];

/** Lines from which a TypeScript module is too long to take in. */
const MAX_LINES = 500;

function trackedFiles() {
  const list = spawnSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' });
  if (list.status !== 0) throw new Error(`git ls-files: ${list.stderr}`);
  return list.stdout.split('\0').filter((file) => file !== '' && file !== THIS && /\.(ts|mjs|cjs|json|c|h|sh|py|md|gypi?)$/.test(file));
}

/** Blanks out comments, keeping line numbers. Good enough for searching: a comment sign in a string hides the rest of that line only. */
function withoutComments(text) {
  return text.replace(/\/\*[\s\S]*?\*\/|(^|[^:'"`\\])\/\/.*$/gm, (match) => match.replace(/[^\n]/g, ' '));
}

function findingsIn(file) {
  let text;
  try {
    text = readFileSync(path.join(root, file), 'utf8');
  } catch {
    return []; // deleted, but not yet committed as such
  }
  const lines = { text: text.split('\n'), code: withoutComments(text).split('\n') };
  const findings = RULES.filter((rule) => rule.files(file)).flatMap((rule) => {
    const [pattern, searched] = rule.code ? [rule.code, lines.code] : [rule.text, lines.text];
    return searched.flatMap((line, i) => (pattern.test(line) ? [`${file}:${i + 1}: ${lines.text[i].trim()}\n    ${rule.reason}`] : []));
  });
  if (file.endsWith('.ts') && lines.text.length > MAX_LINES) findings.push(`${file}: ${lines.text.length} lines: one concept a module`);
  return findings;
}

/** Runs a tool of node_modules. @returns its output if it found something, null if not */
function tool(name, script, args) {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [path.join(root, 'node_modules', script), ...args], { cwd: root });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data) => (output += data));
    child.on('close', (code) => resolve(code === 0 ? null : `${name}:\n${output}`));
  });
}

const results = await Promise.all([
  tool('biome', '@biomejs/biome/bin/biome', ['check', '--error-on-warnings', '--max-diagnostics=50']),
  tool('tsc', 'typescript/bin/tsc', ['--noEmit', '--project', '.']),
  tool('dependency-cruiser', 'dependency-cruiser/bin/dependency-cruise.mjs', [
    'src',
    '--config',
    '.dependency-cruiser.cjs',
    '--output-type',
    'err-long',
  ]),
]);
const rules = trackedFiles().flatMap(findingsIn);
if (rules.length > 0) results.push(`house rules:\n${rules.join('\n')}`);
const findings = results.filter((result) => result !== null);
if (findings.length > 0) {
  process.stderr.write(`${findings.join('\n\n')}\n\ncheck: ${findings.length} of 4 parts found something\n`);
  process.exitCode = 1;
} else {
  process.stdout.write('check: format, types, imports and house rules are fine\n');
}
