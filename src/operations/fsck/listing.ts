/** Directories: which names a mount shows, and which it cannot (behaviour.md 6.13, 9). */
import { copyBytes } from '../../base/bytes.ts';
import { errnoName } from '../../base/errno.ts';
import { quoteName } from '../../base/quote.ts';
import { NAME_FILE_ROOM, readNameFile } from '../../filesystem/forward/long-name-file.ts';
import { DIRENT_NAME, DIRENT_RECLEN, DIRENT_TYPE } from '../../sys/constants.ts';
import { getdents64 } from '../../sys/files.ts';
import { BadNames } from '../../vault/names/bad-name.ts';
import { EntryKind, NameCodec } from '../../vault/names/codec.ts';
import { MAX_NAME_LEN } from '../../vault/names/rules.ts';
import type { FsckContext } from './context.ts';

/** Backing entries read at once, bytes. */
const BUFFER_LEN = 1 << 16;

/**
 * Lists directories of one vault. An entry is one string, one character per byte: plaintext name, NUL, type (DT_* number), backing name.
 * So a directory of a million entries costs little memory, and the order of the strings is that of the plaintext names.
 */
export class Listing {
  readonly #ctx: FsckContext;
  readonly #codec: NameCodec;
  readonly #badNames: BadNames;
  readonly #buffer = Buffer.alloc(BUFFER_LEN);
  readonly #nameFile = Buffer.alloc(NAME_FILE_ROOM);
  readonly #entry = Buffer.alloc(2 * MAX_NAME_LEN + 64);
  #iv: Uint8Array = this.#nameFile;

  constructor(ctx: FsckContext) {
    this.#ctx = ctx;
    this.#codec = new NameCodec(ctx.parameters);
    this.#badNames = new BadNames(this.#codec, ctx.badNamePatterns);
  }

  /**
   * Appends what a mount shows of an open directory to `out`; everything else that should not be there is a finding. Gives the thread
   * away now and then.
   * @returns 0 or a negated errno
   */
  *read(fd: number, iv: Uint8Array, isRoot: boolean, out: string[]): Generator<void, number> {
    this.#iv = iv;
    const buffer = this.#buffer;
    for (;;) {
      const got = getdents64(fd, buffer, 0, BUFFER_LEN);
      if (got <= 0) return got;
      for (let at = 0; at < got; at += buffer.readUInt16LE(at + DIRENT_RECLEN)) this.#judge(fd, at, isRoot, out);
      yield;
    }
  }

  #judge(fd: number, at: number, isRoot: boolean, out: string[]): void {
    const buffer = this.#buffer;
    const nameAt = at + DIRENT_NAME;
    const nameLen = buffer.indexOf(0, nameAt) - nameAt;
    switch (this.#codec.classify(buffer, nameAt, nameLen, isRoot)) {
      case EntryKind.Dot:
      case EntryKind.Conf:
      case EntryKind.DirIV:
      case EntryKind.LongNameFile:
        return;
      case EntryKind.LongName:
        this.#judgeLong(fd, at, nameAt, nameLen, out);
        return;
      default:
        this.#judgeShort(at, nameAt, nameLen, out);
    }
  }

  #judgeShort(at: number, nameAt: number, nameLen: number, out: string[]): void {
    const { parameters, log } = this.#ctx;
    const codec = this.#codec;
    const len = codec.decryptName(this.#iv, 0, this.#buffer, nameAt, nameLen);
    if (len >= 0) {
      // A name that ought to be hashed is shown, but whoever uses it looks for the hash.
      if (codec.longNames && nameLen > parameters.longNameMax) this.#corrupt(nameAt, nameLen);
      else this.#keep(at, nameAt, nameLen, codec.plain, len, out);
      return;
    }
    const shown = this.#badNames.display(this.#iv, 0, this.#buffer, nameAt, nameLen);
    if (shown !== null) {
      this.#keep(at, nameAt, nameLen, shown, shown.length, out);
      return;
    }
    log.warn(`Readdirent: could not decrypt entry ${this.#quoted(nameAt, nameLen)}: not an encrypted name`);
    this.#corrupt(nameAt, nameLen);
  }

  #judgeLong(fd: number, at: number, nameAt: number, nameLen: number, out: string[]): void {
    const { parameters, log, findings } = this.#ctx;
    const codec = this.#codec;
    const textLen = readNameFile(fd, this.#buffer, nameAt, nameLen, this.#nameFile);
    if (textLen < 0) {
      log.warn(`Readdirent: incomplete entry ${this.#quoted(nameAt, nameLen)}: Could not read .name: ${errnoName(textLen)}`);
      findings.suspect(this.#corruptText(nameAt, nameLen), textLen);
      return;
    }
    const len = codec.decryptName(this.#iv, 0, this.#nameFile, 0, textLen);
    if (len < 0) {
      log.warn(`Readdirent: could not decrypt entry ${this.#quoted(nameAt, nameLen)}: its .name file does not hold an encrypted name`);
      this.#corrupt(nameAt, nameLen);
      return;
    }
    // Shown under the name in the file, but whoever uses that name looks for the hash that belongs to it (format.md 8.5).
    const isReachable = textLen > parameters.longNameMax && codec.checkLongName(this.#buffer, nameAt, nameLen, this.#nameFile, 0, textLen);
    if (isReachable) this.#keep(at, nameAt, nameLen, codec.plain, len, out);
    else this.#corrupt(nameAt, nameLen);
  }

  #keep(at: number, nameAt: number, nameLen: number, plain: Uint8Array, plainLen: number, out: string[]): void {
    const entry = this.#entry;
    copyBytes(plain, 0, entry, 0, plainLen);
    entry[plainLen] = 0;
    entry[plainLen + 1] = this.#buffer[at + DIRENT_TYPE]!;
    copyBytes(this.#buffer, nameAt, entry, plainLen + 2, nameLen);
    out.push(entry.toString('latin1', 0, plainLen + 2 + nameLen));
  }

  #corrupt(nameAt: number, nameLen: number): void {
    this.#ctx.findings.damaged(this.#corruptText(nameAt, nameLen));
  }

  #corruptText(nameAt: number, nameLen: number): string {
    return `corrupt entry in dir ${this.#ctx.findings.quotedPath()}: ${this.#quoted(nameAt, nameLen)}`;
  }

  #quoted(nameAt: number, nameLen: number): string {
    return quoteName(this.#buffer.toString('latin1', nameAt, nameAt + nameLen));
  }
}
