import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Baton } from '../../src/fuse/baton.ts';
import type { WorkerData } from './baton-worker.ts';
import { bundle } from './build.mjs';
import { FakeDevice } from './fake-device.ts';

// As in baton-worker.ts, whose module is a thread entry and cannot be imported here.
const Kind = { fast: 0, sleep: 1 << 16, announcedSleep: 2 << 16, untilAnswered: 3 << 16 };

const TICK_MS = 2;
const IDLE_MS = 10;

let script = '';
beforeAll(() => {
  script = bundle('baton-worker');
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A fake session: device, baton and worker threads, which all end with `close`. */
class Session {
  readonly deviceMemory = new SharedArrayBuffer(FakeDevice.bytes);
  readonly batonMemory = new SharedArrayBuffer(Baton.bytes);
  readonly device = new FakeDevice(this.deviceMemory);
  readonly baton = new Baton(this.batonMemory, 0, -1);
  readonly servers: Worker[] = [];
  readonly results: unknown[] = [];
  shortages = 0;
  private readonly maxWorkers: number;
  private isClosed = false;

  constructor(workers: number, maxWorkers = workers) {
    this.maxWorkers = maxWorkers;
    for (let i = 0; i < workers; i++) this.addServer();
  }

  addServer(): void {
    const worker = this.start('server', this.servers.length, 0);
    worker.on('message', (message) => {
      if (message !== 'exhausted') this.results.push(message);
      else {
        this.shortages++;
        if (this.servers.length < this.maxWorkers) this.addServer();
      }
    });
    this.servers.push(worker);
  }

  client(index: number, requests: number): Promise<unknown> {
    const worker = this.start('client', index, requests);
    return once(worker, 'exit');
  }

  /** Waits, without blocking this thread, until the request has its answer. */
  async answered(number: number): Promise<void> {
    while (!this.device.isAnswered(number)) await pause(1);
  }

  async close(): Promise<void> {
    if (this.isClosed) return;
    this.isClosed = true;
    this.device.close();
    await Promise.all(this.servers.map((server) => once(server, 'exit')));
  }

  private start(role: WorkerData['role'], index: number, requests: number): Worker {
    const workerData: WorkerData = {
      role,
      index,
      device: this.deviceMemory,
      baton: this.batonMemory,
      tickMs: TICK_MS,
      idleMs: IDLE_MS,
      requests,
    };
    return new Worker(script, { workerData });
  }
}

let session: Session;
afterEach(() => session.close());

/** All stand-bys wait and the watcher, if any, has fallen asleep. */
async function untilQuiet(standbys: number): Promise<void> {
  for (;;) {
    const before = session.baton.stats().ticks;
    await pause(15 * TICK_MS + IDLE_MS);
    if (session.baton.standbys() === standbys && session.baton.stats().ticks === before) return;
  }
}

describe('the baton between threads', () => {
  it('a request that lasts does not stop the ones behind it', async () => {
    session = new Session(3);
    await untilQuiet(2);
    // The first two can only be answered after the third, which a third worker must read.
    const first = session.device.offer(Kind.untilAnswered + 2);
    const second = session.device.offer(Kind.untilAnswered + 1);
    const third = session.device.offer(Kind.fast);
    await Promise.all([first, second, third].map((number) => session.answered(number)));
    expect(session.baton.stats().takeovers).toBeGreaterThanOrEqual(2);
    expect(session.device.violations).toBe(0);
  });

  it('asks for another worker when the last stand-by has taken over, and goes on with it', async () => {
    session = new Session(2, 4);
    await untilQuiet(1);
    const numbers = [3, 2, 1].map((distance) => session.device.offer(Kind.untilAnswered + distance));
    numbers.push(session.device.offer(Kind.fast));
    await Promise.all(numbers.map((number) => session.answered(number)));
    expect(session.servers.length).toBe(4);
    expect(session.shortages).toBeGreaterThanOrEqual(2);
  });

  it('a worker whose calls are slow on average gives the baton away before the next', async () => {
    session = new Session(2);
    await untilQuiet(1);
    for (let i = 0; i < 8; i++) await session.answered(session.device.offer(Kind.announcedSleep + 3));
    expect(session.baton.stats().handovers).toBeGreaterThan(0);
    expect(session.device.violations).toBe(0);
  });

  it('costs no wake-ups while nothing happens, and none is lost afterwards', async () => {
    session = new Session(2);
    for (let round = 0; round < 5; round++) {
      await untilQuiet(1);
      const before = session.baton.stats().ticks;
      await pause(100);
      expect(session.baton.stats().ticks).toBe(before);
      // The sleeping watcher must notice this request, or the second is never read.
      const slow = session.device.offer(Kind.untilAnswered + 1);
      await session.answered(session.device.offer(Kind.fast));
      await session.answered(slow);
    }
    expect(session.baton.stats().takeovers).toBeGreaterThanOrEqual(5);
  });

  it('the end of the session wakes and stops every worker, also the busy ones', async () => {
    session = new Session(4);
    await untilQuiet(3);
    const busy = session.device.offer(Kind.sleep + 200);
    while (session.device.taken === 0) await pause(1);
    await session.close();
    expect(session.results).toEqual(new Array(4).fill({ result: 0, destroyed: 1 }));
    expect(session.device.isAnswered(busy)).toBe(true);
  });

  it('stop() from another thread stops the stand-bys; the reader follows when the device is gone', async () => {
    session = new Session(3);
    await untilQuiet(2);
    session.baton.stop();
    while (session.results.length < 2) await pause(1);
    await session.close();
    expect(session.results.length).toBe(3);
  });

  it('many random slow requests: every one is answered once, by one reader at a time', async () => {
    session = new Session(3, 8);
    const requests = 800;
    const clients = 5;
    await Promise.all(Array.from({ length: clients }, (_, index) => session.client(index, requests)));
    const { device } = session;
    expect(device.offered).toBe(clients * requests);
    expect(device.answered).toBe(clients * requests);
    for (let number = 0; number < clients * requests; number++) expect(device.answersTo(number)).toBe(1);
    expect(device.violations).toBe(0);
    expect(session.baton.stats().takeovers).toBeGreaterThan(0);
    expect(session.baton.stats().handovers).toBeGreaterThan(0);
  });
});
