/** The device as the loop sees it. */
import { Errno } from '../base/errno.ts';
import type { NativeSys } from '../native.ts';

/** Where requests come from and replies go: /dev/fuse, or something that tests put in its place. */
export interface Channel {
  /** Waits for a request. @returns its length, −ENODEV when the session is over, or another negated errno */
  read(buffer: Uint8Array): number;
  /** Hands in the reply in the first `len` bytes. @returns 0, or a negated errno */
  write(buffer: Uint8Array, len: number): number;
}

/** How long one wait for a non-blocking device lasts, milliseconds. */
const POLL_MS = 1000;

/** A Channel over a FUSE device descriptor. */
export function deviceChannel(sys: Pick<NativeSys, 'read' | 'write' | 'pollIn'>, fd: number): Channel {
  return {
    read(buffer) {
      for (;;) {
        const length = sys.read(fd, buffer, 0, buffer.length);
        if (length > 0) return length;
        // End of file does not exist on /dev/fuse; on a socket or pipe in its place it is the end of the session.
        if (length === 0) return -Errno.ENODEV;
        if (length === -Errno.EAGAIN) sys.pollIn(fd, POLL_MS);
        // ENOENT: the request was aborted while it was being read. EINTR: a signal, nothing was taken.
        else if (length !== -Errno.EINTR && length !== -Errno.ENOENT) return length;
      }
    },
    write(buffer, len) {
      for (;;) {
        const written = sys.write(fd, buffer, 0, len);
        if (written >= 0) return 0;
        if (written === -Errno.EINTR || written === -Errno.EAGAIN) continue;
        // ENOENT: the kernel has given this request up. ENODEV: the session is over; the next read says so too.
        return written === -Errno.ENOENT || written === -Errno.ENODEV ? 0 : written;
      }
    },
  };
}
