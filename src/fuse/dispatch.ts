/** One request from bytes to bytes: no device, no thread, so that tests need neither. */
import { Errno } from '../base/errno.ts';
import type { Logger } from '../base/log.ts';
import { InHeader, OutHeader } from './abi/structs.ts';
import type { DebugSink } from './debug.ts';
import { describeReply, describeRequest } from './debug.ts';
import { u64At } from './decode.ts';
import { putHeader } from './encode.ts';
import { Frame } from './frame.ts';
import type { Operations } from './operations.ts';
import type { OpcodeRow } from './table.ts';
import { opcodeRow } from './table.ts';

/** The kernel takes errors from −1 to −511 only (fuse_dev_do_write). */
const LARGEST_ERRNO = 511;

/** Runs requests against one set of operations. Not for several threads: every worker makes its own. */
export class Dispatcher {
  /** A request is read into this buffer … */
  readonly request: Uint8Array;
  /** … and its reply stands here afterwards. */
  readonly reply: Uint8Array;
  private readonly frame: Frame;
  private readonly operations: Operations;
  private readonly log: Logger;
  private readonly debug: DebugSink | null;

  constructor(operations: Operations, log: Logger, debug: DebugSink | null = null) {
    this.frame = new Frame(log);
    this.request = this.frame.in8;
    this.reply = this.frame.out8;
    this.operations = operations;
    this.log = log;
    this.debug = debug;
  }

  /**
   * Serves the request of `len` bytes in `request`. Never throws.
   * @returns length of the reply in `reply`, 0 if none is due
   */
  dispatch(len: number): number {
    const frame = this.frame;
    if (len < InHeader.size) {
      this.log.warn(`fuse: dropped a request of ${len} bytes, shorter than its header`);
      return 0;
    }
    const words = frame.in32;
    const row = opcodeRow(words[InHeader.opcode >>> 2]!);
    const request = frame.request;
    request.unique = u64At(words, InHeader.unique >>> 2);
    request.node = u64At(words, InHeader.nodeid >>> 2);
    request.uid = words[InHeader.uid >>> 2]!;
    request.gid = words[InHeader.gid >>> 2]!;
    request.pid = words[InHeader.pid >>> 2]!;
    frame.inLen = len;
    if (this.debug !== null) this.debug(describeRequest(frame, row));
    const result = this.run(row);
    // Id 0 marks notifications on the way back, so it can never name a request.
    if (!row.reply || request.unique === 0) return 0;
    const payload = Math.max(result, 0);
    putHeader(frame, Math.min(result, 0), payload);
    if (this.debug !== null) this.debug(describeReply(frame, row));
    return OutHeader.size + payload;
  }

  /** Overwrites the reply with an error for the current request. @returns its length */
  fail(errno: number): number {
    putHeader(this.frame, -errno, 0);
    return OutHeader.size;
  }

  /** Payload length or a negated errno within the range the kernel takes, whatever the operation did. */
  private run(row: OpcodeRow): number {
    const frame = this.frame;
    if (row.handler === null) return -Errno.ENOSYS;
    if (frame.in32[0] !== frame.inLen || frame.inLen < InHeader.size + row.body) {
      this.log.warn(`fuse: malformed ${row.name} request of ${frame.inLen} bytes`);
      return -Errno.EIO;
    }
    if (frame.request.node < 0) return -Errno.EINVAL;
    try {
      const result = row.handler(frame, this.operations);
      if (result >= -LARGEST_ERRNO && result <= frame.out8.length - OutHeader.size) return Math.trunc(result);
      throw new RangeError(`result ${result}`);
    } catch (error) {
      // A bug in an operation must cost one request, not the mount.
      this.log.warn(`fuse: ${row.name} of node ${frame.request.node} failed: ${error instanceof Error ? error.stack : String(error)}`);
      return -Errno.EIO;
    }
  }
}
