/** The directories between the root and the object at hand. */
import { asciiBytes } from '../../base/bytes.ts';
import { Errno } from '../../base/errno.ts';
import { openat } from '../../sys/at.ts';
import { O_DIRECTORY, O_NOFOLLOW, O_RDONLY } from '../../sys/constants.ts';
import { close } from '../../sys/files.ts';
import { fstat, STAT_FIELDS, Stat } from '../../sys/stat.ts';

/** Innermost directories that are kept open; the others are opened again on the way back. */
const MAX_OPEN = 64;
const CLOSED = -1;
const PARENT_PATH = asciiBytes('..\0');

/** One directory whose entries are being checked. */
export interface Level {
  fd: number;
  /** See Listing; sorted. */
  readonly entries: readonly string[];
  /** Index of the entry to be checked next. */
  next: number;
  readonly stat: Float64Array;
}

/** A stack of directories that uses a bounded number of descriptors, however deep the tree is. */
export class Levels {
  readonly #levels: Level[] = [];
  readonly #stat = new Float64Array(STAT_FIELDS);

  /** The innermost directory. */
  top(): Level | undefined {
    return this.#levels[this.#levels.length - 1];
  }

  /** Goes down into an open directory, which belongs to the stack from here on. @returns 0 or a negated errno */
  push(fd: number, entries: readonly string[]): number {
    const stat = new Float64Array(STAT_FIELDS);
    const result = fstat(fd, stat);
    if (result < 0) return result;
    this.#levels.push({ fd, entries, next: 0, stat });
    const far = this.#levels[this.#levels.length - 1 - MAX_OPEN];
    if (far !== undefined) shut(far);
    return 0;
  }

  /** Goes back up. @returns 0; −ESTALE if the directory above is not the one we came from, its other entries are out of reach then */
  pop(): number {
    const level = this.#levels.pop();
    const parent = this.top();
    let result = 0;
    if (level !== undefined && parent !== undefined && parent.fd === CLOSED) result = this.#reopen(level.fd, parent);
    if (level !== undefined) shut(level);
    return result;
  }

  /** Closes everything. */
  close(): void {
    for (const level of this.#levels) shut(level);
    this.#levels.length = 0;
  }

  #reopen(childFd: number, parent: Level): number {
    const fd = openat(childFd, PARENT_PATH, 0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
    if (fd < 0) return fd;
    const result = fstat(fd, this.#stat);
    if (result === 0 && isSameObject(this.#stat, parent.stat)) {
      parent.fd = fd;
      return 0;
    }
    close(fd);
    return result < 0 ? result : -Errno.ESTALE;
  }
}

function shut(level: Level): void {
  if (level.fd === CLOSED) return;
  close(level.fd);
  level.fd = CLOSED;
}

function isSameObject(a: Float64Array, b: Float64Array): boolean {
  return a[Stat.dev] === b[Stat.dev] && a[Stat.inoLo] === b[Stat.inoLo] && a[Stat.inoHi] === b[Stat.inoHi];
}
