import { MAX_NAME_BYTES } from '../../shared/arena.ts';
import { type Nodes, ROOT } from '../../shared/nodes.ts';
import type { NameCodec } from '../../vault/names/codec.ts';
import { DiskName } from '../../vault/names/disk-name.ts';
import { ZERO_IV } from '../../vault/names/rules.ts';
import { DERIVED_LEN, type Derivation, Purpose } from '../../vault/reverse/derive.ts';

/** Directories remembered by one worker; one that falls out is worked out again. */
const SLOTS = 256;
/** Deeper than any tree can be: only a table that contradicts itself leads here. */
const MAX_DEPTH = 1 << 20;
const SLASH = 0x2f;

/** Where a directory lies, and what follows from that. A node never changes its place, so this never becomes wrong. */
export interface DirPath {
  readonly node: number;
  readonly serial: number;
  /** Path in the view, relative to its root. */
  readonly cipher: Uint8Array;
  /** Path in the plain folder, relative to its root. */
  readonly plain: Uint8Array;
  /** IV of the names in it (format.md 10.1). */
  readonly iv: Uint8Array;
}

/** Paths of directories by node: the only state from which names and contents of the view follow. One per worker. */
export class DirPaths {
  readonly #nodes: Nodes;
  readonly #codec: NameCodec;
  readonly #derivation: Derivation;
  readonly #hasIVs: boolean;
  readonly #slots: (DirPath | undefined)[] = new Array<DirPath | undefined>(SLOTS).fill(undefined);
  readonly #root: DirPath;
  readonly #name = new Uint8Array(MAX_NAME_BYTES + 1);
  readonly #disk = new DiskName();
  readonly #chain: number[] = [];

  /** @param hasIVs - names are encrypted and not deterministic */
  constructor(nodes: Nodes, codec: NameCodec, derivation: Derivation, hasIVs: boolean) {
    this.#nodes = nodes;
    this.#codec = codec;
    this.#derivation = derivation;
    this.#hasIVs = hasIVs;
    const empty = new Uint8Array(0);
    this.#root = { node: ROOT, serial: nodes.serial(ROOT), cipher: empty, plain: empty, iv: this.#iv(empty) };
  }

  /** The path of a directory, or null if it has no name any more. */
  of(node: number): DirPath | null {
    const known = this.#known(node);
    return known ?? this.#find(node);
  }

  #known(node: number): DirPath | undefined {
    if (node === ROOT) return this.#root;
    const slot = this.#slots[node % SLOTS];
    return slot !== undefined && slot.node === node && slot.serial === this.#nodes.serial(node) ? slot : undefined;
  }

  #find(node: number): DirPath | null {
    const chain = this.#chain;
    chain.length = 0;
    let at = node;
    let path: DirPath | undefined;
    do {
      chain.push(at);
      at = this.#nodes.parent(at);
      if (at === 0 || chain.length > MAX_DEPTH) return null;
      path = this.#known(at);
    } while (path === undefined);
    for (let child = chain.pop(); child !== undefined; child = chain.pop()) {
      const next = this.#enter(path, child);
      if (next === null) return null;
      path = next;
    }
    return path;
  }

  #enter(parent: DirPath, node: number): DirPath | null {
    const serial = this.#nodes.serial(node);
    const len = this.#nodes.copyName(node, this.#name, 0);
    if (len === 0 || this.#nodes.parentOfName !== parent.node) return null;
    const disk = this.#disk;
    if (this.#codec.encryptName(parent.iv, 0, this.#name, 0, len, disk) < 0) return null;
    const cipher = join(parent.cipher, disk.buf, disk.off, disk.len);
    const plain = join(parent.plain, this.#name, 0, len);
    const path = { node, serial, cipher, plain, iv: this.#iv(cipher) };
    this.#slots[node % SLOTS] = path;
    return path;
  }

  #iv(cipher: Uint8Array): Uint8Array {
    if (!this.#hasIVs) return ZERO_IV;
    const iv = new Uint8Array(DERIVED_LEN);
    this.#derivation.start(cipher).derive(Purpose.DirIV, iv, 0);
    return iv;
  }
}

/** Path of an entry of a directory. */
export function join(directory: Uint8Array, name: Uint8Array, off: number, len: number): Uint8Array {
  const start = directory.length === 0 ? 0 : directory.length + 1;
  const path = new Uint8Array(start + len);
  if (start > 0) {
    path.set(directory);
    path[directory.length] = SLASH;
  }
  for (let i = 0; i < len; i++) path[start + i] = name[off + i]!;
  return path;
}
