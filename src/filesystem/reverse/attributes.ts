import type { Logger } from '../../base/log.ts';
import type { InodeMap } from '../../shared/inode-map.ts';
import type { Nodes } from '../../shared/nodes.ts';
import { S_IFLNK, S_IFMT, S_IFREG } from '../../sys/constants.ts';
import { Stat } from '../../sys/stat.ts';
import type { ContentLayout } from '../../vault/contents/layout.ts';
import type { SymlinkCodec } from '../../vault/names/symlink.ts';
import { DERIVED_LEN } from '../../vault/reverse/derive.ts';
import type { ReverseOptions } from '../options.ts';

/** Mode of virtual files. */
const VIRTUAL_MODE = S_IFREG | 0o444;
/** Virtual files are younger than what they belong to, so that programs that go by times see them change with it, seconds. */
const LATER = 10;
/** Turns the number of a device into one that no real device has: the number space of its IV files. Bits of the major number. */
const DIR_IV_SPACE = 0x000f_ff00;
/** Second half of the inode number of a `.name` file: behind all that InodeMap gives. */
const NAME_FILE_SPACE = 0x8000_0001;

/** Turns the attributes of plain objects into those shown, in place (format.md 10.2, 10.3; behaviour.md 7.3, 7.4). */
export class ReverseAttributes {
  readonly #log: Logger;
  readonly #layout: ContentLayout;
  readonly #forceOwner: ReverseOptions['forceOwner'];
  readonly #nodes: Nodes;
  readonly #inodes: InodeMap;
  readonly #symlinks: SymlinkCodec;

  constructor(log: Logger, layout: ContentLayout, options: ReverseOptions, nodes: Nodes, inodes: InodeMap, symlinks: SymlinkCodec) {
    this.#log = log;
    this.#layout = layout;
    this.#forceOwner = options.forceOwner;
    this.#nodes = nodes;
    this.#inodes = inodes;
    this.#symlinks = symlinks;
  }

  /** Of a plain object. */
  showReal(attr: Float64Array): void {
    const type = attr[Stat.mode]! & S_IFMT;
    if (type === S_IFREG) attr[Stat.size] = this.#layout.plainToCipher(attr[Stat.size]!);
    else if (type === S_IFLNK) attr[Stat.size] = this.#symlinks.storedLength(attr[Stat.size]!, this.#layout.overhead);
    this.showConf(attr);
  }

  /** Of the configuration: all but the inode number as it is. */
  showConf(attr: Float64Array): void {
    this.#identify(attr, attr[Stat.dev]!);
    this.#own(attr);
  }

  /** Of the IV file of the directory with these attributes. */
  showDirIV(attr: Float64Array): void {
    this.#identify(attr, attr[Stat.dev]! ^ DIR_IV_SPACE);
    this.#showVirtual(attr, DERIVED_LEN);
  }

  /** Of the `.name` file of `len` bytes that belongs to the object with these attributes; its number is that of its node. */
  showNameFile(attr: Float64Array, len: number, node: number): void {
    attr[Stat.inoLo] = node;
    attr[Stat.inoHi] = NAME_FILE_SPACE + (this.#nodes.serial(node) & 0x3fff_ffff);
    this.#showVirtual(attr, len);
  }

  #showVirtual(attr: Float64Array, size: number): void {
    attr[Stat.mode] = VIRTUAL_MODE;
    attr[Stat.nlink] = 1;
    attr[Stat.rdev] = 0;
    attr[Stat.size] = size;
    attr[Stat.mtimeSec] = attr[Stat.mtimeSec]! + LATER;
    attr[Stat.ctimeSec] = attr[Stat.ctimeSec]! + LATER;
    this.#own(attr);
  }

  #own(attr: Float64Array): void {
    if (this.#forceOwner === null) return;
    attr[Stat.uid] = this.#forceOwner.uid;
    attr[Stat.gid] = this.#forceOwner.gid;
  }

  #identify(attr: Float64Array, device: number): void {
    if (this.#inodes.translate(device, attr[Stat.inoLo]!, attr[Stat.inoHi]!)) {
      this.#log.warn(`InoMap: opening spillMap for device ${device}, inode ${attr[Stat.inoHi]! * 2 ** 32 + attr[Stat.inoLo]!}`);
    }
    attr[Stat.inoLo] = this.#inodes.lo;
    attr[Stat.inoHi] = this.#inodes.hi;
  }
}
