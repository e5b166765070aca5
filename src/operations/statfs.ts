/** The figures of the filesystem below a path (behaviour.md 10.2). */
import { bytesOfText } from '../base/byte-text.ts';
import { errnoName } from '../base/errno.ts';
import { AegisError } from '../base/errors.ts';
import { openat } from '../sys/at.ts';
import { AT_FDCWD, O_PATH } from '../sys/constants.ts';
import { close } from '../sys/files.ts';
import { fstatfs, STATFS_FIELDS, Statfs } from '../sys/stat.ts';
import { textOfErrnoName } from './errno-text.ts';

/** struct statfs of statfs(2), with the field names that scripts for gocryptfs's tool know. */
export interface StatfsReport {
  readonly Type: number;
  readonly Bsize: number;
  readonly Blocks: number;
  readonly Bfree: number;
  readonly Bavail: number;
  readonly Files: number;
  readonly Ffree: number;
  readonly Fsid: { readonly Val: readonly [number, number] };
  readonly Namelen: number;
  readonly Frsize: number;
  readonly Flags: number;
  /** The kernel has always filled these with zeros. */
  readonly Spare: readonly [0, 0, 0, 0];
}

/** Asks the kernel; a symlink is followed. @throws AegisError `other` with the text of the errno */
export function readStatfs(path: string): StatfsReport {
  const figures = new Float64Array(STATFS_FIELDS);
  const fd = openat(AT_FDCWD, bytesOfText(`${path}\0`), 0, O_PATH, 0);
  const result = fd < 0 ? fd : fstatfs(fd, figures);
  if (fd >= 0) {
    close(fd);
  }
  if (result < 0) {
    throw new AegisError('other', textOfErrnoName(errnoName(result)));
  }
  const figure = (field: number): number => figures[field] ?? 0;
  return {
    Type: figure(Statfs.type),
    Bsize: figure(Statfs.bsize),
    Blocks: figure(Statfs.blocks),
    Bfree: figure(Statfs.bfree),
    Bavail: figure(Statfs.bavail),
    Files: figure(Statfs.files),
    Ffree: figure(Statfs.ffree),
    Fsid: { Val: [figure(Statfs.fsid0), figure(Statfs.fsid1)] },
    Namelen: figure(Statfs.namelen),
    Frsize: figure(Statfs.frsize),
    Flags: figure(Statfs.flags),
    Spare: [0, 0, 0, 0],
  };
}
