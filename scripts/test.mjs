/**
 * `npm test`: everything, from a fresh clone. Installs the packages and builds if that has not been done, then runs the static checks, the unit
 * tests, the native tests under sanitizers and the suites that mount filesystems. The last line is `N passed, N failed`.
 *
 *     npm test                        everything
 *     npm test -- tests/posix         only test files whose path contains these words (no static checks)
 *     npm test -- -t 'name'           only tests of that name
 *     npm test -- --full              the complete matrix of ciphers and namings (long)
 *
 * All tests run as root in a mount and process namespace of their own: whatever a failed test leaves behind ends with it.
 */
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');

/** Longest time a part may take, minutes: a hanging filesystem must not hang the run. */
const LIMITS = { check: 5, unit: 15, native: 15, mount: 40, full: 180 };

/** Programs the tests use, and the Debian package that has each. A missing one is a failure, never a skipped test. */
const PROGRAMS = [
  ['fusermount3', 'fuse3'],
  ['gocryptfs', 'gocryptfs'],
  ['python3', 'python3'],
  ['git', 'git'],
  ['rsync', 'rsync'],
  ['gcc', 'gcc'],
  ['make', 'make'],
  ['setpriv', 'util-linux'],
  ['unshare', 'util-linux'],
];

const args = process.argv.slice(2);
const full = args.includes('--full');
const filters = args.filter((arg) => arg !== '--full');
const total = { passed: 0, failed: 0 };

function say(line) {
  process.stdout.write(`${line}\n`);
}

/** What is missing, with the cure; null if the tests can run here. */
function obstacle() {
  if (process.getuid() !== 0) return 'the tests mount filesystems and act as several users: run them as root (sudo npm test)';
  if (!existsSync('/dev/fuse')) return 'there is no /dev/fuse: load the kernel module with "modprobe fuse"';
  const missing = PROGRAMS.filter(([program]) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0);
  if (missing.length > 0) {
    const packages = [...new Set(missing.map(([, name]) => name))].join(' ');
    return `missing: ${missing.map(([program]) => program).join(', ')}. Install with: apt-get install ${packages}`;
  }
  const trial = spawnSync('unshare', ['--mount', '--pid', '--fork', '--mount-proc', 'true']);
  return trial.status === 0
    ? null
    : `a mount namespace cannot be made here (${String(trial.stderr).trim()}): run on a machine that allows "unshare -mpf"`;
}

/** Runs a command that must succeed before the tests make sense. */
function prepare(what, command, commandArgs) {
  say(`== ${what}`);
  const result = spawnSync(command, commandArgs, { cwd: root, stdio: 'inherit' });
  if (result.status !== 0) throw new Error(`${what} failed`);
}

/** Runs one part with a time limit. @returns true if it ended with 0 */
async function part(what, minutes, command, commandArgs, env = {}) {
  say(`== ${what}`);
  // A group of its own, so that everything it has started can be ended.
  const child = spawn(command, commandArgs, {
    cwd: root,
    stdio: ['ignore', 'inherit', 'inherit'],
    detached: true,
    env: { ...process.env, ...env },
  });
  const end = () => {
    try {
      process.kill(-child.pid, 'SIGKILL');
    } catch {
      // gone already
    }
  };
  const timer = setTimeout(() => {
    say(`${what}: ended after ${minutes} minutes`);
    end();
  }, minutes * 60_000);
  const stop = () => {
    end();
    process.exit(130);
  };
  process.once('SIGINT', stop).once('SIGTERM', stop);
  const code = await new Promise((resolve) => {
    child.once('exit', (status) => resolve(status));
    child.once('error', (error) => resolve(String(error)));
  });
  clearTimeout(timer);
  process.off('SIGINT', stop).off('SIGTERM', stop);
  end();
  return code === 0;
}

function count(passed, failed) {
  total.passed += passed;
  total.failed += failed;
}

/** Adds up what vitest reports; a file that could not be run counts as one failure. */
function countReport(file, what, succeeded) {
  if (!existsSync(file)) {
    say(`${what}: no report`);
    count(0, 1);
    return;
  }
  const report = JSON.parse(readFileSync(file, 'utf8'));
  const before = total.failed;
  for (const suite of report.testResults) {
    const failed = suite.assertionResults.filter((result) => result.status === 'failed').length;
    const passed = suite.assertionResults.filter((result) => result.status === 'passed').length;
    count(passed, failed === 0 && suite.status === 'failed' ? 1 : failed);
  }
  if (!succeeded && total.failed === before) count(0, 1);
}

async function tests(project, what, minutes) {
  const dir = mkdtempSync(path.join(tmpdir(), 'aegisfs-report-'));
  const report = path.join(dir, 'report.json');
  try {
    const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
    const run = [process.execPath, vitest, 'run', '--project', project, ...reporters, '--passWithNoTests', ...filters];
    // The shell is the namespace's first process: it collects what background mounts leave.
    const inside = ['--mount', '--pid', '--fork', '--mount-proc', '--kill-child', 'sh', '-c', '"$@"; exit $?', 'sh', ...run];
    const env = { AEGISFS_TESTS_OUTSIDE: readlinkSync('/proc/self/ns/mnt'), ...(full ? { AEGISFS_TESTS: 'full' } : {}) };
    const succeeded = await part(what, minutes, 'unshare', inside, env);
    countReport(report, what, succeeded);
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}

async function main() {
  const problem = obstacle();
  if (problem !== null) throw new Error(problem);
  if (!existsSync(vitest)) prepare('packages', 'npm', ['ci', '--no-audit', '--no-fund']);
  prepare('build', process.execPath, ['scripts/build.mjs']);
  if (filters.length === 0) {
    const fine = await part('static checks', LIMITS.check, process.execPath, ['scripts/check.mjs']);
    count(fine ? 1 : 0, fine ? 0 : 1);
    const native = path.join(root, 'native/test/run.sh');
    if (existsSync(native)) {
      const sound = await part('native tests', LIMITS.native, 'sh', [native]);
      count(sound ? 1 : 0, sound ? 0 : 1);
    }
  }
  await tests('unit', 'unit tests', LIMITS.unit);
  await tests('mount', 'tests on mounts', full ? LIMITS.full : LIMITS.mount);
  if (total.passed === 0 && total.failed === 0) throw new Error(`no test matches ${filters.join(' ')}`);
}

try {
  await main();
} catch (error) {
  process.stderr.write(`npm test: ${error.message}\n`);
  count(0, 1);
}
say(`${total.passed} passed, ${total.failed} failed`);
process.exitCode = total.failed === 0 ? 0 : 1;
