/** INIT: what this server and the kernel agree on, before any request is served (behaviour.md appendix C). */
import { Errno, errnoName } from '../base/errno.ts';
import type { Logger } from '../base/log.ts';
import { Init } from './abi/flags.ts';
import { Opcode } from './abi/opcodes.ts';
import { InHeader, InitIn, InitReply, KERNEL_MINOR, KERNEL_VERSION, MAX_IO, MAX_PAGES, OLDEST_MINOR, OutHeader } from './abi/structs.ts';
import type { Channel } from './channel.ts';

/** Background requests (readahead, writeback, asynchronous direct I/O) that the kernel keeps going at once. */
const MAX_BACKGROUND = 12;
/** From this many on it calls the device congested: three quarters, as the kernel itself computes it. */
const CONGESTION_THRESHOLD = 9;

/** Accepted whenever the kernel offers them. */
const ALWAYS =
  Init.BIG_WRITES |
  Init.FILE_OPS |
  Init.AUTO_INVAL_DATA |
  Init.DO_READDIRPLUS |
  Init.NO_OPEN_SUPPORT |
  Init.PARALLEL_DIROPS |
  Init.MAX_PAGES;

/** Change the layout of requests in ways the decoder does not know: not even `extraFlags` may ask for them. */
const OTHER_LAYOUT = Init.SETXATTR_EXT;
/** The same for flags2: security contexts (bit 32) and supplementary groups (bit 34) lengthen create requests. */
const OTHER_LAYOUT2 = (2 ** 0) | (2 ** 2);

/** Choices of the mount. */
export interface HandshakeOptions {
  /** Leaves ASYNC_READ out, so that the kernel sends the reads of a file one after the other (-serialize_reads). */
  readonly serializeReads?: boolean;
  /** Accepts POSIX_ACL (-acl). */
  readonly posixAcl?: boolean;
  /** Further capability bits (Init.*) to accept if offered; the filesystem must be able to honour them. */
  readonly extraFlags?: number;
  /** The same for bits 32 and up, shifted down by 32. */
  readonly extraFlags2?: number;
}

/** The outcome; plain data, so that it can be sent to other threads. */
export interface Negotiated {
  readonly minor: number;
  /** Accepted capability bits, low half. */
  readonly flags: number;
  /** Accepted capability bits, high half. */
  readonly flags2: number;
  /** Bytes. */
  readonly maxReadahead: number;
  /** Bytes. */
  readonly maxWrite: number;
}

/** Why there is no session. */
export interface HandshakeFailure {
  /** Negated errno. */
  readonly error: number;
  readonly message: string;
}

/** What is agreed on, given the body of an INIT request. */
export function negotiate(
  minor: number,
  maxReadahead: number,
  offered: number,
  offered2: number,
  options: HandshakeOptions,
): Negotiated | HandshakeFailure {
  if (minor < OLDEST_MINOR) {
    const needed = `${KERNEL_VERSION}.${OLDEST_MINOR} (Linux 4.20)`;
    return { error: -Errno.EPROTO, message: `the kernel speaks FUSE protocol ${KERNEL_VERSION}.${minor}; ${needed} or newer is needed` };
  }
  let wanted = ALWAYS | ((options.extraFlags ?? 0) & ~OTHER_LAYOUT);
  if (options.serializeReads !== true) wanted |= Init.ASYNC_READ;
  if (options.posixAcl === true) wanted |= Init.POSIX_ACL;
  let wanted2 = 0;
  if ((offered & Init.INIT_EXT) !== 0) wanted2 = (options.extraFlags2 ?? 0) & ~OTHER_LAYOUT2;
  // Without INIT_EXT in the reply the kernel does not look at flags2.
  if ((wanted2 & offered2) !== 0) wanted |= Init.INIT_EXT;
  return {
    minor: Math.min(minor, KERNEL_MINOR),
    flags: (offered & wanted) >>> 0,
    flags2: (offered2 & wanted2) >>> 0,
    maxReadahead,
    maxWrite: MAX_IO,
  };
}

/**
 * Reads INIT from a fresh device and answers it. Call it once, before any worker starts.
 * @returns what was agreed on; or, with `error`, why the session cannot be served
 */
export function handshake(channel: Channel, options: HandshakeOptions, log: Logger): Negotiated | HandshakeFailure {
  const buffer = new ArrayBuffer(65536);
  const bytes = new Uint8Array(buffer);
  const words = new Uint32Array(buffer);
  const body = InHeader.size >>> 2;
  for (;;) {
    const length = channel.read(bytes);
    if (length < 0) return { error: length, message: `reading the first request failed: ${errnoName(length)}` };
    if (length < InHeader.size + InitIn.size || words[InHeader.opcode >>> 2] !== Opcode.INIT) {
      answer(channel, words, -Errno.EIO, null, log);
      return { error: -Errno.EPROTO, message: 'the first request was not INIT' };
    }
    const major = words[body]!;
    if (major < KERNEL_VERSION) {
      answer(channel, words, -Errno.EPROTO, null, log);
      return { error: -Errno.EPROTO, message: `the kernel speaks FUSE protocol ${major}, ${KERNEL_VERSION} is needed` };
    }
    if (major > KERNEL_VERSION) {
      // The kernel asks again in the older version (linux/fuse.h, "Version negotiation").
      answer(channel, words, 0, { minor: KERNEL_MINOR, flags: 0, flags2: 0, maxReadahead: 0, maxWrite: MAX_IO }, log);
      continue;
    }
    const hasFlags2 = length >= InHeader.size + InitIn.flags2 + 4;
    const result = negotiate(
      words[body + (InitIn.minor >>> 2)]!,
      words[body + (InitIn.maxReadahead >>> 2)]!,
      words[body + (InitIn.flags >>> 2)]!,
      hasFlags2 ? words[body + (InitIn.flags2 >>> 2)]! : 0,
      options,
    );
    if ('error' in result) {
      answer(channel, words, result.error, null, log);
      return result;
    }
    const error = answer(channel, words, 0, result, log);
    return error < 0 ? { error, message: `answering INIT failed: ${errnoName(error)}` } : result;
  }
}

function answer(channel: Channel, request: Uint32Array, error: number, negotiated: Negotiated | null, log: Logger): number {
  const length = OutHeader.size + (negotiated === null ? 0 : InitReply.size);
  const reply = new DataView(new ArrayBuffer(length));
  reply.setUint32(OutHeader.len, length, true);
  reply.setInt32(OutHeader.error, error, true);
  reply.setUint32(OutHeader.unique, request[InHeader.unique >>> 2]!, true);
  reply.setUint32(OutHeader.unique + 4, request[(InHeader.unique >>> 2) + 1]!, true);
  if (negotiated !== null) {
    const at = OutHeader.size;
    reply.setUint32(at + InitReply.major, KERNEL_VERSION, true);
    reply.setUint32(at + InitReply.minor, negotiated.minor, true);
    reply.setUint32(at + InitReply.maxReadahead, negotiated.maxReadahead, true);
    reply.setUint32(at + InitReply.flags, negotiated.flags, true);
    reply.setUint16(at + InitReply.maxBackground, MAX_BACKGROUND, true);
    reply.setUint16(at + InitReply.congestionThreshold, CONGESTION_THRESHOLD, true);
    reply.setUint32(at + InitReply.maxWrite, negotiated.maxWrite, true);
    // Nanoseconds.
    reply.setUint32(at + InitReply.timeGran, 1, true);
    reply.setUint16(at + InitReply.maxPages, MAX_PAGES, true);
    reply.setUint32(at + InitReply.flags2, negotiated.flags2, true);
  }
  const result = channel.write(new Uint8Array(reply.buffer), length);
  if (result < 0) log.warn(`fuse: answering INIT failed: ${errnoName(result)}`);
  return result;
}
