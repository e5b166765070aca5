/**
 * Makes a change of a backing file all-or-nothing as far as system calls can fail (behaviour.md 6.9).
 *
 * What can go wrong, and what is done:
 *
 * | change | failure | answer |
 * |---|---|---|
 * | append, also behind a hole | pwrite short, then ENOSPC, EDQUOT, EFBIG or EIO | cut to the old size; nothing old was touched |
 * | append that replaces the partial last block | the same | cut to the old size, then put the old bytes of that block back: they are in memory because read-modify-write needed them. They only go where this change has just written, so no new space is needed |
 * | first write to an empty file | the same | cut to 0: the header goes too, and with it the file ID |
 * | a partial last block covered completely | the same | its stored bytes are read for this purpose alone, and put back |
 * | a block that was read for its rest (small overwrite, shrinking) | the same | put the old bytes back |
 * | full blocks over full old ones, or over a hole | out of space | cannot happen: the range is reserved before (fallocate, keep size), because nobody has read the old bytes |
 * | the same | EIO, or out of space where nothing can be reserved | a block that is half old and half new is lost; it is named in the log. Blocks before it hold the new data, blocks behind it the old |
 * | putting back or cutting fails too | – | named in the log; cached size and file ID are forgotten, so the file itself is asked next time |
 *
 * Reserving only what cannot be put back costs a large sequential write of a new file no fallocate at all, where reserving
 * every block would cost one per request. On a copy-on-write store putting back may need space as well: cutting comes first,
 * because it frees some.
 */
import { Errno, errnoName } from '../../../base/errno.ts';
import { Notice } from '../../../shared/open-files.ts';
import { FALLOC_FL_KEEP_SIZE } from '../../../sys/constants.ts';
import { HEADER_LEN } from '../../../vault/contents/layout.ts';
import type { Workspace } from './workspace.ts';

/** Places for old blocks: the padded last block, the first and the last block of the change. */
const SLOTS = 3;

/** The change at hand; one per worker. Everything needs the exclusive content lock. */
export class SafeWrite {
  /** Stored bytes of old blocks; `slotOffset` says where a slot starts. */
  readonly old: Uint8Array;
  private readonly ws: Workspace;
  private readonly slotFileOff = new Float64Array(SLOTS);
  private readonly slotLen = new Int32Array(SLOTS);
  /** How many bytes at the start of each old block this change has overwritten. */
  private readonly slotDirty = new Int32Array(SLOTS);
  private slots = 0;
  private fd = -1;
  private file = -1;
  private oldSize = 0;
  private writtenEnd = 0;

  constructor(ws: Workspace) {
    this.ws = ws;
    this.old = new Uint8Array(SLOTS * ws.cipherBlockSize);
  }

  /** Starts a change of a file of `oldSize` stored bytes. */
  begin(fd: number, file: number, oldSize: number): void {
    this.fd = fd;
    this.file = file;
    this.oldSize = oldSize;
    this.writtenEnd = 0;
    this.slots = 0;
  }

  /** Where in `old` the next old block belongs. */
  nextSlotOffset(): number {
    if (this.slots === SLOTS) throw new Error('a change touches more partial blocks than it can have');
    return this.slots * this.ws.cipherBlockSize;
  }

  /** Notes that the `len` bytes now in the next slot are the old bytes at `fileOff`. */
  keepSlot(fileOff: number, len: number): void {
    this.slotFileOff[this.slots] = fileOff;
    this.slotLen[this.slots] = len;
    this.slotDirty[this.slots] = 0;
    this.slots++;
  }

  /** Reserves the stored range of whole blocks that are about to be overwritten unread. @returns 0 or a negated errno */
  reserve(fileOff: number, len: number): number {
    const ws = this.ws;
    if (ws.noPrealloc || ws.openFiles.noticed(Notice.NoPreallocation)) return 0;
    const result = ws.fallocate(this.fd, FALLOC_FL_KEEP_SIZE, fileOff, len);
    if (result >= 0) return 0;
    if (result !== -Errno.EOPNOTSUPP) return ws.backingError('doWrite: fallocate', this.file, result);
    if (ws.openFiles.claimNotice(Notice.NoPreallocation)) {
      ws.log.warn(
        'Warning: The underlying filesystem does not support fallocate(2). ' +
          'gocryptfs will continue working but is no longer resistant against out-of-space errors.',
      );
    }
    return 0;
  }

  /** Writes all `len` bytes. @returns 0, or a negated errno after which `rollback` is due */
  pwrite(src: Uint8Array, off: number, len: number, fileOff: number): number {
    let done = 0;
    while (done < len) {
      // A short count comes without a reason; the next try tells it.
      const count = this.ws.pwrite(this.fd, src, off + done, len - done, fileOff + done);
      if (count <= 0) {
        this.noteDamage(fileOff, done, len);
        return this.ws.backingError('doWrite', this.file, count === 0 ? -Errno.EIO : count);
      }
      done += count;
      this.noteWritten(fileOff, fileOff + done);
    }
    return 0;
  }

  private noteWritten(start: number, end: number): void {
    if (end > this.writtenEnd) this.writtenEnd = end;
    for (let i = 0; i < this.slots; i++) {
      const slotStart = this.slotFileOff[i]!;
      if (start <= slotStart && end > slotStart) this.slotDirty[i] = Math.min(end - slotStart, this.slotLen[i]!);
    }
  }

  /** Names the block that a failed write has torn, unless it can be put back or lies behind the old end. */
  private noteDamage(fileOff: number, done: number, len: number): void {
    const ws = this.ws;
    const tear = fileOff + done;
    if (done === 0 || tear >= this.oldSize || fileOff < HEADER_LEN) return;
    const blockNo = ws.layout.blockNoOfCipher(tear);
    const blockStart = ws.layout.blockCipherOffset(blockNo);
    if (tear === blockStart) return;
    for (let i = 0; i < this.slots; i++) if (this.slotFileOff[i] === blockStart) return;
    ws.log.warn(`doWrite ${ws.inoText(this.file)}: ${done} of ${len} bytes written, block #${blockNo} is lost`);
  }

  /** Puts the file back as it was at `begin`, as far as its old bytes are known; call after any failure between `begin` and the end. */
  rollback(): void {
    const ws = this.ws;
    let failure = 0;
    if (this.writtenEnd > this.oldSize) {
      // A file that was empty had no valid header either: nothing of it is worth keeping.
      failure = ws.sys.ftruncate(this.fd, this.oldSize <= HEADER_LEN ? 0 : this.oldSize);
    }
    for (let i = 0; i < this.slots && failure >= 0; i++) failure = this.putBack(i);
    // Size and file ID are cached only after a change has succeeded, so the cache is right, unless the file is not what it was.
    if (failure >= 0) return;
    ws.log.warn(`doWrite ${ws.inoText(this.file)}: the old content could not be put back: ${errnoName(failure)}`);
    ws.openFiles.forgetFileID(this.file);
    ws.openFiles.forgetCipherSize(this.file);
  }

  private putBack(slot: number): number {
    const ws = this.ws;
    const start = slot * ws.cipherBlockSize;
    const len = this.slotDirty[slot]!;
    let done = 0;
    while (done < len) {
      const count = ws.pwrite(this.fd, this.old, start + done, len - done, this.slotFileOff[slot]! + done);
      if (count <= 0) return count === 0 ? -Errno.EIO : count;
      done += count;
    }
    return 0;
  }
}
