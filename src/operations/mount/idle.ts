/** Unmounting a filesystem that nobody uses (behaviour.md 5.7). */
import type { Reporter } from '../../base/reporter.ts';

const LONGEST_SAMPLE_MS = 120_000;
const NS_PER_MS = 1e6;
/** setTimeout takes no less. */
const SHORTEST_SAMPLE_MS = 1;

/** What the monitor asks and does. */
export interface IdleSubject {
  readonly mountpoint: string;
  /** True if something below the root was used since the last question, or something is open now. */
  isBusy(): boolean;
  /** Tries to unmount. @returns null, or why not */
  unmount(): string | null;
}

/** How samples are taken for an idle time. */
export interface IdlePlan {
  readonly sampleMs: number;
  /** Idle samples in a row that make the filesystem idle. */
  readonly samples: number;
}

/** Sampling interval and count for an idle time in nanoseconds. */
export function idlePlan(idleNs: number): IdlePlan {
  const idleMs = idleNs / NS_PER_MS;
  const sampleMs = Math.min(idleMs / 4, LONGEST_SAMPLE_MS);
  return { sampleMs: Math.max(sampleMs, SHORTEST_SAMPLE_MS), samples: Math.ceil(idleMs / sampleMs) };
}

/** Counts idle samples; a pure state machine, so that time plays no part in its tests. */
export class IdleCounter {
  private readonly samples: number;
  private idle = 0;
  private isFirst = true;

  constructor(samples: number) {
    this.samples = samples;
  }

  /** Takes one sample. @returns true if it is time to unmount */
  take(busy: boolean): boolean {
    if (busy || this.isFirst) {
      this.isFirst = false;
      this.idle = 0;
      return false;
    }
    this.idle += 1;
    return this.idle % this.samples === 0;
  }

  /** Starts over after a refused unmount. */
  reset(): void {
    this.idle = 0;
  }
}

/** Watches until the filesystem is idle and unmounted. @returns a function that stops watching */
export function startIdleMonitor(idleNs: number, subject: IdleSubject, log: Reporter): () => void {
  const plan = idlePlan(idleNs);
  const counter = new IdleCounter(plan.samples);
  counter.take(subject.isBusy());
  const timer = setInterval(() => {
    if (!counter.take(subject.isBusy())) {
      return;
    }
    log.info(`idleMonitor: filesystem idle; unmounting: ${subject.mountpoint}`);
    const reason = subject.unmount();
    if (reason === null) {
      clearInterval(timer);
    } else {
      log.info(`idleMonitor: unmount failed: ${reason}. Resetting idle time.`);
      counter.reset();
    }
  }, plan.sampleMs);
  return () => clearInterval(timer);
}
