import type { NativeCrypto, NativeSys } from '../../../native.ts';
import { fallocate, ftruncate } from '../../../sys/allocate.ts';
import { close, dup, fsync, pread, pwrite } from '../../../sys/files.ts';
import { lseek } from '../../../sys/holes.ts';
import { fstat } from '../../../sys/stat.ts';

/** The system calls that file contents are made of; a test may put its own in between. */
export type ContentsSys = Pick<NativeSys, 'pread' | 'pwrite' | 'fstat' | 'ftruncate' | 'fallocate' | 'lseek' | 'fsync' | 'dup' | 'close'>;

/** The two kernel calls that file contents are made of. */
export type ContentsCrypto = Pick<NativeCrypto, 'sealRun' | 'openRun'>;

/** The real system calls. */
export const contentsSys: ContentsSys = { pread, pwrite, fstat, ftruncate, fallocate, lseek, fsync, dup, close };
