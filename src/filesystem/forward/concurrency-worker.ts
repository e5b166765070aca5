/** One thread of concurrency.test.ts: a worker of the mount that does one kind of work beside others. */
import { parentPort, workerData } from 'node:worker_threads';
import { STAT_FIELDS } from '../../sys/stat.ts';
import { createForwardOperations } from '../fuse-adapter.ts';
import type { ForwardSetup } from '../options.ts';
import type { Entry, NameBytes } from './types.ts';

/** What a thread gets. */
export interface ViewWork {
  readonly setup: Omit<ForwardSetup, 'log'>;
  readonly role: 'files' | 'moveDirectories' | 'makeDirectories';
  readonly id: number;
  readonly rounds: number;
  /** Nodes of the directories `d0`, `d1`, … in the root. */
  readonly dirs: readonly number[];
}

const work = workerData as ViewWork;
const problems: string[] = [];
const warn = (message: string): void => {
  problems.push(`warning: ${message}`);
};
const op = createForwardOperations({ ...work.setup, log: { debug() {}, info() {}, warn, fatal: warn } });
const entry: Entry = { node: 0, generation: 0, entryTimeout: 0, attrTimeout: 0, attr: new Float64Array(STAT_FIELDS) };
const opened = { handle: 0, flags: 0 };

function req(node: number): { unique: number; node: number; uid: number; gid: number; pid: number } {
  return { unique: 1, node, uid: 0, gid: 0, pid: 0 };
}

function named(text: string): NameBytes {
  return { buf: Buffer.from(`${text}\0`), off: 0, len: text.length };
}

function must(result: number, what: string): void {
  if (result !== 0 && problems.length < 10) problems.push(`${what}: ${result}`);
}

/** Numbers that differ from thread to thread but not from run to run. */
const seed = { value: work.id + 1 };
function random(limit: number): number {
  seed.value = (Math.imul(seed.value, 1664525) + 1013904223) >>> 0;
  return (seed.value >>> 8) % limit;
}

function anyDir(): number {
  return work.dirs[random(work.dirs.length)]!;
}

function files(round: number): void {
  const from = anyDir();
  const to = anyDir();
  const name = named(`file ${work.id} ${round}`);
  const newName = named(round % 3 === 0 ? `moved ${work.id} ${round} ${'x'.repeat(180)}` : `moved ${work.id} ${round}`);
  must(op.create(req(from), name, 2, 0o600, 0, entry, opened), 'create');
  must(op.release(req(entry.node), opened.handle, 0), 'release');
  const { node } = entry;
  must(op.getattr(req(node), -1, entry), 'getattr');
  must(op.rename(req(from), name, to, newName, 0), 'rename');
  must(op.getattr(req(node), -1, entry), 'getattr after rename');
  must(op.lookup(req(to), newName, entry), 'lookup');
  if (entry.node !== node) must(entry.node, `lookup gave another node than ${node}`);
  must(op.open(req(node), 0, opened), 'open');
  must(op.release(req(node), opened.handle, 0), 'release');
  must(op.unlink(req(to), newName), 'unlink');
  op.forget(node, 2);
}

function moveDirectories(round: number): void {
  const i = random(work.dirs.length);
  must(op.rename(req(1), named(`d${i}`), 1, named(`e${i}`), 0), `move d${i} in round ${round}`);
  must(op.getattr(req(work.dirs[i]!), -1, entry), 'getattr of a moved directory');
  must(op.rename(req(1), named(`e${i}`), 1, named(`d${i}`), 0), `move e${i} back in round ${round}`);
}

function makeDirectories(round: number): void {
  const parent = anyDir();
  const name = named(`dir ${work.id} ${round}`);
  must(op.mkdir(req(parent), name, 0o700, 0, entry), 'mkdir');
  const { node } = entry;
  must(op.lookup(req(node), named('nothing'), entry), 'lookup in a new directory');
  must(op.opendir(req(node), 0, opened), 'opendir');
  must(op.releasedir(req(node), opened.handle), 'releasedir');
  must(op.rmdir(req(parent), name), 'rmdir');
  op.forget(node, 1);
}

const roles = { files, moveDirectories, makeDirectories };
for (let round = 0; round < work.rounds; round++) roles[work.role](round);
parentPort!.postMessage(problems);
