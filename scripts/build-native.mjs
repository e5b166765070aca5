/**
 * Builds the native addon with node-gyp (Release), unless nothing has changed since the last time.
 * A second build at the same time waits for the first.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { availableParallelism } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const buildDir = path.join(root, 'build');
const addon = path.join(buildDir, 'Release', 'aegisfs.node');
const stampFile = path.join(buildDir, 'aegisfs.stamp');
const lockFile = path.join(buildDir, 'aegisfs.lock');

/** An expected failure whose message is all the user needs to see. */
export class BuildError extends Error {}

/** Ends the build with one clear line if a program does not run. */
function requireProgram(program, args, advice) {
  const result = spawnSync(program, args, { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
  if (result.error !== undefined || result.status !== 0) throw new BuildError(advice);
}

function checkTools() {
  const compiler = process.env.CC ?? 'cc';
  requireProgram(
    compiler,
    ['--version'],
    `no C compiler ("${compiler}"): install gcc and the libc headers (Debian: apt install build-essential)`,
  );
  requireProgram('make', ['--version'], 'make is missing (Debian: apt install make)');
  requireProgram(process.env.PYTHON ?? 'python3', ['--version'], 'python3 is missing, node-gyp needs it (Debian: apt install python3)');
}

function sourceFiles(dir) {
  return readdirSync(dir, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile() && /\.(c|h|gypi)$/.test(entry.name))
    .map((entry) => path.join(entry.parentPath ?? entry.path, entry.name))
    .sort();
}

/** Changes whenever the result of a build may: sources, build rules, Node version, compiler settings. */
function fingerprint() {
  const hash = createHash('sha256');
  hash.update(`${process.version} ${process.arch} ${process.env.CC ?? ''} ${process.env.CFLAGS ?? ''} ${process.env.LDFLAGS ?? ''}\n`);
  for (const file of [path.join(root, 'binding.gyp'), ...sourceFiles(path.join(root, 'native'))]) {
    hash
      .update(`${path.relative(root, file)}\0`)
      .update(readFileSync(file))
      .update('\0');
  }
  return hash.digest('hex');
}

function isAlive(pid) {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error.code === 'EPERM';
  }
}

/** @returns true if the lock was taken, false if a living process holds it */
function tryLock() {
  try {
    writeFileSync(lockFile, `${process.pid}`, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  let holder = Number.NaN;
  try {
    holder = Number.parseInt(readFileSync(lockFile, 'utf8'), 10);
  } catch {
    return false;
  }
  if (!Number.isNaN(holder) && !isAlive(holder)) rmSync(lockFile, { force: true });
  return false;
}

function withLock(work) {
  mkdirSync(buildDir, { recursive: true });
  const pause = new Int32Array(new SharedArrayBuffer(4));
  while (!tryLock()) Atomics.wait(pause, 0, 0, 100);
  try {
    return work();
  } finally {
    rmSync(lockFile, { force: true });
  }
}

/** The headers that came with this Node, so that nothing has to be downloaded. */
function nodeDirArgs() {
  const prefix = path.resolve(process.execPath, '..', '..');
  return existsSync(path.join(prefix, 'include', 'node', 'node_api.h')) ? [`--nodedir=${prefix}`] : [];
}

/** The addon is plain C: linked as C it needs no C++ compiler, here or where it runs. */
function nodeGypEnv() {
  const compiler = process.env.CC ?? 'cc';
  return { ...process.env, CXX: compiler, LINK: compiler };
}

function runNodeGyp(args, verbose) {
  const require = createRequire(import.meta.url);
  let script;
  try {
    script = require.resolve('node-gyp/bin/node-gyp.js');
  } catch {
    throw new BuildError('node-gyp is not installed: run "npm install" first');
  }
  const result = spawnSync(process.execPath, [script, ...args], {
    cwd: root,
    env: nodeGypEnv(),
    encoding: 'utf8',
    stdio: verbose ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    maxBuffer: 1 << 28,
  });
  if (result.error !== undefined || result.status !== 0) {
    if (!verbose) process.stderr.write(`${result.stdout ?? ''}${result.stderr ?? ''}`);
    throw new BuildError(`node-gyp ${args[0]} failed`);
  }
  const warnings = (result.stderr ?? '').split('\n').filter((line) => /\bwarning:/.test(line));
  for (const line of warnings) process.stderr.write(`${line}\n`);
}

/** Builds the addon. @returns false if it was up to date already */
export function buildNative({ force = false, verbose = false } = {}) {
  return withLock(() => {
    const stamp = fingerprint();
    const isCurrent = existsSync(addon) && existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;
    if (isCurrent && !force) return false;
    checkTools();
    rmSync(stampFile, { force: true });
    const common = ['--release', ...nodeDirArgs()];
    runNodeGyp(['configure', ...common], verbose);
    runNodeGyp(['build', ...common, `--jobs=${availableParallelism()}`], verbose);
    writeFileSync(stampFile, stamp);
    return true;
  });
}
