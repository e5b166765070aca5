/** Thread entry of the baton tests: a FUSE worker, or a client, of a FakeDevice. */
import { parentPort, workerData } from 'node:worker_threads';
import { silentLogger } from '../../src/base/log.ts';
import { Baton, SlowCall } from '../../src/fuse/baton.ts';
import { serveWorker } from '../../src/fuse/loop.ts';
import { FakeDevice } from './fake-device.ts';
import { FakeOperations } from './fake-operations.ts';

/** What the mask of a request asks for; the low 16 bits are an argument. */
export const Kind = {
  /** Answer at once. */
  fast: 0 << 16,
  /** Sleep for the argument, milliseconds. */
  sleep: 1 << 16,
  /** The same, announced to the baton as an fsync. */
  announcedSleep: 2 << 16,
  /** Do not answer before the request that is `argument` places later in the queue has been answered. */
  untilAnswered: 3 << 16,
} as const;

export interface WorkerData {
  role: 'server' | 'client';
  index: number;
  device: SharedArrayBuffer;
  baton: SharedArrayBuffer;
  /** Milliseconds. */
  tickMs: number;
  idleMs: number;
  /** Clients: number of requests to make, and the seed of their choice. */
  requests: number;
}

const data = workerData as WorkerData;
const device = new FakeDevice(data.device);
const pause = new Int32Array(new SharedArrayBuffer(4));
const sleep = (ms: number) => Atomics.wait(pause, 0, 0, ms);

function serve(): void {
  const baton = new Baton(data.baton, 0, data.index, {
    tickMs: data.tickMs,
    idleMs: data.idleMs,
    onExhausted: () => parentPort?.postMessage('exhausted'),
  });
  const operations = new FakeOperations();
  operations.access = (req, mask) => {
    const argument = mask & 0xffff;
    const kind = mask - argument;
    if (kind === Kind.sleep) sleep(argument);
    if (kind === Kind.announcedSleep) {
      baton.beforeSlowCall(SlowCall.fsync);
      sleep(argument);
      baton.afterSlowCall(SlowCall.fsync);
    }
    if (kind === Kind.untilAnswered) device.waitForAnswer(req.unique - 1 + argument);
    return 0;
  };
  const negotiated = { minor: 38, flags: 0, flags2: 0, maxReadahead: 131072, maxWrite: 1048576 };
  const result = serveWorker({ fd: -1, operations, negotiated, baton, log: silentLogger, channel: device });
  parentPort?.postMessage({ result, destroyed: operations.calls.length });
}

/** A client that has one request under way at a time and pauses now and then, sometimes long enough for the watcher to fall asleep. */
function request(): void {
  let seed = data.index * 7919 + 1;
  const random = (below: number) => {
    seed = (Math.imul(seed, 1103515245) + 12345) >>> 0;
    return (seed >>> 8) % below;
  };
  for (let i = 0; i < data.requests; i++) {
    const choice = random(40);
    let mask: number = Kind.fast;
    if (choice === 0) mask = Kind.sleep + random(20);
    else if (choice === 1) mask = Kind.announcedSleep + random(6);
    device.waitForAnswer(device.offer(mask));
    if (random(30) === 0) sleep(random(2 * data.idleMs));
  }
  parentPort?.postMessage('done');
}

if (data.role === 'server') serve();
else request();
