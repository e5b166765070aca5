/** A vault with one of everything, and the tools to damage copies of it. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { AT_FDCWD } from '../../src/sys/constants.ts';
import { llistxattrat, lsetxattrat } from '../../src/sys/xattr.ts';
import { pattern } from '../support/files.ts';
import { init, Mount, type Program } from '../support/program.ts';
import type { Sandbox } from '../support/sandbox.ts';

/** Plaintext size of the files below: four full blocks and a partial one. */
const SIZE = 20000;
export const LONG_FILE = 'n'.repeat(240);
export const LONG_DIR = 'D'.repeat(200);
const FILES = ['a', 'b', 'm', 'dir/x', 'dir/sub/deep', 'zdir/z', LONG_FILE, 'new\nline', 'umläut'];
const DIRS = ['dir', 'dir/sub', 'zdir', LONG_DIR];

/** Sets an attribute on the backing side. */
export function setXattr(file: string, name: string, value: string | Buffer): void {
  const bytes = Buffer.from(value);
  const result = lsetxattrat(AT_FDCWD, Buffer.from(`${file}\0`), 0, Buffer.from(`${name}\0`), 0, bytes, 0, bytes.length, 0);
  if (result < 0) throw new Error(`setxattr ${file} ${name}: ${result}`);
}

/** Names of the attributes of a backing object. */
export function listXattrs(file: string): string[] {
  const list = Buffer.alloc(65536);
  const len = llistxattrat(AT_FDCWD, Buffer.from(`${file}\0`), 0, list, 0, list.length);
  return list.toString('latin1', 0, Math.max(0, len)).split('\0').slice(0, -1);
}

function fill(root: string): void {
  for (const dir of DIRS) fs.mkdirSync(`${root}/${dir}`);
  for (const name of FILES) fs.writeFileSync(`${root}/${name}`, pattern(SIZE));
  fs.writeFileSync(Buffer.from(`${root}/bad\xffname`, 'latin1'), 'x');
  fs.writeFileSync(`${root}/${LONG_DIR}/f`, 'x');
  fs.writeFileSync(`${root}/empty`, '');
  fs.writeFileSync(`${root}/big`, pattern((2 << 20) + 1));
  fs.symlinkSync('target', `${root}/link`);
  fs.linkSync(`${root}/b`, `${root}/dir/hard`);
  fs.linkSync(`${root}/b`, `${root}/hard2`);
  for (const name of ['.', 'a', 'b', 'dir']) setXattr(`${root}/${name}`, 'user.attribute', `of ${name}`);
  setXattr(`${root}/a`, 'user.empty', '');
  spawnSync('mkfifo', [`${root}/fifo`]);
  fs.closeSync(fs.openSync(`${root}/hole`, 'w'));
  fs.truncateSync(`${root}/hole`, 16 << 20);
  fs.closeSync(fs.openSync(`${root}/sparse`, 'w'));
  fs.truncateSync(`${root}/sparse`, 5 << 20);
  fs.appendFileSync(`${root}/sparse`, 'the end');
}

function inodesBelow(dir: string, prefix = ''): Map<number, string> {
  const found = new Map<number, string>();
  for (const entry of fs.readdirSync(dir, { withFileTypes: true })) {
    const relative = path.join(prefix, entry.name);
    // A name that is no UTF-8 is not found again; nothing is done to that file.
    const inode = fs.lstatSync(`${dir}/${entry.name}`, { throwIfNoEntry: false })?.ino;
    if (inode !== undefined) found.set(inode, relative);
    if (entry.isDirectory()) for (const [below, name] of inodesBelow(`${dir}/${entry.name}`, relative)) found.set(below, name);
  }
  return found;
}

/** Where plaintext objects lie in a vault, and what can be done to them there. */
export class DamagedVault {
  readonly dir: string;
  /** Nonce and tag of a block, bytes. */
  readonly overhead: number;
  private readonly names: ReadonlyMap<string, string>;

  constructor(dir: string, overhead: number, names: ReadonlyMap<string, string>) {
    this.dir = dir;
    this.overhead = overhead;
    this.names = names;
  }

  /** Makes a vault and fills it through a mount. */
  static async create(sandbox: Sandbox, program: Program, options: readonly string[], overhead: number): Promise<DamagedVault> {
    const dir = sandbox.folder(`template${fs.readdirSync(sandbox.dir).length}`);
    init(sandbox, program, dir, options);
    const mount = new Mount(sandbox, program, dir);
    fill(mount.root);
    const backing = inodesBelow(dir);
    const names = new Map<string, string>([['', '.']]);
    for (const name of [...DIRS, ...FILES, 'big', 'link', 'hole', 'sparse', 'fifo', 'empty']) {
      names.set(name, backing.get(fs.lstatSync(`${mount.root}/${name}`).ino) ?? '');
    }
    const code = await mount.unmount();
    if (code !== 0) throw new Error(`unmounting: ${code}`);
    return new DamagedVault(dir, overhead, names);
  }

  /** An independent copy with all attributes. */
  copy(to: string): DamagedVault {
    const result = spawnSync('cp', ['-a', this.dir, to]);
    if (result.status !== 0) throw new Error(String(result.stderr));
    return new DamagedVault(to, this.overhead, this.names);
  }

  /** Backing path of a plaintext object. */
  at(name: string): string {
    const backing = this.names.get(name);
    if (backing === undefined || backing === '') throw new Error(`no ${name} in the vault`);
    return path.join(this.dir, backing);
  }

  /** Start of a block, ciphertext bytes. */
  block(blockNo: number): number {
    return 18 + blockNo * (4096 + this.overhead);
  }

  /** Rewrites the stored bytes of a file. */
  rewrite(name: string, change: (data: Buffer) => Buffer): void {
    const file = this.at(name);
    fs.writeFileSync(file, change(fs.readFileSync(file)));
  }

  flip(name: string, offset: number): void {
    const fd = fs.openSync(this.at(name), 'r+');
    const byte = Buffer.alloc(1);
    fs.readSync(fd, byte, 0, 1, offset);
    byte[0] = (byte[0] ?? 0) ^ 0xff;
    fs.writeSync(fd, byte, 0, 1, offset);
    fs.closeSync(fd);
  }

  cut(name: string, length: number): void {
    fs.truncateSync(this.at(name), length);
  }

  /** Content of a helper file: gocryptfs.diriv of a directory, or the .name file of a long name. */
  writeHelper(file: string, content: string | Buffer): void {
    fs.chmodSync(file, 0o644);
    fs.writeFileSync(file, content);
  }
}
