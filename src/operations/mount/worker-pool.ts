/** The worker threads of a mount: started early, given their task when the vault is open, joined at the end. */
import { Worker } from 'node:worker_threads';
import { Errno } from '../../base/errno.ts';
import type { Reporter } from '../../base/reporter.ts';
import { Baton, MAX_WORKERS } from '../../fuse/index.ts';
import { layoutOf } from '../../shared/layout.ts';
import type { ServeCommand, WorkerReport, WorkerStart } from './messages.ts';

/** One reads, two stand by. */
const USUAL_WORKERS = 3;
/** Most workers, however many requests are held up. */
const MAX_POOL = 16;
/** Environment variable that fixes the number of workers, for tests and measurements. */
const WORKERS_VARIABLE = 'AEGISFS_WORKERS';
/** How long a shortage of workers must last until another one is started, ms. */
const GROWTH_DELAY_MS = 5;

/** Heap limits of one worker, MiB. Requests leave no garbage, so a small young generation keeps the process small. */
const HEAP_LIMITS = { maxYoungGenerationSizeMb: 2, maxOldGenerationSizeMb: 128 } as const;

/** What all workers have in common. */
export type SharedTask = Omit<ServeCommand, 'index'>;

/** A pool of workers. */
export class WorkerPool {
  /** Resolves when every worker has ended: with 0, or with the first failure of the device. */
  readonly ended: Promise<number>;
  private readonly file: string;
  private readonly control: Int32Array;
  private readonly log: Reporter;
  private readonly workers: Worker[] = [];
  /** Workers from the start, and the most there may be. */
  private readonly usual: number;
  private readonly most: number;
  private task: SharedTask | undefined;
  private endedCount = 0;
  private result = 0;
  private onReady: () => void = () => {};
  private onEnded: (result: number) => void = () => {};

  /** Starts the first worker; it loads its code while the vault is unlocked. */
  constructor(file: string, control: Int32Array, log: Reporter) {
    this.file = file;
    this.control = control;
    this.log = log;
    const fixed = Number(process.env[WORKERS_VARIABLE]);
    const isFixed = Number.isInteger(fixed) && fixed >= 1 && fixed <= MAX_WORKERS;
    this.usual = isFixed ? fixed : USUAL_WORKERS;
    this.most = isFixed ? fixed : MAX_POOL;
    this.ended = new Promise((resolve) => {
      this.onEnded = resolve;
    });
    this.start();
  }

  /** Gives the first worker its task. Resolves when it is about to take requests. */
  serve(task: SharedTask): Promise<void> {
    this.task = task;
    return new Promise((resolve) => {
      this.onReady = resolve;
      for (const [index, worker] of this.workers.entries()) {
        worker.postMessage({ ...task, index } satisfies ServeCommand);
      }
    });
  }

  /** Adds the stand-bys. Starting a thread takes longer than everything else about a mount, so nobody waits for them. */
  addStandbys(): void {
    while (this.workers.length < this.usual) {
      this.start();
    }
  }

  private start(): void {
    const workerData: WorkerStart = { control: this.control };
    const worker = new Worker(this.file, { workerData, resourceLimits: HEAP_LIMITS, stdin: false, execArgv: [], trackUnmanagedFds: false });
    const index = this.workers.push(worker) - 1;
    worker.on('message', (report: WorkerReport) => this.take(report));
    worker.on('error', (error) => {
      // A worker that dies may hold a lock for ever: the mount cannot be trusted any more.
      this.log.fatal(`worker ${index} failed: ${error.stack ?? error.message}`);
      this.onEnded(-Errno.EIO);
    });
    if (this.task !== undefined) {
      worker.postMessage({ ...this.task, index } satisfies ServeCommand);
    }
  }

  /** On a busy machine a reader that waits for a processor looks like a slow request: most shortages are over after a moment. */
  private growIfNeeded(): void {
    if (this.task === undefined || this.workers.length >= this.most || this.endedCount > 0) {
      return;
    }
    const { shared } = this.task;
    if (new Baton(shared, layoutOf(shared).batonOffset, -1).standbys() === 0) {
      this.start();
    }
  }

  private take(report: WorkerReport): void {
    switch (report.kind) {
      case 'ready':
        this.onReady();
        break;
      case 'exhausted':
        setTimeout(() => this.growIfNeeded(), GROWTH_DELAY_MS);
        break;
      case 'ended':
        this.end(report.result);
        break;
    }
  }

  private end(result: number): void {
    this.endedCount += 1;
    this.result ||= result;
    if (this.endedCount === this.workers.length) {
      this.onEnded(this.result);
    }
  }
}
