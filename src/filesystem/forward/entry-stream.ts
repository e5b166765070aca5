import { quoteNameAt } from '../../base/quote.ts';
import type { Handles } from '../../shared/handles.ts';
import { DIRENT_INO, DIRENT_NAME, DIRENT_OFF, DIRENT_RECLEN, DIRENT_TYPE } from '../../sys/constants.ts';
import { getdents64, seekdir } from '../../sys/files.ts';
import { SlowCallKind, type SlowCalls } from './slow-calls.ts';

/** Backing entries read at once, bytes. */
const BUFFER_LEN = 32768;
/** Stands for a descriptor position that is not known. */
const NOWHERE = 0xffffffff;

/**
 * The entries of a backing directory, one after the other. What a listing continues from is the cookie of the request, since requests of
 * one handle may come to different workers; entries read ahead serve the next request only if it comes to the same worker.
 */
export class EntryStream {
  /** Holds the record at hand. */
  readonly buffer = new Uint8Array(BUFFER_LEN);
  /** Name of the entry at hand in `buffer`, followed by a NUL byte. */
  nameAt = 0;
  nameLen = 0;
  /** Its inode number. */
  inoLo = 0;
  inoHi = 0;
  /** DT_* value. */
  type = 0;
  /** Cookie behind the entry at hand. */
  nextLo = 0;
  nextHi = 0;
  readonly #handles: Handles;
  readonly #slowCalls: SlowCalls;
  #handle = -1;
  /** Records read ahead: from #at to #end; the first one follows the cookie #cookie. */
  #at = 0;
  #end = 0;
  #cookieLo = 0;
  #cookieHi = 0;
  /** Which read of the handle's entries this is. */
  #fillNo = 0;

  constructor(handles: Handles, slowCalls: SlowCalls) {
    this.#handles = handles;
    this.#slowCalls = slowCalls;
  }

  /** Goes to a cookie of a handle; to the beginning (0) always anew, so that changes show. */
  start(handle: number, cookieLo: number, cookieHi: number): void {
    const isAhead = this.#handle === handle && this.#cookieLo === cookieLo && this.#cookieHi === cookieHi;
    // After another worker has read, this may be a new pass through the directory: what was read ahead belongs to the old one.
    if (isAhead && (cookieLo !== 0 || cookieHi !== 0) && this.#handles.isLastFill(handle, this.#fillNo)) return;
    this.#handle = handle;
    this.#at = 0;
    this.#end = 0;
    this.#cookieLo = cookieLo;
    this.#cookieHi = cookieHi;
  }

  /** Sets the fields to the entry at hand, reading on if need be. @returns 1; 0 at the end; or a negated errno */
  load(fd: number): number {
    if (this.#at >= this.#end) {
      const got = this.#fill(fd);
      if (got <= 0) return got;
    }
    const { buffer } = this;
    const at = this.#at;
    this.inoLo = u32(buffer, at + DIRENT_INO);
    this.inoHi = u32(buffer, at + DIRENT_INO + 4);
    this.nextLo = u32(buffer, at + DIRENT_OFF);
    this.nextHi = u32(buffer, at + DIRENT_OFF + 4);
    this.type = buffer[at + DIRENT_TYPE]!;
    this.nameAt = at + DIRENT_NAME;
    this.nameLen = buffer.indexOf(0, this.nameAt) - this.nameAt;
    return 1;
  }

  /** Leaves the entry at hand behind. */
  advance(): void {
    this.#cookieLo = this.nextLo;
    this.#cookieHi = this.nextHi;
    this.#at += recordLength(this.buffer, this.#at);
  }

  /** Name of the entry at hand, for messages. */
  nameText(): string {
    return quoteNameAt(this.buffer, this.nameAt, this.nameLen);
  }

  /** Reads the records behind the cookie. @returns their bytes, 0 at the end */
  #fill(fd: number): number {
    const handle = this.#handle;
    const handles = this.#handles;
    if (handles.positionLo(handle) !== this.#cookieLo || handles.positionHi(handle) !== this.#cookieHi) {
      const result = seekdir(fd, this.#cookieLo, this.#cookieHi);
      if (result < 0) return result;
    }
    this.#fillNo = handles.countFill(handle);
    this.#slowCalls.before(SlowCallKind.Directory);
    const got = getdents64(fd, this.buffer, 0, BUFFER_LEN);
    this.#slowCalls.after(SlowCallKind.Directory);
    this.#at = 0;
    this.#end = Math.max(0, got);
    if (got <= 0) {
      handles.setPosition(handle, NOWHERE, NOWHERE);
      return got;
    }
    let last = 0;
    for (let at = 0; at < got; at += recordLength(this.buffer, at)) last = at;
    handles.setPosition(handle, u32(this.buffer, last + DIRENT_OFF), u32(this.buffer, last + DIRENT_OFF + 4));
    return got;
  }
}

function u32(buf: Uint8Array, at: number): number {
  return (buf[at]! | (buf[at + 1]! << 8) | (buf[at + 2]! << 16) | (buf[at + 3]! << 24)) >>> 0;
}

function recordLength(buf: Uint8Array, at: number): number {
  return buf[at + DIRENT_RECLEN]! | (buf[at + DIRENT_RECLEN + 1]! << 8);
}
