/**
 * The native addon: what it offers, and the one place that loads it.
 *
 * Conventions of every function below:
 * - A buffer argument is always a `Uint8Array` followed by a byte offset (and a length where it is not implied), so that
 *   no view has to be made on the hot path. C checks offset and length against the array and throws a RangeError if they do not fit.
 * - A *path* argument is a `Uint8Array` and an offset; the path runs up to the first NUL byte, which must lie inside the array.
 * - System calls return a non-negative result or the negated errno; they do not throw. 64-bit offsets are doubles (exact up to 2^53).
 * - Nothing here keeps a reference to an argument after the call.
 */
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { AegisError } from './base/errors.ts';

/** Bumped whenever a signature below changes; the addon exports the same number. */
export const NATIVE_ABI = 2;

/** Kinds of key objects, as numbered by `native/crypto`. */
export const KeyKind = {
  /** AES-256-GCM, 32-byte key, 16-byte nonce. */
  AesGcm: 0,
  /** AES-SIV (RFC 5297), 64-byte key, 16-byte nonce as last associated data; `nonce ‖ SIV ‖ ciphertext`. */
  AesSiv: 1,
  /** XChaCha20-Poly1305, 32-byte key, 24-byte nonce. */
  XChaCha20Poly1305: 2,
  /** AEGIS-128X2, 16-byte key, 16-byte nonce, 16-byte tag. */
  Aegis128X2: 3,
  /** AEGIS-256X2, 32-byte key, 32-byte nonce, 16-byte tag. */
  Aegis256X2: 4,
  /** AES-256-GCM with a 12-byte nonce: only the wrapped master key of old vaults. */
  AesGcm96: 5,
  /** EME over AES-128 or AES-256 (16- or 32-byte key): file and xattr names. */
  Eme: 6,
} as const;
export type KeyKind = (typeof KeyKind)[keyof typeof KeyKind];

/** A key in locked, undumpable memory; valid in every thread of the process until it is freed. */
export type KeyHandle = number;

/** The crypto kernel (native/crypto). */
export interface NativeCrypto {
  /** Copies `key` into locked memory. The caller zeroes its own copy. Throws on a wrong length or when no slot is left (64 slots). */
  keyCreate(kind: KeyKind, key: Uint8Array): KeyHandle;
  /** Wipes and frees one key; later use of the handle throws. */
  keyFree(key: KeyHandle): void;
  /** Wipes every key and the nonce pool. */
  keysWipe(): void;
  /** True if the key bytes in use are all zero (for the test of format.md 2.1). */
  keyIsZero(key: KeyHandle): boolean;

  /**
   * Seals `srcLen` plaintext bytes as consecutive file blocks of 4096 bytes (the last one may be shorter), each as
   * `nonce ‖ sealed` with AD = BE64(block number) ‖ fileID and a fresh random nonce from the pool.
   * @returns bytes written to dst
   */
  sealRun(
    key: KeyHandle,
    src: Uint8Array,
    srcOff: number,
    srcLen: number,
    dst: Uint8Array,
    dstOff: number,
    fileID: Uint8Array,
    fileIDOff: number,
    firstBlockNo: number,
  ): number;
  /**
   * Opens consecutive file blocks. A full-size block of zeros is a hole (4096 zero bytes).
   * @returns plaintext bytes written to dst, or −(1 + index of the first bad block): blocks before it are in dst, the rest of dst's range is zeroed.
   */
  openRun(
    key: KeyHandle,
    src: Uint8Array,
    srcOff: number,
    srcLen: number,
    dst: Uint8Array,
    dstOff: number,
    fileID: Uint8Array,
    fileIDOff: number,
    firstBlockNo: number,
  ): number;
  /**
   * `sealRun` for reverse mode: block k gets the nonce `block0Nonce` with its last 8 bytes, a big-endian number, raised by k (format.md 10.1).
   * Only for keys of kind AesSiv, which stays safe when a nonce repeats.
   */
  sealRunDerived(
    key: KeyHandle,
    src: Uint8Array,
    srcOff: number,
    srcLen: number,
    dst: Uint8Array,
    dstOff: number,
    fileID: Uint8Array,
    fileIDOff: number,
    firstBlockNo: number,
    block0Nonce: Uint8Array,
    block0NonceOff: number,
  ): number;
  /** Seals one message of any length: `nonce ‖ sealed`. `nonce` null draws a random one. */
  sealOne(key: KeyHandle, nonce: Uint8Array | null, plain: Uint8Array, ad: Uint8Array): Uint8Array;
  /** Opens one message made by `sealOne`; null if it is too short, has an all-zero nonce or does not authenticate. */
  openOne(key: KeyHandle, sealed: Uint8Array, ad: Uint8Array): Uint8Array | null;

  /** EME in place over `len` bytes (a multiple of 16, 16…2048). */
  emeTransform(key: KeyHandle, decrypt: boolean, tweak: Uint8Array, tweakOff: number, data: Uint8Array, off: number, len: number): void;
  /**
   * PKCS#7-pads, EME-encrypts and base64url-encodes one name (format.md 8.2). `padded` keeps `=`.
   * @returns length of the text in dst (a NUL follows it, not counted); dst needs 348 bytes for names up to 255
   */
  nameEncrypt(
    key: KeyHandle,
    tweak: Uint8Array,
    tweakOff: number,
    name: Uint8Array,
    off: number,
    len: number,
    dst: Uint8Array,
    dstOff: number,
    padded: boolean,
  ): number;
  /** The inverse with the strict checks 1–4 of format.md 8.3 (not the name rules of 8.1). @returns plaintext length (a NUL follows), or −1 */
  nameDecrypt(
    key: KeyHandle,
    tweak: Uint8Array,
    tweakOff: number,
    text: Uint8Array,
    off: number,
    len: number,
    dst: Uint8Array,
    dstOff: number,
    padded: boolean,
  ): number;

  /** Fills with kernel random bytes (32 bytes and more) or from the pool, which is keyed afresh by the kernel; a result of 12 bytes or more is never all zero. */
  randomFill(dst: Uint8Array, off: number, len: number): void;
  /** Overwrites a buffer in a way that is not optimised away. */
  zero(dst: Uint8Array): void;
  /** SHA-256 of a byte range, 32 bytes to dst. */
  sha256(src: Uint8Array, off: number, len: number, dst: Uint8Array, dstOff: number): void;

  /** Names of the instruction-set tiers this CPU can run, slowest first, e.g. ['portable','aesni','vaes','avx512'], on ARM ['portable','armv8']. */
  tiers(): string[];
  /** Tier that does the work for a kind. The environment variable AEGISFS_TIER, read at load, sets an upper limit. */
  tierOf(kind: KeyKind): string;
  /** Switches the tier of all kinds for this process (tests, -speed). Throws if the CPU lacks it. */
  forceTier(tier: string | null): void;
  /** True if the CPU has AES and carry-less multiplication instructions. */
  hasAesAcceleration(): boolean;
  /** Seals runs of `runBytes` (1…1048576) zero bytes for that many milliseconds. @returns millions of bytes per second of wall time */
  benchSeal(key: KeyHandle, runBytes: number, milliseconds: number): number;
}

/**
 * Layout of a stat result: a Float64Array of STAT_FIELDS numbers. Inode numbers may exceed 2^53 and are kept in two halves.
 * `dev` and `rdev` are in the kernel's 32-bit encoding (as st_dev of stat(2) fits a double).
 */
export const Stat = {
  inoLo: 0,
  inoHi: 1,
  dev: 2,
  mode: 3,
  nlink: 4,
  uid: 5,
  gid: 6,
  rdev: 7,
  size: 8,
  blksize: 9,
  blocks: 10,
  atimeSec: 11,
  atimeNsec: 12,
  mtimeSec: 13,
  mtimeNsec: 14,
  ctimeSec: 15,
  ctimeNsec: 16,
} as const;
export const STAT_FIELDS = 17;
/** Layout of a statfs result (Float64Array). */
export const Statfs = {
  type: 0,
  bsize: 1,
  blocks: 2,
  bfree: 3,
  bavail: 4,
  files: 5,
  ffree: 6,
  namelen: 7,
  frsize: 8,
  flags: 9,
  /** The two signed halves of f_fsid. */
  fsid0: 10,
  fsid1: 11,
} as const;
export const STATFS_FIELDS = 12;

/** System calls Node lacks (native/sys): one function per call, no policy. EINTR is retried as behaviour.md 6.1 says, never for close. */
export interface NativeSys {
  openat(dirfd: number, path: Uint8Array, off: number, flags: number, mode: number): number;
  close(fd: number): number;
  dup(fd: number): number;
  read(fd: number, dst: Uint8Array, off: number, len: number): number;
  write(fd: number, src: Uint8Array, off: number, len: number): number;
  pread(fd: number, dst: Uint8Array, off: number, len: number, fileOff: number): number;
  /** preadv2 with RWF_NOWAIT. −EAGAIN: not in the page cache; −EOPNOTSUPP: the filesystem cannot tell. */
  preadNowait(fd: number, dst: Uint8Array, off: number, len: number, fileOff: number): number;
  pwrite(fd: number, src: Uint8Array, off: number, len: number, fileOff: number): number;
  fstat(fd: number, out: Float64Array): number;
  /** fstatat; flags as in fcntl.h (AT_SYMLINK_NOFOLLOW 0x100, AT_EMPTY_PATH 0x1000). */
  fstatat(dirfd: number, path: Uint8Array, off: number, out: Float64Array, flags: number): number;
  fstatfs(fd: number, out: Float64Array): number;
  mkdirat(dirfd: number, path: Uint8Array, off: number, mode: number): number;
  mknodat(dirfd: number, path: Uint8Array, off: number, mode: number, rdev: number): number;
  symlinkat(target: Uint8Array, targetOff: number, dirfd: number, path: Uint8Array, off: number): number;
  readlinkat(dirfd: number, path: Uint8Array, off: number, dst: Uint8Array, dstOff: number, dstLen: number): number;
  linkat(
    olddirfd: number,
    oldpath: Uint8Array,
    oldOff: number,
    newdirfd: number,
    newpath: Uint8Array,
    newOff: number,
    flags: number,
  ): number;
  unlinkat(dirfd: number, path: Uint8Array, off: number, flags: number): number;
  renameat2(
    olddirfd: number,
    oldpath: Uint8Array,
    oldOff: number,
    newdirfd: number,
    newpath: Uint8Array,
    newOff: number,
    flags: number,
  ): number;
  fchmod(fd: number, mode: number): number;
  /** chmod without following: through an O_PATH descriptor and /proc/self/fd; −ELOOP for a symlink. */
  fchmodatNofollow(dirfd: number, path: Uint8Array, off: number, mode: number): number;
  fchown(fd: number, uid: number, gid: number): number;
  /** fchownat with AT_SYMLINK_NOFOLLOW; −1 leaves an id unchanged. */
  fchownatNofollow(dirfd: number, path: Uint8Array, off: number, uid: number, gid: number): number;
  /** utimensat; nsec may be UTIME_NOW (0x3fffffff) or UTIME_OMIT (0x3ffffffe). */
  utimensat(
    dirfd: number,
    path: Uint8Array,
    off: number,
    atimeSec: number,
    atimeNsec: number,
    mtimeSec: number,
    mtimeNsec: number,
    flags: number,
  ): number;
  futimens(fd: number, atimeSec: number, atimeNsec: number, mtimeSec: number, mtimeNsec: number): number;
  faccessat(dirfd: number, path: Uint8Array, off: number, mode: number, flags: number): number;
  ftruncate(fd: number, length: number): number;
  fallocate(fd: number, mode: number, fileOff: number, len: number): number;
  lseek(fd: number, fileOff: number, whence: number): number;
  fsync(fd: number): number;
  fdatasync(fd: number): number;
  syncfs(fd: number): number;
  /** flock(2) operation. */
  flock(fd: number, op: number): number;
  copyFileRange(fdIn: number, offIn: number, fdOut: number, offOut: number, len: number): number;
  /** Puts a directory descriptor at a cookie (the d_off of a record, two halves); 0: the beginning. */
  seekdir(fd: number, cookieLo: number, cookieHi: number): number;
  /** Raw linux_dirent64 records: u64 ino, i64 off, u16 reclen, u8 type, name NUL. @returns bytes, 0 at the end */
  getdents64(fd: number, dst: Uint8Array, off: number, len: number): number;
  /** xattr calls on an open descriptor (not O_PATH). A size of 0 asks for the needed size. */
  fgetxattr(fd: number, name: Uint8Array, nameOff: number, dst: Uint8Array, off: number, len: number): number;
  fsetxattr(fd: number, name: Uint8Array, nameOff: number, value: Uint8Array, off: number, len: number, flags: number): number;
  flistxattr(fd: number, dst: Uint8Array, off: number, len: number): number;
  fremovexattr(fd: number, name: Uint8Array, nameOff: number): number;
  /** The l…xattr calls on /proc/self/fd/<dirfd>/<path>: no following, works on every object type. */
  lgetxattrat(
    dirfd: number,
    path: Uint8Array,
    off: number,
    name: Uint8Array,
    nameOff: number,
    dst: Uint8Array,
    dstOff: number,
    len: number,
  ): number;
  lsetxattrat(
    dirfd: number,
    path: Uint8Array,
    off: number,
    name: Uint8Array,
    nameOff: number,
    value: Uint8Array,
    valueOff: number,
    len: number,
    flags: number,
  ): number;
  llistxattrat(dirfd: number, path: Uint8Array, off: number, dst: Uint8Array, dstOff: number, len: number): number;
  lremovexattrat(dirfd: number, path: Uint8Array, off: number, name: Uint8Array, nameOff: number): number;
  /** Raw per-thread setresgid, setgroups, setresuid (effective ids only; saved ids stay root) for this thread alone. `groups` is a Uint32Array. */
  setThreadCredentials(uid: number, gid: number, groups: Uint32Array, groupCount: number): number;
  /** Back to root: effective uid, gid 0 and the groups the process started with. */
  restoreThreadCredentials(): number;
  /** mount(2) and umount2(2); strings are ordinary JavaScript strings here (not hot). */
  mount(source: string, target: string, type: string, flags: number, data: string): number;
  umount2(target: string, flags: number): number;
  /** socketpair(AF_UNIX, SOCK_STREAM, CLOEXEC). @returns [fd, fd] or −errno */
  socketpair(): [number, number] | number;
  /** Receives one descriptor (SCM_RIGHTS), close-on-exec. @returns fd, or −errno (−EPROTO if none came) */
  recvFd(socket: number): number;
  /** FUSE_DEV_IOC_CLONE of `fuseFd` onto a fresh /dev/fuse descriptor. @returns the new fd */
  fuseClone(fuseFd: number): number;
  /** FS_IOC_GETFLAGS. */
  getFlags(fd: number): number;
  umask(mask: number): number;
  setsid(): number;
  getppid(): number;
  kill(pid: number, signal: number): number;
  /** @returns [soft, hard] of RLIMIT_NOFILE (Infinity for unlimited) */
  getNofile(): [number, number];
  setNofile(soft: number): number;
  /** PR_SET_DUMPABLE 0 and RLIMIT_CORE 0. */
  setUndumpable(): number;
  dup2(from: number, to: number): number;
  setCloexec(fd: number, on: boolean): number;
  isatty(fd: number): boolean;
  /** Turns terminal echo on or off. @returns the previous state (1 on, 0 off) or −errno */
  setEcho(fd: number, on: boolean): number;
  /** openlog(ident, LOG_PID, LOG_USER); the string is kept by C. @returns 0, or −errno if /dev/log cannot be reached */
  openlog(ident: string): number;
  syslog(priority: number, message: string): void;
  /** _exit(2): ends the process at once, from any thread. */
  exitNow(code: number): never;
  /** poll(2) for input on one descriptor. @returns 1 ready, 0 timeout, −errno */
  pollIn(fd: number, timeoutMs: number): number;
  /** execve of this process (launcher helper). Only returns on failure. */
  execve(file: string, argv: string[], env: string[]): number;
}

export interface NativeAddon {
  abi: number;
  crypto: NativeCrypto;
  sys: NativeSys;
}

function load(): NativeAddon {
  const require = createRequire(import.meta.url);
  const here = path.dirname(fileURLToPath(import.meta.url));
  // dist/*.js and src/*.ts both lie one level below the package root.
  const root = path.join(here, '..');
  const nodeGypBuild = require('node-gyp-build') as (dir: string) => NativeAddon;
  let addon: NativeAddon;
  try {
    addon = nodeGypBuild(root);
  } catch (error) {
    const [reason] = (error as Error).message.split('\n');
    // An installed package has an addon for some systems, and no sources to make another.
    const cure = fs.existsSync(path.join(root, 'binding.gyp'))
      ? 'Run "npm run build" there.'
      : 'Use a clone of the repository, which builds it.';
    throw new AegisError('internal', `The native addon cannot be loaded from ${root}: ${reason}. ${cure}`);
  }
  if (addon.abi !== NATIVE_ABI) {
    const versions = `has interface ${addon.abi}, this program needs ${NATIVE_ABI}`;
    throw new AegisError('internal', `The native addon in ${root} ${versions}. Run "npm run build" there.`);
  }
  return addon;
}

export const native: NativeAddon = load();
