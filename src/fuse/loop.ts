/** The request loop of a worker: wait for the baton, then read, dispatch, write, for as long as it is ours. Wholly synchronous. */
import { Errno, errnoName } from '../base/errno.ts';
import type { Logger } from '../base/log.ts';
import { native } from '../native.ts';
import { MAX_IO } from './abi/structs.ts';
import { Baton } from './baton.ts';
import type { Channel } from './channel.ts';
import { deviceChannel } from './channel.ts';
import type { DebugSink } from './debug.ts';
import { Dispatcher } from './dispatch.ts';
import type { Negotiated } from './handshake.ts';
import type { Operations } from './operations.ts';

export interface WorkerOptions {
  /** The FUSE device, after `handshake`. */
  readonly fd: number;
  /** This worker's own operations; `destroy` is called once, when the loop ends. */
  readonly operations: Operations;
  readonly negotiated: Negotiated;
  /** Leave out for a session with a single worker. */
  readonly baton?: Baton | undefined;
  readonly log: Logger;
  readonly debug?: DebugSink | null | undefined;
  /** In place of the device descriptor; for tests. */
  readonly channel?: Channel | undefined;
}

/**
 * Serves requests until the filesystem is unmounted. Blocks the thread.
 * @returns 0 after an unmount or `baton.stop()`; a negated errno if the device failed, in which case the caller should unmount
 */
export function serveWorker(options: WorkerOptions): number {
  const { operations, log } = options;
  if (options.negotiated.maxWrite > MAX_IO) throw new RangeError(`max_write ${options.negotiated.maxWrite} exceeds the request buffer`);
  const baton = options.baton ?? new Baton(new SharedArrayBuffer(Baton.bytes), 0, 0);
  const channel = options.channel ?? deviceChannel(native.sys, options.fd);
  const dispatcher = new Dispatcher(operations, log, options.debug ?? null);
  let result = 0;
  try {
    while (result === 0 && baton.waitForTurn() === 'read') result = readWhileHolding(channel, dispatcher, baton, log);
  } finally {
    // Whatever ended this loop, the others must not wait for a baton that nobody passes on.
    baton.stop();
    operations.destroy();
  }
  return result === -Errno.ENODEV ? 0 : result;
}

/** @returns 0 when the baton went to another worker, or a negated errno of the device */
function readWhileHolding(channel: Channel, dispatcher: Dispatcher, baton: Baton, log: Logger): number {
  const { request, reply } = dispatcher;
  do {
    const length = channel.read(request);
    if (length < 0) {
      if (length !== -Errno.ENODEV) log.warn(`fuse: reading the device failed: ${errnoName(length)}`);
      return length;
    }
    baton.beginRequest();
    const replyLength = dispatcher.dispatch(length);
    if (replyLength > 0) {
      const error = channel.write(reply, replyLength);
      if (error < 0) {
        log.warn(`fuse: the kernel refused a reply: ${errnoName(error)}`);
        // The caller still waits. If the kernel has dropped the request meanwhile this one is ignored.
        channel.write(reply, dispatcher.fail(Errno.EIO));
      }
    }
  } while (baton.endRequest());
  return 0;
}
