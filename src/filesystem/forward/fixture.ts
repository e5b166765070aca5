/** For tests: a fresh vault in a temporary folder, and the operations of a worker on it, addressed by paths. */
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { Logger } from '../../base/log.ts';
import { KeyKind, kernel } from '../../crypto/kernel.ts';
import { openat } from '../../sys/at.ts';
import { AT_FDCWD, O_DIRECTORY, O_PATH } from '../../sys/constants.ts';
import { close } from '../../sys/files.ts';
import { STAT_FIELDS, Stat } from '../../sys/stat.ts';
import type { VaultParameters } from '../../vault/parameters.ts';
import { createForwardOperations } from '../fuse-adapter.ts';
import type { ForwardOptions, ForwardSetup } from '../options.ts';
import { createForwardShared, ForwardSupervisor } from './shared-state.ts';
import type { Entry, NameBytes, Opened } from './types.ts';

export interface FixtureOptions {
  parameters?: Partial<VaultParameters>;
  options?: Partial<ForwardOptions>;
  /** Where the vault is put; the system's temporary folder unless said otherwise. */
  base?: string;
}

/** One entry of a listing. */
export interface Listed {
  name: string;
  type: number;
  next: [number, number];
  node: number;
  attr: Float64Array;
}

const USER = { unique: 1, uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0, pid: process.pid };

export function nameBytes(text: string | Uint8Array): NameBytes {
  const bytes = typeof text === 'string' ? Buffer.from(text) : text;
  const buf = new Uint8Array(bytes.length + 4);
  buf.set(bytes, 3);
  return { buf, off: 3, len: bytes.length };
}

function newEntry(): Entry {
  return { node: 0, generation: 0, entryTimeout: 0, attrTimeout: 0, attr: new Float64Array(STAT_FIELDS) };
}

export class ViewFixture {
  readonly dir: string;
  readonly setup: ForwardSetup;
  readonly supervisor: ForwardSupervisor;
  readonly op: ReturnType<typeof createForwardOperations>;
  readonly warnings: string[] = [];
  readonly infos: string[] = [];
  readonly #keys: number[];

  constructor({ parameters = {}, options = {}, base = os.tmpdir() }: FixtureOptions = {}) {
    this.dir = fs.mkdtempSync(path.join(base, 'aegisfs-view-'));
    const contentKey = kernel.keyCreate(KeyKind.AesGcm, new Uint8Array(32).fill(7));
    const emeKey = kernel.keyCreate(KeyKind.Eme, new Uint8Array(32).fill(9));
    this.#keys = [contentKey, emeKey];
    const fullParameters: VaultParameters = {
      cipher: 'aes-256-gcm',
      nonceLen: 16,
      tagLen: 16,
      overhead: 32,
      cipherBlockSize: 4128,
      contentKey,
      emeKey,
      plaintextNames: false,
      dirIV: true,
      longNames: true,
      longNameMax: 255,
      paddedBase64: false,
      ...parameters,
    };
    if (fullParameters.dirIV) fs.writeFileSync(path.join(this.dir, 'gocryptfs.diriv'), Buffer.alloc(16, 0x5a), { mode: 0o444 });
    fs.writeFileSync(path.join(this.dir, 'gocryptfs.conf'), '{}', { mode: 0o400 });
    const rootFd = openat(AT_FDCWD, nameBytes(this.dir).buf.subarray(3), 0, O_PATH | O_DIRECTORY, 0);
    if (rootFd < 0) throw new Error(`cannot open ${this.dir}`);
    const log: Logger = {
      debug() {},
      info: (message) => this.infos.push(message),
      warn: (message) => this.warnings.push(message),
      fatal: (message) => this.warnings.push(message),
    };
    this.setup = {
      parameters: fullParameters,
      options: {
        rootFd,
        createAsCaller: false,
        forceOwner: null,
        sharedStorage: false,
        noPrealloc: false,
        closeReportsErrors: true,
        noXattr: false,
        suid: false,
        kernelCache: false,
        defaultPermissions: true,
        badNamePatterns: [],
        ...options,
      },
      shared: createForwardShared(rootFd, 1 << 15),
      log,
    };
    this.supervisor = new ForwardSupervisor(this.setup);
    this.op = createForwardOperations(this.setup);
  }

  /** A second worker on the same mount. */
  anotherWorker(): ReturnType<typeof createForwardOperations> {
    return createForwardOperations(this.setup);
  }

  dispose(): void {
    this.supervisor.trim(0);
    close(this.setup.options.rootFd);
    for (const key of this.#keys) kernel.keyFree(key);
    fs.rmSync(this.dir, { recursive: true, force: true });
  }

  req(node: number): typeof USER & { node: number } {
    return { ...USER, node };
  }

  /** Looks one name up. @returns the entry, or a negated errno; negative entries are −ENOENT (−2) */
  child(parent: number, name: string | Uint8Array): Entry | number {
    const out = newEntry();
    const result = this.op.lookup(this.req(parent), nameBytes(name), out);
    if (result < 0) return result;
    return out.node === 0 ? -2 : out;
  }

  /** Node of a path. Throws if there is none. */
  node(at: string): number {
    let node = 1;
    for (const part of at.split('/').filter((text) => text !== '')) {
      const entry = this.child(node, part);
      if (typeof entry === 'number') throw new Error(`${at}: lookup of ${part} gave ${entry}`);
      node = entry.node;
    }
    return node;
  }

  #split(at: string): [number, NameBytes] {
    const slash = at.lastIndexOf('/');
    return [this.node(slash < 0 ? '' : at.slice(0, slash)), nameBytes(at.slice(slash + 1))];
  }

  lookup(at: string): Entry | number {
    const slash = at.lastIndexOf('/');
    return this.child(this.node(slash < 0 ? '' : at.slice(0, slash)), at.slice(slash + 1));
  }

  create(at: string, mode = 0o644, flags = 2): { result: number; entry: Entry; handle: number } {
    const [parent, name] = this.#split(at);
    const entry = newEntry();
    const opened = { handle: -1, flags: 0 };
    const result = this.op.create(this.req(parent), name, flags, mode, 0, entry, opened);
    return { result, entry, handle: opened.handle };
  }

  /** Creates a file and closes it. */
  touch(at: string, mode = 0o644): number {
    const { result, handle } = this.create(at, mode);
    return result < 0 ? result : this.op.release(this.req(1), handle, 0);
  }

  write(at: string, text: string): void {
    const { result, handle } = this.create(at);
    if (result < 0) throw new Error(`create ${at}: ${result}`);
    const bytes = Buffer.from(text);
    const written = this.op.write(this.req(1), handle, 0, bytes, 0, bytes.length, 0);
    this.op.release(this.req(1), handle, 0);
    if (written !== bytes.length) throw new Error(`write ${at}: ${written}`);
  }

  open(at: string, flags = 0): number {
    const opened: Opened & { flags: number } = { handle: -1, flags: 0 };
    const result = this.op.open(this.req(this.node(at)), flags, opened);
    return result < 0 ? result : opened.handle;
  }

  read(at: string): string {
    const handle = this.open(at);
    if (handle < 0) throw new Error(`open ${at}: ${handle}`);
    const dst = Buffer.alloc(8192);
    const len = this.op.read(this.req(1), handle, 0, dst.length, dst, 0);
    this.op.release(this.req(1), handle, 0);
    return dst.subarray(0, len).toString();
  }

  mkdir(at: string, mode = 0o755): { result: number; entry: Entry } {
    const [parent, name] = this.#split(at);
    const entry = newEntry();
    return { result: this.op.mkdir(this.req(parent), name, mode, 0, entry), entry };
  }

  mknod(at: string, mode: number, rdev = 0): { result: number; entry: Entry } {
    const [parent, name] = this.#split(at);
    const entry = newEntry();
    return { result: this.op.mknod(this.req(parent), name, mode, rdev, 0, entry), entry };
  }

  symlink(at: string, target: string): { result: number; entry: Entry } {
    const [parent, name] = this.#split(at);
    const entry = newEntry();
    return { result: this.op.symlink(this.req(parent), name, nameBytes(target), entry), entry };
  }

  readlink(at: string): string | number {
    const dst = Buffer.alloc(4096);
    const len = this.op.readlink(this.req(this.node(at)), dst, 0, dst.length);
    return len < 0 ? len : dst.subarray(0, len).toString();
  }

  link(from: string, to: string): { result: number; entry: Entry } {
    const [parent, name] = this.#split(to);
    const entry = newEntry();
    return { result: this.op.link(this.req(parent), this.node(from), name, entry), entry };
  }

  unlink(at: string): number {
    const [parent, name] = this.#split(at);
    return this.op.unlink(this.req(parent), name);
  }

  rmdir(at: string): number {
    const [parent, name] = this.#split(at);
    return this.op.rmdir(this.req(parent), name);
  }

  rename(from: string, to: string, flags = 0): number {
    const [parent, name] = this.#split(from);
    const [newParent, newName] = this.#split(to);
    return this.op.rename(this.req(parent), name, newParent, newName, flags);
  }

  getattr(node: number, handle = -1): { result: number; attr: Float64Array } {
    const out = { attrTimeout: 0, attr: new Float64Array(STAT_FIELDS) };
    return { result: this.op.getattr(this.req(node), handle, out), attr: out.attr };
  }

  /** Permission bits and type of a path. */
  mode(at: string): number {
    const { result, attr } = this.getattr(this.node(at));
    if (result < 0) throw new Error(`getattr ${at}: ${result}`);
    return attr[Stat.mode]!;
  }

  setattr(node: number, change: Record<string, number>): { result: number; attr: Float64Array } {
    const out = { attrTimeout: 0, attr: new Float64Array(STAT_FIELDS) };
    const none = { handle: -1, mode: 0, uid: 0, gid: 0, size: 0, atimeSec: 0, atimeNsec: 0, mtimeSec: 0, mtimeNsec: 0, valid: 0 };
    return { result: this.op.setattr(this.req(node), { ...none, ...change }, out), attr: out.attr };
  }

  opendir(at: string): number {
    const opened = { handle: -1, flags: 0 };
    const result = this.op.opendir(this.req(this.node(at)), 0, opened);
    return result < 0 ? result : opened.handle;
  }

  /** One READDIR or READDIRPLUS of at most `limit` entries. */
  readdir(handle: number, cookie: [number, number], limit: number, isPlus = false, op = this.op): Listed[] | number {
    const listed: Listed[] = [];
    const plus = newEntry();
    const add = (node: number, next: [number, number], type: number, name: Uint8Array, off: number, len: number): boolean => {
      if (listed.length >= limit) return false;
      const text = Buffer.from(name.subarray(off, off + len)).toString();
      listed.push({ name: text, type, next, node, attr: Float64Array.from(plus.attr) });
      return true;
    };
    const result = op.readdir(this.req(1), handle, cookie[0], cookie[1], {
      isPlus,
      plus,
      fits: () => listed.length < limit,
      add: (_lo, _hi, nextLo, nextHi, type, name, off, len) => add(0, [nextLo, nextHi], type, name, off, len),
      addPlus: (_lo, _hi, nextLo, nextHi, type, name, off, len) => add(plus.node, [nextLo, nextHi], type, name, off, len),
    });
    return result < 0 ? result : listed;
  }

  /** All names of a directory but "." and "..", sorted. */
  list(at: string, isPlus = false): string[] {
    const handle = this.opendir(at);
    if (handle < 0) throw new Error(`opendir ${at}: ${handle}`);
    const names: string[] = [];
    let cookie: [number, number] = [0, 0];
    for (;;) {
      const page = this.readdir(handle, cookie, 7, isPlus);
      if (typeof page === 'number') throw new Error(`readdir ${at}: ${page}`);
      if (page.length === 0) break;
      names.push(...page.map((entry) => entry.name));
      cookie = page.at(-1)!.next;
    }
    this.op.releasedir(this.req(1), handle);
    return names.filter((name) => name !== '.' && name !== '..').sort();
  }

  /** Entries of a backing directory, sorted; the vault's root by default. */
  backing(sub = '.'): string[] {
    return fs.readdirSync(path.join(this.dir, sub)).sort();
  }

  setxattr(node: number, name: string, value: string | Uint8Array, flags = 0): number {
    const bytes = Buffer.from(value);
    return this.op.setxattr(this.req(node), nameBytes(name), bytes, 0, bytes.length, flags);
  }

  getxattr(node: number, name: string, size = 65536): string | number {
    const dst = Buffer.alloc(size);
    const len = this.op.getxattr(this.req(node), nameBytes(name), dst, 0, size);
    return len < 0 || size === 0 ? len : dst.subarray(0, len).toString('latin1');
  }

  listxattr(node: number, size = 65536): string[] | number {
    const dst = Buffer.alloc(size);
    const len = this.op.listxattr(this.req(node), dst, 0, size);
    if (len < 0 || size === 0) return len;
    return dst.subarray(0, len).toString('latin1').split('\0').slice(0, -1).sort();
  }

  removexattr(node: number, name: string): number {
    return this.op.removexattr(this.req(node), nameBytes(name));
  }
}
