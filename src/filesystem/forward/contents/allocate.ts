import { Errno } from '../../../base/errno.ts';
import { Notice } from '../../../shared/open-files.ts';
import { FALLOC_FL_KEEP_SIZE } from '../../../sys/constants.ts';
import { BLOCK_SIZE } from '../../../vault/contents/layout.ts';
import type { Truncator } from './truncate.ts';
import type { Workspace } from './workspace.ts';

/**
 * fallocate (behaviour.md 6.12): reserves the stored bytes of a plaintext range; mode 0 also grows the file to its end. Content stays.
 * Needs the exclusive content lock. @returns 0 or a negated errno, −EOPNOTSUPP for every other mode
 */
export function allocate(ws: Workspace, truncator: Truncator, fd: number, file: number, mode: number, off: number, len: number): number {
  if (mode !== 0 && mode !== FALLOC_FL_KEEP_SIZE) {
    if (ws.openFiles.claimNotice(Notice.FallocateMode)) ws.log.info('fallocate: only mode 0 (default) and 1 (keep size) are supported');
    return -Errno.EOPNOTSUPP;
  }
  if (off < 0 || len <= 0) return -Errno.EINVAL;
  const end = off + len;
  if (!(ws.layout.plainToCipher(end) <= Number.MAX_SAFE_INTEGER)) return -Errno.EFBIG;
  const start = ws.layout.blockCipherOffset(ws.layout.blockNo(off));
  const last = ws.layout.blockNo(end - 1);
  const stored = ws.layout.blockCipherOffset(last) - start + ws.overhead + (end - last * BLOCK_SIZE);
  const result = ws.fallocate(fd, FALLOC_FL_KEEP_SIZE, start, stored);
  if (result < 0) return result === -Errno.EOPNOTSUPP ? result : ws.backingError('fallocate', file, result);
  return mode === 0 ? truncator.growTo(fd, file, end) : 0;
}
