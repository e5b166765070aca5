/** What a row of the opcode table runs. */
import { Errno } from '../../base/errno.ts';
import { InHeader, OutHeader } from '../abi/structs.ts';
import { putOpen } from '../encode.ts';
import type { Frame } from '../frame.ts';
import type { OpenOut, Operations } from '../operations.ts';

/**
 * Decodes one kind of request out of `frame`, runs the operation and encodes its reply behind the header.
 * @returns bytes of payload, or a negated errno
 */
export type Handler = (frame: Frame, operations: Operations) => number;

/** First byte of the body of a request. */
export const BODY = InHeader.size;
/** First byte of the payload of a reply. */
export const PAYLOAD = OutHeader.size;

/** Answer to a request that contradicts itself: a name without end, a length beyond the end. */
export const MALFORMED = -Errno.EINVAL;
/** Answer to an offset or a size of 2^53 or more. */
export const TOO_LARGE = -Errno.EOVERFLOW;

/** An operation without payload: any success is an empty reply. */
export function status(result: number): number {
  return Math.min(result, 0);
}

/** The reused OpenOut, emptied. */
export function freshOpen(frame: Frame): OpenOut {
  const open = frame.open;
  open.handle = 0;
  open.flags = 0;
  return open;
}

/** Encodes what an OPEN or OPENDIR left in `frame.open`. */
export function openReply(frame: Frame, result: number): number {
  return result < 0 ? result : putOpen(frame.out32, PAYLOAD, frame.open);
}
