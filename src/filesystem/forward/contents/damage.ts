/** What is said about contents that cannot be decrypted (behaviour.md 6.10). */

import { isZero, toHex } from '../../../base/bytes.ts';
import { Errno } from '../../../base/errno.ts';
import { describeCorruptHeader, HeaderState, headerState } from '../../../vault/contents/header.ts';
import { type ContentLayout, HEADER_LEN, SizeDefect } from '../../../vault/contents/layout.ts';
import type { Workspace } from './workspace.ts';

/** Bytes of a corrupt file that are shown with the warning, at most. */
const DUMP_LEN = 100;

/** Shortest nonce and tag lengths are fixed for all ciphers: the overhead is the nonce and a tag of 16 bytes. */
const TAG_LEN = 16;

/** What a ciphertext size says against a file, or null if it is a possible one (behaviour.md 6.6). */
export function describeSizeDefect(layout: ContentLayout, size: number): string | null {
  const defect = layout.sizeDefect(size);
  if (defect === SizeDefect.None) return null;
  if (defect === SizeDefect.TooShort) return `cipherSize ${size} < header size ${HEADER_LEN}: corrupt file`;
  const rest = layout.lastBlockBytes(size);
  return `cipherSize ${size}: incomplete last block (${rest} bytes), padding to ${size - rest + layout.overhead + 1} bytes`;
}

/** Logs a block that does not open; `buf` holds its `len` stored bytes at `off`. @returns −EIO */
export function corruptBlock(
  ws: Pick<Workspace, 'log' | 'overhead' | 'inoText'>,
  what: string,
  file: number,
  blockNo: number,
  buf: Uint8Array,
  off: number,
  len: number,
): number {
  const nonceLen = ws.overhead - TAG_LEN;
  let detail = 'authentication failed';
  if (len < nonceLen) detail = `block is too short: ${len} bytes, the nonce alone has ${nonceLen}`;
  else if (isZero(buf, off, nonceLen)) detail = 'all-zero nonce';
  else if (len < ws.overhead) detail = `block is too short to authenticate: ${len} bytes`;
  ws.log.warn(`${what} ${ws.inoText(file)}: corrupt block #${blockNo}: ${detail}`);
  return -Errno.EIO;
}

/**
 * Judges the first `len` bytes of a file, at `off` of the run buffer, and copies a good file ID to the workspace and the open-file table.
 * Warns about bad headers. Needs the content lock, shared is enough.
 */
export function takeHeader(ws: Workspace, what: string, file: number, len: number): HeaderState {
  const state = headerState(ws.cipher, 0, len);
  if (state === HeaderState.Ok) {
    ws.openFiles.setFileID(file, ws.cipher, 2);
    for (let i = 0; i < ws.fileID.length; i++) ws.fileID[i] = ws.cipher[2 + i]!;
  }
  warnAboutHeader(ws, what, file, state, len);
  return state;
}

/** Logs an incomplete or corrupt header; the first `len` bytes of the file are at the start of the run buffer. */
export function warnAboutHeader(
  ws: Pick<Workspace, 'log' | 'inoText' | 'cipher'>,
  what: string,
  file: number,
  state: HeaderState,
  len: number,
): void {
  if (state === HeaderState.Incomplete) {
    ws.log.warn(`readFileID ${ws.inoText(file)}: incomplete file, got ${len} instead of ${HEADER_LEN + 1} bytes`);
  } else if (state === HeaderState.Corrupt) {
    ws.log.warn(`${what} ${ws.inoText(file)}: corrupt header: ${describeCorruptHeader(ws.cipher, 0)}`);
    ws.log.warn(`${what} ${ws.inoText(file)}: file starts with ${toHex(ws.cipher, 0, Math.min(len, DUMP_LEN))}`);
  }
}
