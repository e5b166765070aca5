/** -fsck: reads everything in a vault and reports what does not decrypt, without mounting it (behaviour.md 9). */
import { bytesOfText } from '../../base/byte-text.ts';
import type { Reporter } from '../../base/reporter.ts';
import { kernel } from '../../crypto/kernel.ts';
import { AT_FDCWD } from '../../sys/constants.ts';
import { setUndumpable } from '../../sys/process.ts';
import { type UnlockOptions, unlockVault } from '../unlock.ts';
import type { FsckContext, FsckProgress } from './context.ts';
import { Findings } from './findings.ts';
import { Walk } from './walk.ts';

export type { FsckProgress } from './context.ts';

/** Longest time without a look at signals and progress, ms. */
const SLICE_MS = 50;

/** What to check. */
export interface FsckOptions {
  /** Absolute. */
  readonly cipherdir: string;
  readonly unlock: UnlockOptions;
  readonly noXattr: boolean;
  readonly badNamePatterns: readonly string[];
}

/** What the program around gives to a check. */
export interface FsckHost {
  readonly log: Reporter;
  /** Takes a finding: one line without line break. */
  finding(line: string): void;
  /** Told now and then; the object is reused. */
  progress(progress: Readonly<FsckProgress>): void;
}

/** How a check ended. */
export interface FsckResult {
  /** A signal ended it before everything was checked. */
  readonly aborted: boolean;
  /** Findings that mean damage. */
  readonly corrupt: number;
  /** Findings that only say that this user may not look. */
  readonly skipped: number;
}

/** Checks a vault. Nothing is written, and nothing is left behind. @throws AegisError with the code of whatever failed before */
export async function checkVault(options: FsckOptions, host: FsckHost): Promise<FsckResult> {
  setUndumpable();
  const { parameters } = await unlockVault(options.unlock, host.log);
  const signals = watchSignals();
  try {
    host.log.info('Checking filesystem...', 'good');
    const findings = new Findings(host.finding, process.geteuid?.() === 0);
    const context: FsckContext = {
      parameters,
      log: host.log,
      findings,
      noXattr: options.noXattr,
      badNamePatterns: options.badNamePatterns,
      progress: { entries: 0, bytes: 0 },
    };
    const steps = new Walk(context).steps(AT_FDCWD, bytesOfText(`${options.cipherdir}\0`));
    const completed = await runInSlices(steps, () => {
      host.progress(context.progress);
      return !signals.arrived();
    });
    return { aborted: !completed, corrupt: findings.corrupt, skipped: findings.skipped };
  } finally {
    signals.stop();
    kernel.keysWipe();
  }
}

/**
 * Runs steps to their end, with a pause for the event loop after every slice of time.
 * @param between asked after every slice whether to go on
 * @returns false if the steps were left early
 */
async function runInSlices(steps: Generator<void, void>, between: () => boolean): Promise<boolean> {
  let end = performance.now() + SLICE_MS;
  while (steps.next().done !== true) {
    if (performance.now() < end) continue;
    await new Promise((resolve) => setImmediate(resolve));
    if (!between()) {
      steps.return();
      return false;
    }
    end = performance.now() + SLICE_MS;
  }
  return true;
}

/** From now on SIGINT and SIGTERM end the check instead of the process. */
function watchSignals(): { arrived(): boolean; stop(): void } {
  const names = ['SIGINT', 'SIGTERM'] as const;
  let arrived = false;
  const note = () => {
    arrived = true;
  };
  for (const name of names) process.on(name, note);
  return {
    arrived: () => arrived,
    stop() {
      for (const name of names) process.off(name, note);
    },
  };
}
