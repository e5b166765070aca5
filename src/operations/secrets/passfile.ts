/** A password from the first lines of files (behaviour.md 3.4). */

import fs from 'node:fs';
import { fsPath } from '../../base/byte-text.ts';
import { AegisError } from '../../base/errors.ts';
import type { Logger } from '../../base/log.ts';
import { errnoText } from '../errno-text.ts';
import { MAX_PASSWORD_LEN, takeSecret } from './read-line.ts';

const LINE_FEED = 10;

/** Joins the first line of each file. @throws AegisError `read-password` */
export function readPassfiles(files: readonly string[], log: Logger): Uint8Array {
  const lines = files.map((file) => readPassfile(file, log));
  const joined = new Uint8Array(lines.reduce((total, line) => total + line.length, 0));
  let at = 0;
  for (const line of lines) {
    joined.set(line, at);
    at += line.length;
    line.fill(0);
  }
  return joined;
}

function readPassfile(file: string, log: Logger): Uint8Array {
  log.info(`passfile: reading from file "${file}"`);
  let fd: number;
  try {
    fd = fs.openSync(fsPath(file), 'r');
  } catch (error) {
    throw new AegisError('read-password', `fatal: passfile: could not open "${file}": open ${file}: ${errnoText(error)}`);
  }
  // Room for the longest line, its line feed, and one byte that shows whether more follows.
  const buffer = new Uint8Array(MAX_PASSWORD_LEN + 2);
  try {
    const length = readUntilLine(fd, buffer, file);
    const end = buffer.subarray(0, length).indexOf(LINE_FEED);
    const lineLength = end < 0 ? length : end;
    if (length === 0) {
      throw new AegisError('read-password', `fatal: passfile: could not read from "${file}": EOF`);
    }
    if (lineLength === 0) {
      throw new AegisError('read-password', `fatal: passfile: empty first line in "${file}"`);
    }
    if (lineLength > MAX_PASSWORD_LEN) {
      throw new AegisError('read-password', `fatal: passfile: max password length (${MAX_PASSWORD_LEN} bytes) exceeded`);
    }
    if (length > lineLength + 1) {
      log.warn('warning: passfile: ignoring trailing garbage after first line');
    }
    return takeSecret(buffer, lineLength);
  } finally {
    buffer.fill(0);
    fs.closeSync(fd);
  }
}

/** Fills the buffer until it holds a line feed, is full, or the file ends; a pipe may deliver in pieces. */
function readUntilLine(fd: number, buffer: Uint8Array, file: string): number {
  let length = 0;
  try {
    while (length < buffer.length) {
      const got = fs.readSync(fd, buffer, length, buffer.length - length, null);
      length += got;
      if (got === 0 || buffer.subarray(length - got, length).includes(LINE_FEED)) {
        break;
      }
    }
  } catch (error) {
    throw new AegisError('read-password', `fatal: passfile: could not read from "${file}": read ${file}: ${errnoText(error)}`);
  }
  return length;
}
