import { Errno, errnoName } from '../../base/errno.ts';
import type { Logger } from '../../base/log.ts';
import { MAX_NAME_BYTES } from '../../shared/arena.ts';
import { DIR_MAX_AGE, type DirSlots } from '../../shared/dir-slots.ts';
import type { Nodes } from '../../shared/nodes.ts';
import { openat } from '../../sys/at.ts';
import { O_DIRECTORY, O_NOFOLLOW, O_PATH, S_IFMT } from '../../sys/constants.ts';
import { close } from '../../sys/files.ts';
import { fstat, STAT_FIELDS, Stat } from '../../sys/stat.ts';
import { ZERO_IV } from '../../vault/names/rules.ts';
import { DIR_IV_ROOM, readDirIV } from './dir-iv-file.ts';

/** Times a path is walked again because a rename ran at the same moment. */
const MAX_RESTARTS = 100;
/** Deeper than any tree can be: only a table that contradicts itself, after moves behind our back, leads here. */
const MAX_DEPTH = 1 << 20;

/**
 * Opens directories by node, each relative to its parent and without following symlinks, through the cache all workers share
 * (behaviour.md 6.1, 5.10). A pinned slot stays open until `unpin`.
 */
export class Directories {
  readonly #slots: DirSlots;
  readonly #nodes: Nodes;
  readonly #hasIVFiles: boolean;
  readonly #log: Logger;
  readonly #name = new Uint8Array(MAX_NAME_BYTES + 1);
  readonly #ivScratch = new Uint8Array(DIR_IV_ROOM);
  readonly #stat = new Float64Array(STAT_FIELDS);
  /** Directories between an open ancestor and the one wanted; kept to save the allocation. */
  readonly #chain: number[] = [];

  /** @param hasIVFiles - whether directories have a gocryptfs.diriv */
  constructor(slots: DirSlots, nodes: Nodes, hasIVFiles: boolean, log: Logger) {
    this.#slots = slots;
    this.#nodes = nodes;
    this.#hasIVFiles = hasIVFiles;
    this.#log = log;
  }

  /** Pins a directory whose IV is not needed. @returns its slot or a negated errno (−ENOENT: it has no name any more) */
  pin(node: number): number {
    if (!this.#nodes.isNode(node)) return -Errno.ESTALE;
    const now = Date.now();
    const slot = this.#slots.pin(node, this.#nodes.serial(node), now);
    this.#closeSurplus();
    return slot >= 0 ? slot : this.#open(node, now);
  }

  /** Pins a directory and makes sure that its IV is known. @returns its slot; −ENOENT without IV file, −EIO for a bad one */
  pinWithIV(node: number): number {
    if (!this.#nodes.isNode(node)) return -Errno.ESTALE;
    const now = Date.now();
    let slot = this.#slots.pin(node, this.#nodes.serial(node), now);
    this.#closeSurplus();
    if (slot < 0) slot = this.#open(node, now);
    if (slot < 0 || !this.#hasIVFiles || this.#slots.hasIV(slot, now)) return slot;
    const result = this.#loadIV(slot, now);
    if (result === 0) return slot;
    this.unpin(slot);
    return result;
  }

  /** Ends a pin. */
  unpin(slot: number): void {
    this.#slots.unpin(slot);
    this.#closeSurplus();
  }

  /** The O_PATH descriptor of a pinned slot. */
  fd(slot: number): number {
    return this.#slots.fd(slot);
  }

  /** Array that holds the IV of a slot pinned with `pinWithIV`. */
  get iv(): Uint8Array {
    return this.#hasIVFiles ? this.#slots.ivs : ZERO_IV;
  }

  /** Where in `iv` it lies. */
  ivOffset(slot: number): number {
    return this.#hasIVFiles ? this.#slots.ivOffset(slot) : 0;
  }

  /** Hands over the descriptor and IV of a directory just made, so that its first use finds them. */
  adopt(node: number, fd: number, iv: Uint8Array): void {
    const now = Date.now();
    const slot = this.#slots.install(node, this.#nodes.serial(node), fd, now);
    this.#closeSurplus();
    this.#slots.setIV(slot, iv, 0, now);
    this.unpin(slot);
  }

  /** Forgets a directory that was removed. */
  drop(node: number): void {
    this.#slots.drop(node);
    this.#closeSurplus();
  }

  /** Closes what nobody has opened anew for `maxAge` ms; for the main thread, every few seconds. */
  trim(maxAge: number = DIR_MAX_AGE): void {
    const now = Date.now();
    while (this.#slots.trimOne(now, maxAge)) this.#closeSurplus();
  }

  /** From here to `endIVChange` a directory may be without its IV file; readers that miss it wait. */
  beginIVChange(): void {
    this.#slots.lockIVFiles();
  }

  /** Ends a `beginIVChange`. */
  endIVChange(): void {
    this.#slots.unlockIVFiles();
  }

  #closeSurplus(): void {
    if (this.#slots.toClose < 0) return;
    close(this.#slots.toClose);
    this.#slots.toClose = -1;
  }

  #open(node: number, now: number): number {
    for (let restarts = 0; ; restarts++) {
      const epoch = this.#nodes.renames.epoch();
      const slot = this.#walk(node, now, epoch);
      if (slot >= 0) return slot;
      const isMissing = slot === -Errno.ENOENT || slot === -Errno.ENOTDIR || slot === -Errno.ESTALE;
      if (!isMissing || restarts === MAX_RESTARTS || !this.#nodes.renames.mayHaveMoved(epoch)) {
        return slot === -Errno.ESTALE ? -Errno.ENOENT : slot;
      }
    }
  }

  /** Opens from the nearest open ancestor down. @returns the pinned slot of `node`, or a negated errno; −ESTALE: names moved meanwhile */
  #walk(node: number, now: number, epoch: number): number {
    const chain = this.#chain;
    chain.length = 0;
    let at = node;
    let slot: number;
    do {
      chain.push(at);
      at = this.#nodes.parent(at);
      if (at === 0) return -Errno.ENOENT;
      if (chain.length > MAX_DEPTH) return -Errno.ELOOP;
      slot = this.#slots.pin(at, this.#nodes.serial(at), now);
      this.#closeSurplus();
    } while (slot < 0);
    for (let child = chain.pop(); child !== undefined; child = chain.pop()) {
      const fd = this.#openChild(slot, at, child, epoch);
      this.unpin(slot);
      if (fd < 0) return fd;
      slot = this.#slots.install(child, this.#nodes.serial(child), fd, now);
      this.#closeSurplus();
      at = child;
    }
    return slot;
  }

  #openChild(parentSlot: number, parent: number, child: number, epoch: number): number {
    const nodes = this.#nodes;
    if (nodes.copyName(child, this.#name, 0) === 0) return -Errno.ENOENT;
    if (nodes.parentOfName !== parent) return -Errno.ESTALE;
    const fd = openat(this.#slots.fd(parentSlot), this.#name, 0, O_PATH | O_DIRECTORY | O_NOFOLLOW, 0);
    if (fd < 0 || nodes.renames.isQuietSince(epoch)) return fd;
    // A rename ran: what carries the name now may be another directory.
    const stat = this.#stat;
    const result = fstat(fd, stat);
    if (result === 0 && nodes.isIdentity(child, stat[Stat.dev]!, stat[Stat.inoLo]!, stat[Stat.inoHi]!, stat[Stat.mode]! & S_IFMT)) {
      return fd;
    }
    close(fd);
    return -Errno.ESTALE;
  }

  #loadIV(slot: number, now: number): number {
    const fd = this.#slots.fd(slot);
    let result = readDirIV(fd, this.#ivScratch);
    if (result < 0) {
      // A directory that is being made or removed is without it for a moment.
      this.beginIVChange();
      result = readDirIV(fd, this.#ivScratch);
      this.endIVChange();
    }
    if (result === 0) this.#slots.setIV(slot, this.#ivScratch, 0, now);
    else if (result === -Errno.EIO) this.#log.warn(`ReadDirIVAt: malformed or unreadable gocryptfs.diriv: ${errnoName(result)}`);
    return result;
  }
}
