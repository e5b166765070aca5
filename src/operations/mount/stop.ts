/** Ending a mount from inside (behaviour.md 5.8). */
import type { Reporter } from '../../base/reporter.ts';
import { unmountFuse, unmountWithRetries } from '../../fuse/mount/unmount.ts';

/** Unmounts, lazily if the mount is busy. @returns null, or why not even that was possible */
export function unmountAnyway(mountpoint: string): string | null {
  return unmountWithRetries(mountpoint) === null ? null : unmountFuse(mountpoint, { lazy: true });
}

/**
 * Unmounts because a signal asked for it; a busy mount is taken away lazily. Blocks for at most a third of a second, while workers go on
 * serving.
 * @returns true if the workers will end now; false if somebody still uses the mount, so that they go on until the process ends
 */
export function stopMount(mountpoint: string, log: Reporter): boolean {
  const reason = unmountWithRetries(mountpoint);
  if (reason === null) {
    return true;
  }
  log.warn(`unmount: srv.Unmount returned ${reason}`);
  log.info('Trying lazy unmount');
  const lazyReason = unmountFuse(mountpoint, { lazy: true });
  if (lazyReason !== null) {
    log.warn(`unmount: lazy unmount: ${lazyReason}`);
  }
  return false;
}
