/** Reading and writing the configuration file (format.md 4.6, behaviour.md 4.2). */

import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { fsPath } from '../base/byte-text.ts';
import { AegisError } from '../base/errors.ts';
import type { Logger } from '../base/log.ts';
import { errnoText } from './errno-text.ts';

export const CONFIG_NAME = 'gocryptfs.conf';
export const REVERSE_CONFIG_NAME = '.gocryptfs.reverse.conf';
const CONFIG_MODE = 0o400;
/** Far above any real configuration; stops at a device that never ends. */
const MAX_CONFIG_BYTES = 1 << 20;

/** Where the configuration lies if `-config` does not say (behaviour.md 1.5 step 13). */
export function defaultConfigPath(cipherdir: string, reverse: boolean): string {
  return path.join(cipherdir, reverse ? REVERSE_CONFIG_NAME : CONFIG_NAME);
}

/**
 * Reads the file once, front to back, without seeking: it may be a pipe or /dev/fd/N.
 * @throws AegisError `config-open` or `config-empty`
 */
export function readConfigFile(file: string): Buffer {
  const chunks: Buffer[] = [];
  let total = 0;
  let fd: number | undefined;
  try {
    fd = fs.openSync(fsPath(file), 'r');
    for (;;) {
      const chunk = Buffer.alloc(16384);
      const got = fs.readSync(fd, chunk, 0, chunk.length, null);
      if (got === 0) {
        break;
      }
      total += got;
      if (total > MAX_CONFIG_BYTES) {
        throw new AegisError('config-open', `open ${file}: larger than ${MAX_CONFIG_BYTES} bytes, not a config file`);
      }
      chunks.push(chunk.subarray(0, got));
    }
  } catch (error) {
    if (error instanceof AegisError) {
      throw error;
    }
    throw new AegisError('config-open', `${fd === undefined ? 'open' : 'read'} ${file}: ${errnoText(error)}`);
  } finally {
    if (fd !== undefined) {
      fs.closeSync(fd);
    }
  }
  if (total === 0) {
    throw new AegisError('config-empty', 'config file is empty');
  }
  return Buffer.concat(chunks);
}

/**
 * Writes the file so that at every moment either the old or the new content is complete: temporary file, fsync, rename.
 * A temporary file that somebody else has left is not touched; one of our own goes when it cannot be completed.
 * @throws AegisError `config-write`
 */
export function writeConfigFile(file: string, text: string, log: Logger): void {
  const temporary = `${file}.tmp`;
  const fd = attempt('open', temporary, () =>
    fs.openSync(fsPath(temporary), fs.constants.O_WRONLY | fs.constants.O_CREAT | fs.constants.O_EXCL, CONFIG_MODE),
  );
  try {
    try {
      attempt('write', temporary, () => fs.writeFileSync(fd, text));
      syncOrWarn(fd, log);
    } finally {
      attempt('close', temporary, () => fs.closeSync(fd));
    }
    attempt('rename', temporary, () => fs.renameSync(fsPath(temporary), fsPath(file)));
  } catch (error) {
    // Left behind, it would stand in the way of the next try for ever.
    fs.rmSync(fsPath(temporary), { force: true });
    throw error;
  }
  syncDirectory(path.dirname(file));
}

/** Runs one step of the writing; its failure becomes `config-write`. */
function attempt<T>(step: string, file: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    throw new AegisError('config-write', `${step} ${file}: ${errnoText(error)}`);
  }
}

/** Some filesystems cannot sync one file; then everything is synced. */
function syncOrWarn(fd: number, log: Logger): void {
  try {
    fs.fsyncSync(fd);
  } catch (error) {
    log.warn(`Warning: fsync failed: ${errnoText(error)}`);
    // Node has no sync(2).
    spawnSync('sync', []);
  }
}

/** Makes the rename durable where the filesystem can do that; where it cannot, the file itself is complete already. */
function syncDirectory(directory: string): void {
  let fd: number | undefined;
  try {
    fd = fs.openSync(fsPath(directory), 'r');
    fs.fsyncSync(fd);
  } catch {
    // Not supported here.
  } finally {
    if (fd !== undefined) {
      fs.closeSync(fd);
    }
  }
}
