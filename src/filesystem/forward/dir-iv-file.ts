import { asciiBytes } from '../../base/bytes.ts';
import { Errno } from '../../base/errno.ts';
import { openat, unlinkat } from '../../sys/at.ts';
import { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } from '../../sys/constants.ts';
import { close, pread, pwrite } from '../../sys/files.ts';
import { DIR_IV_LEN, DIR_IV_NAME, isDirIV } from '../../vault/names/rules.ts';

/** `gocryptfs.diriv` with its NUL, as system calls take it. */
export const DIR_IV_PATH = asciiBytes(`${DIR_IV_NAME}\0`);
/** Room that `readDirIV` needs, bytes: one more than an IV, to notice a longer file. */
export const DIR_IV_ROOM = DIR_IV_LEN + 1;
const DIR_IV_MODE = 0o444;

/**
 * Reads the IV of an open directory to dst (format.md 8.4).
 * @returns 0; −EIO for a file that is no IV; else what opening or reading gave (−ENOENT: there is none)
 */
export function readDirIV(dirFd: number, dst: Uint8Array): number {
  // Not blocking: a FIFO in its place must not stop the worker.
  const fd = openat(dirFd, DIR_IV_PATH, 0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
  if (fd < 0) return fd === -Errno.ELOOP ? -Errno.EIO : fd;
  const len = pread(fd, dst, 0, DIR_IV_ROOM, 0);
  close(fd);
  if (len < 0) return len === -Errno.EISDIR || len === -Errno.ESPIPE ? -Errno.EIO : len;
  return isDirIV(dst, 0, len) ? 0 : -Errno.EIO;
}

/** Creates the IV file of a new directory; nothing is left of it on failure. @returns 0 or a negated errno */
export function writeDirIV(dirFd: number, iv: Uint8Array): number {
  const fd = openat(dirFd, DIR_IV_PATH, 0, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, DIR_IV_MODE);
  if (fd < 0) return fd;
  const written = pwrite(fd, iv, 0, DIR_IV_LEN, 0);
  const closed = close(fd);
  const result = written < 0 ? written : written < DIR_IV_LEN ? -Errno.ENOSPC : closed;
  if (result < 0) unlinkat(dirFd, DIR_IV_PATH, 0, 0);
  return Math.min(0, result);
}
