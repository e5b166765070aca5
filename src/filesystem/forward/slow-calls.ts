/**
 * Calls that history says may block for long, announced to whoever hands out the FUSE device (the baton):
 * a worker that is about to wait lets another one read requests first.
 */

/** Families of calls whose durations are tracked apart. */
export const SlowCallKind = { Read: 0, Write: 1, Sync: 2, Allocate: 3, Directory: 4 } as const;
export type SlowCallKind = (typeof SlowCallKind)[keyof typeof SlowCallKind];

/** Called around one system call; must not throw and must not allocate. */
export interface SlowCalls {
  before(kind: SlowCallKind): void;
  after(kind: SlowCallKind): void;
}

/** For one thread alone (tests, commands that work on a vault without mounting it). */
export const noSlowCalls: SlowCalls = { before() {}, after() {} };
