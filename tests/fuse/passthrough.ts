/**
 * Mounts a folder as it is, on the FUSE server of this project:
 *
 *   node build/passthrough.cjs SOURCE MOUNTPOINT [options]
 *
 *   --delay OPERATION=MS   sleep that long in every such operation (read, write, fsync, … as in src/fuse/operations.ts); repeatable
 *   --delays-off           start without the delays; SIGUSR1 turns them on and off
 *   --workers N            worker threads to start with (3)
 *   --max-workers N        most that may be added while requests are slow (16)
 *   --timeout SECONDS      how long the kernel may cache names and attributes (1)
 *   --noxattr              answer ENOSYS to xattr requests
 *   --debug                one line per request and reply on stderr
 *
 * Prints "ready" when it serves. Ends when it is unmounted; SIGINT and SIGTERM unmount it. A slow store to put under a mount, and the
 * speed of the server without encryption.
 */
import { writeSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import type { Logger } from '../../src/base/log.ts';
import type { Negotiated, Operations } from '../../src/fuse/index.ts';
import { Baton, deviceChannel, handshake, MAX_WORKERS, SlowCall, serveWorker } from '../../src/fuse/index.ts';
import { mountFuse } from '../../src/fuse/mount/mount.ts';
import { unmountWithRetries } from '../../src/fuse/mount/unmount.ts';
import { native, STAT_FIELDS } from '../../src/native.ts';
import * as c from '../../src/sys/constants.ts';
import { NodeTable } from './passthrough-nodes.ts';
import type { PassthroughOptions } from './passthrough-operations.ts';
import { PassthroughOperations } from './passthrough-operations.ts';

interface Shared {
  fd: number;
  negotiated: Negotiated;
  nodes: SharedArrayBuffer;
  baton: SharedArrayBuffer;
  /** One word: 1 while delays are on. */
  switch: SharedArrayBuffer;
  delays: [operation: string, ms: number][];
  options: PassthroughOptions;
  debug: boolean;
}

// A thread that serves never returns to its event loop: only writes that wait for nothing get out.
const print = (line: string) => writeSync(2, `${line}\n`);
const log: Logger = { debug: print, info: print, warn: print, fatal: print };

/** Makes operations sleep before they do their work. */
function addDelays(operations: Operations, shared: Shared, baton: Baton): void {
  const isOn = new Int32Array(shared.switch);
  const never = new Int32Array(new SharedArrayBuffer(4));
  const table = operations as unknown as Record<string, (...args: unknown[]) => unknown>;
  for (const [name, ms] of shared.delays) {
    const original = table[name];
    if (original === undefined) throw new Error(`no such operation: ${name}`);
    table[name] = (...args) => {
      if (Atomics.load(isOn, 0) !== 0) {
        baton.beforeSlowCall(SlowCall.other);
        Atomics.wait(never, 0, 0, ms);
        baton.afterSlowCall(SlowCall.other);
      }
      return original.apply(operations, args);
    };
  }
}

function worker(): void {
  const { shared, index } = workerData as { shared: Shared; index: number };
  const baton = new Baton(shared.baton, 0, index, { onExhausted: () => parentPort?.postMessage('exhausted') });
  const operations = new PassthroughOperations(native.sys, new NodeTable(shared.nodes), shared.options);
  addDelays(operations, shared, baton);
  const { fd, negotiated } = shared;
  serveWorker({ fd, operations, negotiated, baton, log, debug: shared.debug ? print : null });
}

function die(message: string): never {
  print(`passthrough: ${message}`);
  process.exit(1);
}

function openRoot(source: string): SharedArrayBuffer {
  const { sys } = native;
  const [, hard] = sys.getNofile();
  sys.setNofile(Number.isFinite(hard) ? hard : 1 << 20);
  const fd = sys.openat(c.AT_FDCWD, Buffer.from(`${path.resolve(source)}\0`), 0, c.O_PATH | c.O_DIRECTORY, 0);
  const stat = new Float64Array(STAT_FIELDS);
  if (fd < 0 || sys.fstat(fd, stat) < 0) die(`cannot open ${source}`);
  const nodes = new SharedArrayBuffer(NodeTable.bytes);
  new NodeTable(nodes).addRoot(fd, stat);
  return nodes;
}

function main(): void {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      delay: { type: 'string', multiple: true, default: [] },
      'delays-off': { type: 'boolean', default: false },
      workers: { type: 'string', default: '3' },
      'max-workers': { type: 'string', default: '16' },
      timeout: { type: 'string', default: '1' },
      noxattr: { type: 'boolean', default: false },
      debug: { type: 'boolean', default: false },
    },
  });
  const [source, mountpoint] = positionals;
  if (source === undefined || mountpoint === undefined) die('usage: passthrough SOURCE MOUNTPOINT [options]');
  const delays = values.delay.flatMap((item) => item.split(',')).map((item) => item.split('=') as [string, string]);
  const nodes = openRoot(source);
  process.umask(0);
  const options = ['allow_other', 'default_permissions', 'max_read=1048576'];
  const mounted = mountFuse({ mountpoint: path.resolve(mountpoint), fsType: 'fuse.passthrough', source: path.resolve(source), options });
  if ('error' in mounted) die(mounted.error);
  const negotiated = handshake(deviceChannel(native.sys, mounted.fd), {}, log);
  if ('error' in negotiated) die(negotiated.message);

  const shared: Shared = {
    fd: mounted.fd,
    negotiated,
    nodes,
    baton: new SharedArrayBuffer(Baton.bytes),
    switch: new SharedArrayBuffer(4),
    delays: delays.map(([name, ms]) => [name, Number(ms)]),
    options: { xattrs: !values.noxattr, timeout: Number(values.timeout) },
    debug: values.debug,
  };
  const isOn = new Int32Array(shared.switch);
  isOn[0] = values['delays-off'] ? 0 : 1;
  supervise(shared, path.resolve(mountpoint), Number(values.workers), Math.min(Number(values['max-workers']), MAX_WORKERS));
  process.on('SIGUSR1', () => Atomics.xor(isOn, 0, 1));
  writeSync(1, 'ready\n');
}

/** Starts workers, adds some when the baton finds nobody to go to, ends with the last of them. */
function supervise(shared: Shared, mountpoint: string, first: number, most: number): void {
  const baton = new Baton(shared.baton, 0, -1);
  let started = 0;
  const start = () => {
    const thread = new Worker(__filename, { workerData: { shared, index: started++ } });
    thread.on('error', (error) => {
      print(String(error.stack));
      // Without its reader the mount would hang.
      unmountWithRetries(mountpoint);
      process.exitCode = 1;
    });
    thread.on('message', () => {
      // A busy machine looks like a slow request for a moment: add a thread only if there still is no stand-by.
      setTimeout(() => {
        if (started < most && baton.standbys() === 0) start();
      }, 5);
    });
  };
  for (let i = 0; i < first; i++) start();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.on(signal, () => {
      const reason = unmountWithRetries(mountpoint);
      if (reason !== null) print(`passthrough: ${reason}`);
    });
  }
}

if (isMainThread) main();
else worker();
