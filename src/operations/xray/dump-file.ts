/** What an encrypted file looks like from outside: its header and blocks, without any key (behaviour.md 10.1, format.md 7). */

import fs from 'node:fs';
import { fsPath } from '../../base/byte-text.ts';
import { isZero, readBE16, toHex } from '../../base/bytes.ts';
import { CIPHERS, type CipherRow } from '../../crypto/registry.ts';
import { FILE_ID_OFF, FORMAT_VERSION } from '../../vault/contents/header.ts';
import { BLOCK_SIZE, FILE_ID_LEN, HEADER_LEN } from '../../vault/contents/layout.ts';
import { errnoText } from '../errno-text.ts';

/** One stored block; offset and length in ciphertext bytes, nonce and tag included. */
export interface BlockReport {
  readonly number: number;
  readonly nonce: string;
  readonly tag: string;
  readonly offset: number;
  readonly length: number;
}

/** Takes what is found, in the order of the file; hexadecimal texts in lower case. */
export interface DumpEvents {
  header(version: number, fileID: string, cipherName: string): void;
  block(block: BlockReport): void;
}

/** How a dump ended. `too-short`: not even a header. */
export type DumpEnd =
  | { readonly kind: 'complete' | 'empty' }
  | { readonly kind: 'damaged' | 'too-short' | 'unreadable'; readonly message: string };

/** The cipher of an option name without dash, null for the default; the file does not tell it. */
export function layoutOfOption(option: string | null): CipherRow {
  const row = CIPHERS.find((candidate) => candidate.option === option);
  if (row === undefined) {
    throw new Error(`no cipher has the option "${option}"`);
  }
  return row;
}

/** Reads a file from front to back, in pieces of one block. */
export function dumpFile(file: string, cipher: CipherRow, events: DumpEvents): DumpEnd {
  let fd: number;
  try {
    fd = fs.openSync(fsPath(file), 'r');
  } catch (error) {
    return { kind: 'unreadable', message: `open ${file}: ${errnoText(error)}` };
  }
  try {
    return dumpHeader(fd, cipher, events) ?? dumpBlocks(fd, cipher, events);
  } catch (error) {
    return { kind: 'unreadable', message: `read ${file}: ${errnoText(error)}` };
  } finally {
    fs.closeSync(fd);
  }
}

function dumpHeader(fd: number, cipher: CipherRow, events: DumpEvents): DumpEnd | undefined {
  const header = new Uint8Array(HEADER_LEN);
  const length = readFully(fd, header);
  if (length === 0) {
    return { kind: 'empty' };
  }
  if (length < HEADER_LEN) {
    return { kind: 'too-short', message: `incomplete file header: read ${length} bytes, want ${HEADER_LEN}` };
  }
  const problem = headerProblem(header);
  if (problem !== undefined) {
    return { kind: 'damaged', message: `ParseHeader: ${problem}. Header hexdump: ${toHex(header)}` };
  }
  events.header(readBE16(header, 0), toHex(header, FILE_ID_OFF, FILE_ID_LEN), cipher.displayName);
  return undefined;
}

function headerProblem(header: Uint8Array): string | undefined {
  if (isZero(header, 0, HEADER_LEN)) {
    return 'header is all-zero';
  }
  const version = readBE16(header, 0);
  if (version !== FORMAT_VERSION) {
    return `invalid version, want=${FORMAT_VERSION} have=${version}`;
  }
  return isZero(header, FILE_ID_OFF, FILE_ID_LEN) ? 'file id is all-zero' : undefined;
}

function dumpBlocks(fd: number, cipher: CipherRow, events: DumpEvents): DumpEnd {
  const { nonceLen, tagLen } = cipher;
  const block = new Uint8Array(nonceLen + BLOCK_SIZE + tagLen);
  let offset = HEADER_LEN;
  for (let number = 0; ; number += 1) {
    const length = readFully(fd, block);
    if (length === 0) {
      return { kind: 'complete' };
    }
    if (length <= nonceLen + tagLen) {
      return { kind: 'damaged', message: `corrupt block: truncated data, len=${length}` };
    }
    // AES-SIV puts the tag before the ciphertext, all others behind it (format.md 6).
    const tagAt = cipher.id === 'aes-siv' ? nonceLen : length - tagLen;
    events.block({ number, nonce: toHex(block, 0, nonceLen), tag: toHex(block, tagAt, tagLen), offset, length });
    offset += length;
  }
}

/** Fills the array unless the file ends before; a pipe may deliver in pieces. */
function readFully(fd: number, into: Uint8Array): number {
  let length = 0;
  while (length < into.length) {
    const got = fs.readSync(fd, into, length, into.length - length, null);
    if (got === 0) {
      break;
    }
    length += got;
  }
  return length;
}
