/** What a check has found: the lines of behaviour.md 9, and their count. */
import { Errno, errnoName } from '../../base/errno.ts';
import { quoteName } from '../../base/quote.ts';
import { textOfErrnoName } from '../errno-text.ts';

/** Collects findings; each is printed at once, so that they are not lost if the check is ended. */
export class Findings {
  /** Findings that mean damage. */
  corrupt = 0;
  /** Findings that only say that this user may not look. */
  skipped = 0;
  /** Plaintext names from the root (which has none) to the object at hand, one character per byte. */
  readonly path: string[] = [];
  readonly #print: (line: string) => void;
  readonly #maySeeAll: boolean;

  /** @param maySeeAll - the check runs as root: a refused permission is then a problem of the store, not of the user */
  constructor(print: (line: string) => void, maySeeAll: boolean) {
    this.#print = print;
    this.#maySeeAll = maySeeAll;
  }

  /** Path of the object at hand, quoted. */
  quotedPath(): string {
    return quoteName(this.path.join('/'));
  }

  /** Something is damaged; `what` is the line without its beginning. */
  damaged(what: string): void {
    this.corrupt++;
    this.#print(`fsck: ${what}`);
  }

  /** Something is damaged, unless `negatedErrno` says that this user may not look. */
  suspect(what: string, negatedErrno: number): void {
    if (!this.#maySeeAll && (negatedErrno === -Errno.EACCES || negatedErrno === -Errno.EPERM)) this.skipped++;
    else this.corrupt++;
    this.#print(`fsck: ${what}`);
  }

  /** Something could not be done with the object at hand; `negatedErrno` says why. */
  failed(what: string, negatedErrno: number): void {
    this.suspect(`${what}: ${textOfErrnoName(errnoName(negatedErrno))}`, negatedErrno);
  }
}
