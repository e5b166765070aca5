/** Taking a mount away again. Source: behaviour.md 5.7 and 5.8. */
import { Errno, errnoName } from '../../base/errno.ts';
import { MNT_DETACH } from '../../sys/constants.ts';
import { umount2 } from '../../sys/mounts.ts';
import { unmountByHelper } from './helper.ts';

/** How to unmount. */
export interface UnmountOptions {
  /** Take the name away now and the filesystem when its last user has gone. */
  lazy?: boolean;
}

/** Pauses after the tries of `unmountWithRetries`, milliseconds. Each doubles the one before and adds five. */
export const RETRY_PAUSES_MS: readonly number[] = [5, 15, 35, 75, 155];

/**
 * Unmounts as root with umount2(2), else through fusermount3.
 * @returns null for success, else one line that says why not
 */
export function unmountFuse(mountpoint: string, options: UnmountOptions = {}): string | null {
  const lazy = options.lazy === true;
  if (process.geteuid?.() !== 0) return unmountByHelper(mountpoint, lazy);
  const error = umount2(mountpoint, lazy ? MNT_DETACH : 0);
  if (error === 0) return null;
  // Root without the capability, as in a container: the helper at least gives its reason.
  if (error === -Errno.EPERM) return unmountByHelper(mountpoint, lazy);
  return error === -Errno.EBUSY ? `${mountpoint} is busy` : `umount2(2) ${mountpoint}: ${errnoName(error)}`;
}

function sleep(milliseconds: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
}

/**
 * Unmounts with five tries in 285 ms: programs that look at every new mount (file managers, indexers) keep it busy for moments.
 * Blocks the calling thread, so other threads must be serving requests.
 * @param unmount - one try; replaced in tests
 * @returns null for success, else the reason of the last try
 */
export function unmountWithRetries(
  mountpoint: string,
  unmount: (mountpoint: string) => string | null = unmountFuse,
  pause: (milliseconds: number) => void = sleep,
): string | null {
  let reason: string | null = null;
  for (const milliseconds of RETRY_PAUSES_MS) {
    reason = unmount(mountpoint);
    if (reason === null) return null;
    pause(milliseconds);
  }
  return reason;
}
