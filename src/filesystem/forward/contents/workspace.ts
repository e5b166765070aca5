import { Errno, errnoName } from '../../../base/errno.ts';
import type { Logger } from '../../../base/log.ts';
import type { Handles } from '../../../shared/handles.ts';
import type { OpenFiles } from '../../../shared/open-files.ts';
import { STAT_FIELDS, Stat } from '../../../sys/stat.ts';
import { BLOCK_SIZE, ContentLayout, FILE_ID_LEN, HEADER_LEN } from '../../../vault/contents/layout.ts';
import type { VaultParameters } from '../../../vault/parameters.ts';
import type { ForwardOptions } from '../../options.ts';
import { SlowCallKind, type SlowCalls } from '../slow-calls.ts';
import type { ContentsCrypto, ContentsSys } from './calls.ts';

/** Longest read or write, bytes: the largest request of the FUSE session (behaviour.md 11.1). */
export const MAX_REQUEST = 1 << 20;

/** The part of ForwardContext that file contents need. */
export interface ContentsContext {
  readonly parameters: VaultParameters;
  readonly options: Pick<ForwardOptions, 'noPrealloc'>;
  readonly log: Logger;
  readonly openFiles: OpenFiles;
  readonly handles: Handles;
  readonly slowCalls: SlowCalls;
}

/** Buffers and fixed facts of one worker thread; every request uses the same ones, so nothing in here outlives a request. */
export class Workspace {
  readonly sys: ContentsSys;
  readonly log: Logger;
  readonly openFiles: OpenFiles;
  readonly layout: ContentLayout;
  /** Stored size of a full block, bytes. */
  readonly cipherBlockSize: number;
  readonly overhead: number;
  readonly noPrealloc: boolean;
  /** A header and the stored form of every block that a request can touch. */
  readonly cipher: Uint8Array;
  /** Plaintext of a partly wanted or partly written first block. */
  readonly head = new Uint8Array(BLOCK_SIZE);
  /** The same for the last block. */
  readonly tail = new Uint8Array(BLOCK_SIZE);
  /** File ID of the file at hand. A copy, because the shared one may be forgotten once the content lock is gone. */
  readonly fileID = new Uint8Array(FILE_ID_LEN);
  readonly stat = new Float64Array(STAT_FIELDS);
  private readonly crypto: ContentsCrypto;
  private readonly key: number;
  private readonly slowCalls: SlowCalls;

  constructor(ctx: ContentsContext, sys: ContentsSys, crypto: ContentsCrypto) {
    this.sys = sys;
    this.crypto = crypto;
    this.log = ctx.log;
    this.openFiles = ctx.openFiles;
    this.key = ctx.parameters.contentKey;
    this.layout = new ContentLayout(ctx.parameters.overhead);
    this.cipherBlockSize = this.layout.cipherBlockSize;
    this.overhead = ctx.parameters.overhead;
    this.noPrealloc = ctx.options.noPrealloc;
    this.slowCalls = ctx.slowCalls;
    this.cipher = new Uint8Array(HEADER_LEN + (MAX_REQUEST / BLOCK_SIZE + 1) * this.cipherBlockSize);
  }

  /** pread with the slow-call announcement. A short count means end of file. */
  pread(fd: number, dst: Uint8Array, off: number, len: number, fileOff: number): number {
    this.slowCalls.before(SlowCallKind.Read);
    const got = this.sys.pread(fd, dst, off, len, fileOff);
    this.slowCalls.after(SlowCallKind.Read);
    return got;
  }

  /** pwrite with the slow-call announcement; may come back short. */
  pwrite(fd: number, src: Uint8Array, off: number, len: number, fileOff: number): number {
    this.slowCalls.before(SlowCallKind.Write);
    const done = this.sys.pwrite(fd, src, off, len, fileOff);
    this.slowCalls.after(SlowCallKind.Write);
    return done;
  }

  /** fallocate with the slow-call announcement. */
  fallocate(fd: number, mode: number, fileOff: number, len: number): number {
    this.slowCalls.before(SlowCallKind.Allocate);
    const result = this.sys.fallocate(fd, mode, fileOff, len);
    this.slowCalls.after(SlowCallKind.Allocate);
    return result;
  }

  /** fsync with the slow-call announcement. */
  fsync(fd: number): number {
    this.slowCalls.before(SlowCallKind.Sync);
    const result = this.sys.fsync(fd);
    this.slowCalls.after(SlowCallKind.Sync);
    return result;
  }

  /** Ciphertext size from the file itself, bytes, or a negated errno. */
  statSize(fd: number): number {
    const result = this.sys.fstat(fd, this.stat);
    return result < 0 ? result : this.stat[Stat.size]!;
  }

  /** sealRun with the key of the vault and the file ID at hand. @returns bytes written to dst */
  seal(src: Uint8Array, srcOff: number, len: number, dst: Uint8Array, dstOff: number, firstBlockNo: number): number {
    return this.crypto.sealRun(this.key, src, srcOff, len, dst, dstOff, this.fileID, 0, firstBlockNo);
  }

  /** openRun with the key of the vault and the file ID at hand. @returns plaintext bytes, or −(1 + index of the first bad block) */
  open(src: Uint8Array, srcOff: number, len: number, dst: Uint8Array, dstOff: number, firstBlockNo: number): number {
    return this.crypto.openRun(this.key, src, srcOff, len, dst, dstOff, this.fileID, 0, firstBlockNo);
  }

  /** Number of the backing inode as text, for log lines. */
  inoText(file: number): string {
    return ((BigInt(this.openFiles.inoHi(file)) << 32n) | BigInt(this.openFiles.inoLo(file))).toString();
  }

  /** Logs a failed call on the backing file and passes its negated errno on. Running out of space is nobody's fault (behaviour.md 13.2). */
  backingError(what: string, file: number, negatedErrno: number): number {
    if (negatedErrno !== -Errno.ENOSPC) this.log.warn(`${what} ${this.inoText(file)}: backing store: ${errnoName(negatedErrno)}`);
    return negatedErrno;
  }
}
