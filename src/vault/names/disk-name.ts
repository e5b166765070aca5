/** Room for the encrypted text (at most 344 bytes) and its NUL. */
const TEXT_ROOM = 352;
/** Room for `gocryptfs.longname.HASH.name` and its NUL. */
const LONG_ROOM = 72;

/**
 * The result of encrypting one name: what to call it in the backing directory. One of these is made once and filled again and
 * again; whoever needs two names at the same time (rename) keeps two.
 */
export class DiskName {
  /** Holds all texts below, each followed by a NUL. */
  readonly buf = new Uint8Array(TEXT_ROOM + 2 * LONG_ROOM);
  /** Start of the name of the object in the backing directory. */
  off = 0;
  /** Length of that name, bytes. */
  len = 0;
  /** The name is hashed, so a `.name` file belongs to it. */
  isLong = false;
  /** Start and length of the full encrypted name: the content of the `.name` file. */
  readonly textOff = 0;
  textLen = 0;
  /** Start and length of the name of the `.name` file; meaningful only if isLong. */
  readonly nameFileOff = TEXT_ROOM + LONG_ROOM;
  nameFileLen = 0;
  /** Where the hashed name is put. */
  readonly longOff = TEXT_ROOM;

  /** The backing name as text, for messages. */
  toString(): string {
    return Buffer.from(this.buf.subarray(this.off, this.off + this.len)).toString('latin1');
  }
}
