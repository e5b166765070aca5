/** For the tests of this folder: a file table, a temporary folder, system calls that count and fail on demand, and a second opinion. */
import { createDecipheriv } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { aessiv } from '@noble/ciphers/aes.js';
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { KeyKind, native, STAT_FIELDS, Stat } from '../../../native.ts';
import { Handles } from '../../../shared/handles.ts';
import { OpenFiles } from '../../../shared/open-files.ts';
import type { VaultParameters } from '../../../vault/parameters.ts';
import { noSlowCalls } from '../slow-calls.ts';
import { type ContentsSys, contentsSys } from './calls.ts';
import { FileContents } from './file-contents.ts';
import type { ContentsContext } from './workspace.ts';

/** A content cipher under test. Lengths in bytes (format.md section 6). */
export interface TestCipher {
  readonly name: string;
  readonly kind: KeyKind;
  readonly keyLen: number;
  readonly nonceLen: number;
}

/** All five content ciphers. */
export const TEST_CIPHERS: readonly TestCipher[] = [
  { name: 'aes-gcm', kind: KeyKind.AesGcm, keyLen: 32, nonceLen: 16 },
  { name: 'aes-siv', kind: KeyKind.AesSiv, keyLen: 64, nonceLen: 16 },
  { name: 'xchacha20-poly1305', kind: KeyKind.XChaCha20Poly1305, keyLen: 32, nonceLen: 24 },
  { name: 'aegis-128x2', kind: KeyKind.Aegis128X2, keyLen: 16, nonceLen: 16 },
  { name: 'aegis-256x2', kind: KeyKind.Aegis256X2, keyLen: 32, nonceLen: 32 },
];
export const AES_GCM: TestCipher = TEST_CIPHERS[0]!;

const TAG_LEN = 16;
const HEADER_LEN = 18;
const BLOCK_SIZE = 4096;

/** The key every test uses. */
export function testKey(cipher: TestCipher): Uint8Array {
  return Uint8Array.from({ length: cipher.keyLen }, (_, i) => (i * 7 + 3) & 0xff);
}

/** Opens one stored block without the code under test where a second implementation exists; throws if it does not authenticate. */
export function openBlock(cipher: TestCipher, stored: Uint8Array, blockNo: number, fileID: Uint8Array): Uint8Array {
  const ad = new Uint8Array(24);
  new DataView(ad.buffer).setBigUint64(0, BigInt(blockNo));
  ad.set(fileID, 8);
  const nonce = stored.subarray(0, cipher.nonceLen);
  const sealed = stored.subarray(cipher.nonceLen);
  switch (cipher.kind) {
    case KeyKind.AesGcm: {
      const opener = createDecipheriv('aes-256-gcm', testKey(cipher), nonce);
      opener.setAAD(ad);
      opener.setAuthTag(sealed.subarray(sealed.length - TAG_LEN));
      return Buffer.concat([opener.update(sealed.subarray(0, sealed.length - TAG_LEN)), opener.final()]);
    }
    case KeyKind.AesSiv:
      return aessiv(testKey(cipher), ad, nonce).decrypt(sealed);
    case KeyKind.XChaCha20Poly1305:
      return xchacha20poly1305(testKey(cipher), nonce, ad).decrypt(sealed);
    default: {
      const key = native.crypto.keyCreate(cipher.kind, testKey(cipher));
      try {
        const plain = native.crypto.openOne(key, stored, ad);
        if (plain === null) throw new Error(`block ${blockNo} does not authenticate`);
        return plain;
      } finally {
        native.crypto.keyFree(key);
      }
    }
  }
}

/** Decrypts a whole backing file by format.md section 7 alone; throws at anything a healthy file cannot have. */
export function openFile(cipher: TestCipher, stored: Uint8Array): Uint8Array {
  if (stored.length === 0) return new Uint8Array(0);
  if (stored.length <= HEADER_LEN) throw new Error(`a file of ${stored.length} bytes has no content`);
  if (stored[0] !== 0 || stored[1] !== 2) throw new Error('wrong format version');
  const fileID = stored.subarray(2, HEADER_LEN);
  if (fileID.every((byte) => byte === 0)) throw new Error('all-zero file ID');
  const cipherBlock = BLOCK_SIZE + cipher.nonceLen + TAG_LEN;
  const parts: Uint8Array[] = [];
  for (let off = HEADER_LEN, blockNo = 0; off < stored.length; off += cipherBlock, blockNo++) {
    const block = stored.subarray(off, off + cipherBlock);
    const isHole = block.length === cipherBlock && block.every((byte) => byte === 0);
    parts.push(isHole ? new Uint8Array(BLOCK_SIZE) : openBlock(cipher, block, blockNo, fileID));
  }
  return Buffer.concat(parts);
}

/** Stored size of `size` plaintext bytes, from the formula of format.md 7.6. */
export function storedSize(cipher: TestCipher, size: number): number {
  const overhead = cipher.nonceLen + TAG_LEN;
  return size === 0
    ? 0
    : HEADER_LEN + Math.floor((size - 1) / BLOCK_SIZE) * (BLOCK_SIZE + overhead) + ((size - 1) % BLOCK_SIZE) + 1 + overhead;
}

/** One failure to come: the call after `skip` others of its kind does `partial` bytes (pwrite only) and then fails with `errno`. */
export interface Fault {
  readonly call: 'pwrite' | 'pread' | 'ftruncate' | 'fallocate' | 'fstat';
  readonly skip: number;
  readonly partial: number;
  readonly errno: number;
}

/** The real system calls, counted, with at most one failure armed. A full disk does not refuse what was reserved before. */
export class TappedSys implements ContentsSys {
  readonly counts: Record<string, number> = {};
  /** Every pwrite: offset and length in the backing file. */
  readonly writes: { off: number; len: number }[] = [];
  /** What fstat says about the block size instead of the truth. */
  blksize: number | null = null;
  private fault: Fault | null = null;
  private skip = 0;
  private resumeAt = -1;
  private reserved: { start: number; end: number } | null = null;

  /** Forgets what was counted. */
  reset(): void {
    for (const name of Object.keys(this.counts)) delete this.counts[name];
    this.writes.length = 0;
  }

  count(name: string): number {
    return this.counts[name] ?? 0;
  }

  /** Arms a failure, or none. */
  arm(fault: Fault | null): void {
    this.fault = fault;
    this.skip = fault?.skip ?? 0;
    this.resumeAt = -1;
    this.reserved = null;
  }

  private hit(call: Fault['call']): boolean {
    this.counts[call] = this.count(call) + 1;
    return this.fault?.call === call && this.skip-- === 0;
  }

  pread(fd: number, dst: Uint8Array, off: number, len: number, fileOff: number): number {
    return this.hit('pread') ? -this.fault!.errno : contentsSys.pread(fd, dst, off, len, fileOff);
  }

  pwrite(fd: number, src: Uint8Array, off: number, len: number, fileOff: number): number {
    this.writes.push({ off: fileOff, len });
    if (fileOff === this.resumeAt) {
      this.resumeAt = -1;
      return -this.fault!.errno;
    }
    const isReserved = this.reserved !== null && this.reserved.start <= fileOff && fileOff + len <= this.reserved.end;
    if (!this.hit('pwrite') || isReserved) return contentsSys.pwrite(fd, src, off, len, fileOff);
    const partial = Math.min(this.fault!.partial, len - 1);
    if (partial <= 0) return -this.fault!.errno;
    this.resumeAt = fileOff + partial;
    return contentsSys.pwrite(fd, src, off, partial, fileOff);
  }

  fstat(fd: number, out: Float64Array): number {
    if (this.hit('fstat')) return -this.fault!.errno;
    const result = contentsSys.fstat(fd, out);
    if (this.blksize !== null) out[Stat.blksize] = this.blksize;
    return result;
  }

  ftruncate(fd: number, length: number): number {
    return this.hit('ftruncate') ? -this.fault!.errno : contentsSys.ftruncate(fd, length);
  }

  fallocate(fd: number, mode: number, fileOff: number, len: number): number {
    if (this.hit('fallocate')) return -this.fault!.errno;
    this.reserved = { start: fileOff, end: fileOff + len };
    return contentsSys.fallocate(fd, mode, fileOff, len);
  }

  lseek(fd: number, fileOff: number, whence: number): number {
    this.counts.lseek = this.count('lseek') + 1;
    return contentsSys.lseek(fd, fileOff, whence);
  }

  fsync(fd: number): number {
    this.counts.fsync = this.count('fsync') + 1;
    return contentsSys.fsync(fd);
  }

  dup(fd: number): number {
    return contentsSys.dup(fd);
  }

  close(fd: number): number {
    return contentsSys.close(fd);
  }
}

/** Files and handles a bench has room for. */
export const BENCH_CAPACITY = 64;

/** Shared memory of a bench: open files, then handles. */
export function benchMemory(): SharedArrayBuffer {
  return new SharedArrayBuffer(OpenFiles.bytes(BENCH_CAPACITY) + Handles.bytes(BENCH_CAPACITY));
}

/** The context of one thread of a bench. */
export function benchContext(
  memory: SharedArrayBuffer,
  cipher: TestCipher,
  contentKey: number,
  noPrealloc: boolean,
  warnings: string[],
): ContentsContext {
  const overhead = cipher.nonceLen + TAG_LEN;
  const parameters: VaultParameters = {
    cipher: cipher.name,
    nonceLen: cipher.nonceLen,
    tagLen: TAG_LEN,
    overhead,
    cipherBlockSize: BLOCK_SIZE + overhead,
    contentKey,
    emeKey: 0,
    plaintextNames: false,
    dirIV: true,
    longNames: true,
    longNameMax: 255,
    paddedBase64: false,
  };
  return {
    parameters,
    options: { noPrealloc },
    log: { debug() {}, info: (message) => warnings.push(`info: ${message}`), warn: (message) => warnings.push(message), fatal() {} },
    openFiles: new OpenFiles(memory, 0, BENCH_CAPACITY),
    handles: new Handles(memory, OpenFiles.bytes(BENCH_CAPACITY), BENCH_CAPACITY),
    slowCalls: noSlowCalls,
  };
}

/** A folder with backing files and everything needed to use them. */
export class Bench {
  readonly cipher: TestCipher;
  readonly dir: string;
  readonly sys = new TappedSys();
  /** Warnings, and information lines with "info: " before them. */
  readonly log: string[] = [];
  readonly ctx: ContentsContext;
  readonly contents: FileContents;
  readonly contentKey: number;
  readonly memory = benchMemory();
  private readonly opened: number[] = [];

  constructor(cipher: TestCipher, { noPrealloc = false, dir = tmpdir() }: { noPrealloc?: boolean; dir?: string } = {}) {
    this.cipher = cipher;
    this.dir = mkdtempSync(path.join(dir, 'contents-'));
    this.contentKey = native.crypto.keyCreate(cipher.kind, testKey(cipher));
    this.ctx = benchContext(this.memory, cipher, this.contentKey, noPrealloc, this.log);
    this.contents = new FileContents(this.ctx, this.sys);
  }

  path(name: string): string {
    return path.join(this.dir, name);
  }

  /** Opens or creates a backing file. @returns handle */
  open(name: string, flags = 2): number {
    const fd = native.sys.openat(-100, Buffer.from(`${this.path(name)}\0`), 0, flags | 0o100, 0o600);
    if (fd < 0) throw new Error(`open failed: ${fd}`);
    const stat = new Float64Array(STAT_FIELDS);
    native.sys.fstat(fd, stat);
    const file = this.ctx.openFiles.acquire(stat[Stat.dev]!, stat[Stat.inoLo]!, stat[Stat.inoHi]!);
    const handle = this.ctx.handles.add(fd, file, stat[Stat.inoLo]!, flags);
    this.opened.push(handle);
    return handle;
  }

  /** The stored bytes of a backing file. */
  stored(name: string): Uint8Array {
    return new Uint8Array(readFileSync(this.path(name)));
  }

  /** Its content by the second opinion. */
  plain(name: string): Buffer {
    return Buffer.from(openFile(this.cipher, this.stored(name)));
  }

  /** Bytes the backing file takes on the disk. */
  allocated(name: string): number {
    return statSync(this.path(name)).blocks * 512;
  }

  read(handle: number, off: number, size: number): Buffer | number {
    const dst = Buffer.alloc(size);
    const count = this.contents.read(handle, off, size, dst, 0);
    return count < 0 ? count : dst.subarray(0, count);
  }

  write(handle: number, off: number, data: Uint8Array): number {
    return this.contents.write(handle, off, data, 0, data.length);
  }

  close(): void {
    for (const handle of this.opened) if (this.ctx.handles.isValid(handle)) this.contents.release(handle);
    native.crypto.keyFree(this.contentKey);
    rmSync(this.dir, { recursive: true });
  }
}

/** Bytes that differ from place to place, so that a block in the wrong place shows. */
export function pattern(len: number, seed = 1): Buffer {
  const data = Buffer.alloc(len);
  for (let i = 0; i < len; i++) data[i] = (i * 31 + (i >>> 8) * 17 + seed * 101) & 0xff || 1;
  return data;
}

/** Compares long byte strings, which the matchers of the test runner do slowly; throws where they differ first. */
export function expectBytes(actual: Uint8Array | number, expected: Uint8Array): void {
  if (typeof actual === 'number') throw new Error(`got ${actual} instead of ${expected.length} bytes`);
  if (Buffer.compare(actual, expected) === 0) return;
  const at = expected.findIndex((byte, i) => actual[i] !== byte);
  throw new Error(`got ${actual.length} bytes instead of ${expected.length}, the first difference is at ${at}`);
}
