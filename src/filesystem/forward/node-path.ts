import { Errno } from '../../base/errno.ts';
import { MAX_NAME_BYTES } from '../../shared/arena.ts';
import type { Counters } from '../../shared/counters.ts';
import { type Nodes, ROOT } from '../../shared/nodes.ts';
import type { Directories } from './directories.ts';

const DOT = 0x2e;
/** More names than any filesystem gives one object. */
const MAX_TRIES = 1 << 17;
/** Searches begun anew because of renames at the same moment. */
const MAX_RESTARTS = 100;

/**
 * Where an object is to be found on disk: an open directory and a name in it. The pattern of use, with no closure in it:
 *
 *     let result = path.first(node);
 *     if (result < 0) return result;
 *     do result = call(path.dirFd, path.name, 0); while (path.again(result));
 *     path.done();
 *
 * A call that finds nothing under the name seen last is repeated with the node's other names (hard links), and after a rename that ran
 * at the same time (behaviour.md 6.1).
 */
export class NodePath {
  /** Descriptor of the directory; for the root itself its own, with the name ".". */
  dirFd = -1;
  /** Name in it with a NUL, from index 0. */
  readonly name = new Uint8Array(MAX_NAME_BYTES + 1);
  len = 0;
  /** Directory as a node; for the root itself its own. */
  parent = 0;
  readonly #nodes: Nodes;
  readonly #dirs: Directories;
  readonly #counters: Counters;
  readonly #rootFd: number;
  #node = 0;
  #slot = -1;
  #epoch = 0;
  /** Name the search began with. */
  #start = 0;
  #front = 0;
  #tries = 0;
  #restarts = 0;

  constructor(nodes: Nodes, dirs: Directories, counters: Counters, rootFd: number) {
    this.#nodes = nodes;
    this.#dirs = dirs;
    this.#counters = counters;
    this.#rootFd = rootFd;
  }

  /** Finds a node. @returns 0, or a negated errno (−ENOENT: it has no name any more) with nothing to undo */
  first(node: number): number {
    this.#node = node;
    this.#tries = 0;
    this.#restarts = 0;
    if (node === ROOT) {
      this.dirFd = this.#rootFd;
      this.name[0] = DOT;
      this.name[1] = 0;
      this.len = 1;
      this.parent = ROOT;
      return 0;
    }
    if (!this.#nodes.isNode(node)) return -Errno.ESTALE;
    this.#counters.markUsed();
    this.#begin();
    let result = this.#resolve();
    while (isMissing(result) && this.#advance()) result = this.#resolve();
    return result;
  }

  /** True if a call that returned `result` is worth repeating; the fields then say where. */
  again(result: number): boolean {
    if (!isMissing(result) || this.#node === ROOT) return false;
    this.done();
    while (this.#advance()) {
      const resolved = this.#resolve();
      if (resolved === 0) return true;
      if (!isMissing(resolved)) return false;
    }
    return false;
  }

  /** Lets go of the directory. */
  done(): void {
    if (this.#slot < 0) return;
    this.#dirs.unpin(this.#slot);
    this.#slot = -1;
    this.dirFd = -1;
  }

  #begin(): void {
    this.#epoch = this.#nodes.renames.epoch();
    this.#start = this.#nodes.frontName(this.#node);
    this.#front = this.#start;
  }

  #resolve(): number {
    this.len = this.#nodes.copyName(this.#node, this.name, 0);
    if (this.len === 0) return -Errno.ENOENT;
    this.parent = this.#nodes.parentOfName;
    const slot = this.#dirs.pin(this.parent);
    if (slot < 0) return slot;
    this.#slot = slot;
    this.dirFd = this.#dirs.fd(slot);
    return 0;
  }

  /** Turns to the next name. @returns false if all were tried and nothing moved meanwhile */
  #advance(): boolean {
    if (++this.#tries > MAX_TRIES) return false;
    if (this.#restarts < MAX_RESTARTS && this.#nodes.renames.mayHaveMoved(this.#epoch)) {
      this.#restarts++;
      this.#begin();
      return true;
    }
    if (this.#front === 0) return false;
    this.#front = this.#nodes.rotateNames(this.#node, this.#front);
    return this.#front !== this.#start && this.#front !== 0;
  }
}

function isMissing(result: number): boolean {
  return result === -Errno.ENOENT || result === -Errno.ENOTDIR;
}
