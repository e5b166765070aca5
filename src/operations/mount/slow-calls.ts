/** Tells the baton of the FUSE server about calls of the filesystem that may take long. */
import { SlowCallKind, type SlowCalls } from '../../filesystem/forward/slow-calls.ts';
import { type Baton, SlowCall } from '../../fuse/index.ts';

const KINDS: readonly SlowCall[] = Object.entries(SlowCallKind)
  .sort(([, a], [, b]) => a - b)
  .map(([name]) => ({ Read: SlowCall.read, Write: SlowCall.write, Sync: SlowCall.fsync })[name] ?? SlowCall.other);

/** The announcements of one worker, handed on to its baton. */
export function batonSlowCalls(baton: Baton): SlowCalls {
  return {
    before: (kind) => baton.beforeSlowCall(KINDS[kind] ?? SlowCall.other),
    after: (kind) => baton.afterSlowCall(KINDS[kind] ?? SlowCall.other),
  };
}
