import type { Logger } from '../../base/log.ts';
import type { InodeMap } from '../../shared/inode-map.ts';
import type { Nodes } from '../../shared/nodes.ts';
import type { OpenFiles } from '../../shared/open-files.ts';
import { readlinkat } from '../../sys/at.ts';
import { PATH_MAX, S_IFIFO, S_IFLNK, S_IFMT, S_IFREG } from '../../sys/constants.ts';
import { Stat } from '../../sys/stat.ts';
import { ContentLayout } from '../../vault/contents/layout.ts';
import type { SymlinkCodec } from '../../vault/names/symlink.ts';
import type { VaultParameters } from '../../vault/parameters.ts';
import type { ForwardOptions } from '../options.ts';
import { describeSizeDefect } from './contents/damage.ts';

/** uid and gid shown for what has no owner any more: "nobody". */
const NOBODY = 65534;
/** Block size shown for it, bytes. */
const DEFAULT_BLKSIZE = 4096;

/** Turns the attributes of backing objects into those shown, in place (behaviour.md 6.6). */
export class Attributes {
  readonly #log: Logger;
  readonly #layout: ContentLayout;
  readonly #plaintextNames: boolean;
  readonly #paddedBase64: boolean;
  readonly #forceOwner: ForwardOptions['forceOwner'];
  readonly #nodes: Nodes;
  readonly #openFiles: OpenFiles;
  readonly #inodes: InodeMap;
  readonly #symlinks: SymlinkCodec;
  readonly #target = new Uint8Array(PATH_MAX);

  constructor(
    parameters: VaultParameters,
    options: Pick<ForwardOptions, 'forceOwner'>,
    log: Logger,
    nodes: Nodes,
    openFiles: OpenFiles,
    inodes: InodeMap,
    symlinks: SymlinkCodec,
  ) {
    this.#log = log;
    this.#layout = new ContentLayout(parameters.overhead);
    this.#plaintextNames = parameters.plaintextNames;
    this.#paddedBase64 = parameters.paddedBase64;
    this.#forceOwner = options.forceOwner;
    this.#nodes = nodes;
    this.#openFiles = openFiles;
    this.#inodes = inodes;
    this.#symlinks = symlinks;
  }

  /** Of an object that is no symlink. */
  show(attr: Float64Array): void {
    const type = attr[Stat.mode]! & S_IFMT;
    if (type === S_IFREG) this.#showSize(attr);
    this.#showIdentity(attr);
  }

  /** Of any object; the place it was found at is asked for the target of a symlink. */
  showAt(attr: Float64Array, node: number, dirFd: number, name: Uint8Array, off: number): void {
    if ((attr[Stat.mode]! & S_IFMT) === S_IFLNK && !this.#plaintextNames) {
      attr[Stat.size] = this.#targetLength(attr[Stat.size]!, node, dirFd, name, off);
    }
    this.show(attr);
  }

  /** Of a FIFO that was deleted: its reader may still ask (behaviour.md 6.6). */
  showDeletedFifo(attr: Float64Array): void {
    attr.fill(0);
    attr[Stat.mode] = S_IFIFO;
    attr[Stat.uid] = this.#forceOwner === null ? NOBODY : this.#forceOwner.uid;
    attr[Stat.gid] = this.#forceOwner === null ? NOBODY : this.#forceOwner.gid;
    attr[Stat.blksize] = DEFAULT_BLKSIZE;
  }

  #showSize(attr: Float64Array): void {
    const cipherSize = attr[Stat.size]!;
    if (this.#openFiles.count() > 0) {
      const file = this.#openFiles.find(attr[Stat.dev]!, attr[Stat.inoLo]!, attr[Stat.inoHi]!);
      if (file >= 0) this.#openFiles.noteCipherSize(file, cipherSize);
    }
    const defect = describeSizeDefect(this.#layout, cipherSize);
    if (defect !== null) this.#log.warn(defect);
    attr[Stat.size] = this.#layout.cipherToPlain(cipherSize);
  }

  #showIdentity(attr: Float64Array): void {
    if (this.#inodes.translate(attr[Stat.dev]!, attr[Stat.inoLo]!, attr[Stat.inoHi]!)) {
      this.#log.warn(`InoMap: opening spillMap for device ${attr[Stat.dev]}, inode ${attr[Stat.inoHi]! * 2 ** 32 + attr[Stat.inoLo]!}`);
    }
    attr[Stat.inoLo] = this.#inodes.lo;
    attr[Stat.inoHi] = this.#inodes.hi;
    if (this.#forceOwner === null) return;
    attr[Stat.uid] = this.#forceOwner.uid;
    attr[Stat.gid] = this.#forceOwner.gid;
  }

  /**
   * Length of the target of a symlink, 0 if it does not decrypt. Reading the target changes the access time of the link, so that is done
   * once per node; after that the length follows from that of the stored text (not with padding, which hides up to two bytes).
   */
  #targetLength(textLen: number, node: number, dirFd: number, name: Uint8Array, off: number): number {
    if (!this.#paddedBase64 && this.#nodes.isChecked(node)) return Math.max(0, Math.floor((textLen * 3) / 4) - this.#layout.overhead);
    const len = readlinkat(dirFd, name, off, this.#target, 0, PATH_MAX);
    if (len < 0) return 0;
    const target = this.#symlinks.decryptTarget(this.#target, 0, len);
    if (target === null) return 0;
    this.#nodes.setChecked(node);
    return target.length;
  }
}
