import { Errno } from '../../../base/errno.ts';
import { SEEK_DATA, SEEK_HOLE } from '../../../sys/constants.ts';
import { Stat } from '../../../sys/stat.ts';
import { BLOCK_SIZE, HEADER_LEN } from '../../../vault/contents/layout.ts';
import type { Workspace } from './workspace.ts';

/** Only with this unit do holes of the backing file start and end so that rounding to blocks is right (behaviour.md 6.12). */
const BACKING_BLOCK_SIZE = 4096;

/**
 * SEEK_DATA and SEEK_HOLE, answered from the holes of the backing file (format.md 7.9). Needs the content lock, shared is enough.
 * @returns plaintext offset; −ENXIO behind the end or the last data; −ENOSYS if the backing store counts in other units (the kernel then
 * takes the whole file for data)
 */
export function seek(ws: Workspace, fd: number, file: number, off: number, whence: number): number {
  if (whence !== SEEK_DATA && whence !== SEEK_HOLE) return -Errno.EINVAL;
  const cipherSize = ws.statSize(fd);
  if (cipherSize < 0) return ws.backingError('lseek: fstat', file, cipherSize);
  ws.openFiles.noteCipherSize(file, cipherSize);
  const unit = ws.stat[Stat.blksize]!;
  if (unit !== BACKING_BLOCK_SIZE) {
    ws.log.warn(`lseek ${ws.inoText(file)}: unusual block size ${unit} of the backing store, holes cannot be found`);
    return -Errno.ENOSYS;
  }
  const plainSize = ws.layout.cipherToPlain(cipherSize);
  if (off < 0 || off >= plainSize) return -Errno.ENXIO;

  const start = ws.layout.blockCipherOffset(ws.layout.blockNo(off));
  const found = ws.sys.lseek(fd, start, whence);
  if (found < 0) return found;
  if (found === start) return off;
  if (found >= cipherSize) return whence === SEEK_HOLE ? plainSize : -Errno.ENXIO;
  // A data block begins inside the backing block where data was found, a hole behind the one where the last data ends: round up.
  const plain = Math.ceil((found - HEADER_LEN) / ws.cipherBlockSize) * BLOCK_SIZE;
  if (plain < plainSize) return plain;
  return whence === SEEK_HOLE ? plainSize : -Errno.ENXIO;
}
