/** The directories between the root and the object at hand. */
import { asciiBytes } from '../../base/bytes.ts';
import { Errno } from '../../base/errno.ts';
import { openat } from '../../sys/at.ts';
import { NAME_MAX, O_DIRECTORY, O_NOFOLLOW, O_RDONLY } from '../../sys/constants.ts';
import { close } from '../../sys/files.ts';
import { fstat, STAT_FIELDS, Stat } from '../../sys/stat.ts';

/** Innermost directories that are kept open, besides the root; the others are opened again on the way back. */
const MAX_OPEN = 64;
const CLOSED = -1;
const PARENT_PATH = asciiBytes('..\0');

/** One directory whose entries are being checked. */
export interface Level {
  fd: number;
  /** Backing name in the directory above, one character per byte; unused for the root. */
  readonly cName: string;
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
  readonly #path = Buffer.alloc(NAME_MAX + 1);

  /** The innermost directory. */
  top(): Level | undefined {
    return this.#levels[this.#levels.length - 1];
  }

  /** Goes down into an open directory, which belongs to the stack from here on. @returns 0 or a negated errno */
  push(fd: number, cName: string, entries: readonly string[]): number {
    const stat = new Float64Array(STAT_FIELDS);
    const result = fstat(fd, stat);
    if (result < 0) return result;
    this.#levels.push({ fd, cName, entries, next: 0, stat });
    const far = this.#levels.length - 1 - MAX_OPEN;
    if (far > 0) shut(this.#levels[far]!);
    return 0;
  }

  /**
   * Goes back up.
   * @returns 0, or a negated errno if the directory above cannot be found any more (−ESTALE: another one has its name); its other entries
   *   are out of reach then
   */
  pop(): number {
    const level = this.#levels.pop();
    const parent = this.top();
    if (level === undefined) return 0;
    let result = 0;
    if (parent !== undefined && parent.fd === CLOSED) {
      result = this.#open(parent, level.fd, PARENT_PATH);
      if (result < 0) result = this.#openFromRoot(parent);
    }
    shut(level);
    return result;
  }

  /** Closes everything. */
  close(): void {
    for (const level of this.#levels) shut(level);
    this.#levels.length = 0;
  }

  /** Opens a level again by its name in an open directory, and makes sure that it is the same. */
  #open(level: Level, dirFd: number, name: Uint8Array): number {
    const fd = openat(dirFd, name, 0, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
    if (fd < 0) return fd;
    const result = fstat(fd, this.#stat);
    if (result === 0 && isSameObject(this.#stat, level.stat)) {
      level.fd = fd;
      return 0;
    }
    close(fd);
    return result < 0 ? result : -Errno.ESTALE;
  }

  /** The long way, for when a directory below was moved, so that its ".." leads elsewhere. */
  #openFromRoot(target: Level): number {
    let passing: Level | null = null;
    let result = 0;
    for (let i = 1; result === 0 && target.fd === CLOSED; i++) {
      const level = this.#levels[i]!;
      const wasClosed = level.fd === CLOSED;
      if (wasClosed) {
        this.#path[this.#path.write(level.cName, 'latin1')] = 0;
        result = this.#open(level, this.#levels[i - 1]!.fd, this.#path);
      }
      if (passing !== null) shut(passing);
      passing = wasClosed && level !== target ? level : null;
    }
    return result;
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
