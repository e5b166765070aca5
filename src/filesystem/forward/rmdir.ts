import { asciiBytes, copyBytes } from '../../base/bytes.ts';
import { Errno, errnoName } from '../../base/errno.ts';
import { fchmodatNofollow, openat, renameat2, unlinkat } from '../../sys/at.ts';
import { AT_REMOVEDIR, AT_SYMLINK_NOFOLLOW, DIRENT_NAME, DIRENT_RECLEN, O_DIRECTORY, O_NOFOLLOW, O_RDONLY } from '../../sys/constants.ts';
import { close, getdents64 } from '../../sys/files.ts';
import { fstatat, Stat } from '../../sys/stat.ts';
import type { DiskName } from '../../vault/names/disk-name.ts';
import { randomNumber } from '../../vault/names/random.ts';
import { isDotName } from '../../vault/names/rules.ts';
import { pinChild } from './child-name.ts';
import type { ForwardContext } from './context.ts';
import { DIR_IV_PATH } from './dir-iv-file.ts';
import { removeNameFile } from './long-name-file.ts';
import type { NameBytes } from './types.ts';

const PERMISSIONS = 0o7777;
const OWNER_ALL = 0o700;
/** Room for the entries of a directory that may be removed, with several to spare, bytes. */
const LISTING_LEN = 4096;
/** A record cannot be longer than this (255-byte name), bytes: less room than this left in a listing, and more may follow. */
const MAX_RECORD_LEN = 280;

const listing = new Uint8Array(LISTING_LEN);
const TEMPORARY = asciiBytes('gocryptfs.diriv.rmdir.');
/** The name of the temporary file: a number of up to 16 digits and a NUL behind the prefix. */
const temporary = new Uint8Array(TEMPORARY.length + 24);
copyBytes(TEMPORARY, 0, temporary, 0, TEMPORARY.length);

/** Removes a directory (behaviour.md 6.14). */
export function rmdir(ctx: ForwardContext, parent: number, name: NameBytes): number {
  const slot = pinChild(ctx, parent, name, ctx.name);
  if (slot < 0) return slot;
  const dirFd = ctx.dirs.fd(slot);
  const { buf, off, len } = ctx.name;
  const result = removeDirectory(ctx, dirFd, ctx.name);
  if (result === 0) {
    const node = ctx.nodes.find(parent, buf, off, len);
    if (node !== 0) ctx.dirs.drop(node);
    ctx.nodes.dropName(parent, buf, off, len);
    if (ctx.name.isLong) removeNameFile(ctx, dirFd, ctx.name);
  }
  ctx.dirs.unpin(slot);
  return result;
}

/** Removes an empty directory with its IV file, but not its `.name` file. @returns 0 or a negated errno; −ENOTEMPTY without touching anything */
export function removeDirectory(ctx: ForwardContext, dirFd: number, name: DiskName): number {
  if (!ctx.parameters.dirIV) return unlinkat(dirFd, name.buf, name.off, AT_REMOVEDIR);
  const result = removeWithIV(ctx, dirFd, name);
  // Its own permissions keep the owner out: grant them for the removal (a daemon that acts for others is root and needs none).
  return result === -Errno.EACCES && !ctx.options.createAsCaller ? removeForbidden(ctx, dirFd, name) : result;
}

function removeForbidden(ctx: ForwardContext, dirFd: number, name: DiskName): number {
  const { stat } = ctx;
  if (fstatat(dirFd, name.buf, name.off, stat, AT_SYMLINK_NOFOLLOW) < 0) return -Errno.EACCES;
  const mode = stat[Stat.mode]! & PERMISSIONS;
  if ((mode & OWNER_ALL) === OWNER_ALL) return -Errno.EACCES;
  if (fchmodatNofollow(dirFd, name.buf, name.off, mode | OWNER_ALL) < 0) return -Errno.EACCES;
  const result = removeWithIV(ctx, dirFd, name);
  if (result < 0) {
    const restored = fchmodatNofollow(dirFd, name.buf, name.off, mode);
    if (restored < 0) ctx.log.warn(`Rmdir: could not restore mode 0${mode.toString(8)}: ${errnoName(restored)}`);
  }
  return result;
}

function removeWithIV(ctx: ForwardContext, dirFd: number, name: DiskName): number {
  const fd = openat(dirFd, name.buf, name.off, O_RDONLY | O_DIRECTORY | O_NOFOLLOW, 0);
  if (fd < 0) return fd;
  const entries = countEntries(fd);
  let result = entries;
  if (entries > 1) result = -Errno.ENOTEMPTY;
  else if (entries >= 0) result = moveIVAndRemove(ctx, fd, dirFd, name, entries);
  close(fd);
  return result;
}

/** Number of entries beside "." and "..", counted up to 2; a negated errno if they cannot be read. */
function countEntries(fd: number): number {
  let count = 0;
  for (;;) {
    const len = getdents64(fd, listing, 0, LISTING_LEN);
    if (len <= 0) return len < 0 ? len : count;
    for (let at = 0; at < len; at += listing[at + DIRENT_RECLEN]! | (listing[at + DIRENT_RECLEN + 1]! << 8)) {
      const nameAt = at + DIRENT_NAME;
      if (!isDotName(listing, nameAt, listing.indexOf(0, nameAt) - nameAt)) count++;
    }
    // Where so much room is left nothing more follows. Should a filesystem stop early all the same, removing the directory fails and is undone.
    if (count > 1 || (count > 0 && len < LISTING_LEN - MAX_RECORD_LEN)) return Math.min(count, 2);
  }
}

function moveIVAndRemove(ctx: ForwardContext, fd: number, parentFd: number, name: DiskName, entries: number): number {
  nameTemporary();
  ctx.dirs.beginIVChange();
  try {
    const moved = renameat2(fd, DIR_IV_PATH, 0, parentFd, temporary, 0, 0);
    if (moved === -Errno.ENOENT) {
      ctx.log.warn(`Rmdir: Renaming gocryptfs.diriv to ${temporaryText()} failed: ${errnoName(moved)}`);
      return entries === 0 ? unlinkat(parentFd, name.buf, name.off, AT_REMOVEDIR) : moved;
    }
    if (moved < 0) return moved;
    const result = unlinkat(parentFd, name.buf, name.off, AT_REMOVEDIR);
    if (result < 0) {
      const back = renameat2(parentFd, temporary, 0, fd, DIR_IV_PATH, 0, 0);
      if (back < 0) ctx.log.warn(`Rmdir: Renaming ${temporaryText()} back to gocryptfs.diriv failed: ${errnoName(back)}`);
      return result;
    }
  } finally {
    ctx.dirs.endIVChange();
  }
  const cleaned = unlinkat(parentFd, temporary, 0, 0);
  if (cleaned < 0) ctx.log.warn(`Rmdir: Could not clean up ${temporaryText()}: ${errnoName(cleaned)}`);
  return 0;
}

function nameTemporary(): void {
  let number = randomNumber();
  let digits = 1;
  for (let rest = number; rest >= 10; rest = Math.floor(rest / 10)) digits++;
  const end = TEMPORARY.length + digits;
  temporary[end] = 0;
  for (let at = end - 1; at >= TEMPORARY.length; at--) {
    temporary[at] = 0x30 + (number % 10);
    number = Math.floor(number / 10);
  }
}

function temporaryText(): string {
  return Buffer.from(temporary.subarray(0, temporary.indexOf(0))).toString('latin1');
}
