import { copyBytes } from '../../base/bytes.ts';
import { Errno, errnoName } from '../../base/errno.ts';
import { openat, unlinkat } from '../../sys/at.ts';
import { O_CREAT, O_EXCL, O_NOFOLLOW, O_NONBLOCK, O_RDONLY, O_WRONLY } from '../../sys/constants.ts';
import { close, pread, pwrite } from '../../sys/files.ts';
import type { DiskName } from '../../vault/names/disk-name.ts';
import { appendNameSuffix, isNameFileSize } from '../../vault/names/long-name.ts';
import { MAX_CIPHER_NAME_LEN } from '../../vault/names/rules.ts';
import type { ForwardContext } from './context.ts';

const NAME_FILE_MODE = 0o444;
/** Room that `readNameFile` needs, bytes: one more than the longest name, to notice a longer file. */
export const NAME_FILE_ROOM = MAX_CIPHER_NAME_LEN + 1;

/** Longest backing name a listing can bring up, with `.name` and a NUL behind it, bytes. */
const path = new Uint8Array(272);

/**
 * Creates the `.name` file of a long name before its object is made (behaviour.md 6.4). Nothing is left of it on failure.
 * @returns 0; −EEXIST if there is one
 */
export function createNameFile(ctx: ForwardContext, dirFd: number, name: DiskName): number {
  const fd = openat(dirFd, name.buf, name.nameFileOff, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, NAME_FILE_MODE);
  if (fd < 0) return fd;
  const written = pwrite(fd, name.buf, name.textOff, name.textLen, 0);
  const closed = close(fd);
  const result = written < 0 ? written : written < name.textLen ? -Errno.ENOSPC : closed;
  if (result >= 0) return 0;
  unlinkat(dirFd, name.buf, name.nameFileOff, 0);
  if (result !== -Errno.ENOSPC && result !== -Errno.EDQUOT) ctx.log.warn(`WriteLongName: ${nameFileText(name)}: ${errnoName(result)}`);
  return result;
}

/** Removes the `.name` file of a long name whose object is gone or was never made. @returns 0 or a negated errno, after a warning */
export function removeNameFile(ctx: ForwardContext, dirFd: number, name: DiskName): number {
  const result = unlinkat(dirFd, name.buf, name.nameFileOff, 0);
  if (result < 0) ctx.log.warn(`DeleteLongNameAt: ${nameFileText(name)}: ${errnoName(result)}`);
  return result;
}

/** Reads the encrypted name that belongs to a hashed one into dst. @returns its length; −EIO for a size that cannot be, or what the calls gave */
export function readNameFile(dirFd: number, hashed: Uint8Array, off: number, len: number, dst: Uint8Array): number {
  copyBytes(hashed, off, path, 0, len);
  appendNameSuffix(path, 0, len);
  const fd = openat(dirFd, path, 0, O_RDONLY | O_NOFOLLOW | O_NONBLOCK, 0);
  if (fd < 0) return fd;
  const got = pread(fd, dst, 0, NAME_FILE_ROOM, 0);
  close(fd);
  if (got < 0) return got;
  return isNameFileSize(got) ? got : -Errno.EIO;
}

function nameFileText(name: DiskName): string {
  return Buffer.from(name.buf.subarray(name.nameFileOff, name.nameFileOff + name.nameFileLen)).toString('latin1');
}
