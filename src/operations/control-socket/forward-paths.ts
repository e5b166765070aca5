/** Paths of a forward mount, looked up in CIPHERDIR (behaviour.md 8.3). */
import { DIR_IV_ROOM, readDirIV } from '../../filesystem/forward/dir-iv-file.ts';
import { NAME_FILE_ROOM, readNameFile } from '../../filesystem/forward/long-name-file.ts';
import { openat } from '../../sys/at.ts';
import { O_DIRECTORY, O_NOFOLLOW, O_PATH } from '../../sys/constants.ts';
import { close } from '../../sys/files.ts';
import { EntryKind, NameCodec } from '../../vault/names/codec.ts';
import { checkName, ZERO_IV } from '../../vault/names/rules.ts';
import type { VaultParameters } from '../../vault/parameters.ts';
import { describeBadName, failure, joinPath, splitPath } from './paths.ts';
import type { PathTranslator, Translation } from './translator.ts';

/** One component, translated; or a negated errno; or the text of a failure without one. */
type Part = { readonly shown: Uint8Array; readonly onDisk: Uint8Array } | number | string;

/**
 * Walks down from the root by descriptors and never follows a symlink, so that a path cannot lead out of CIPHERDIR. The last component
 * need not exist. It does not share the caches of the mount: an IV read from disk is right whatever the workers do meanwhile.
 */
export class ForwardPaths implements PathTranslator {
  readonly #codec: NameCodec;
  readonly #rootFd: number;
  readonly #iv = new Uint8Array(DIR_IV_ROOM);
  readonly #text = new Uint8Array(NAME_FILE_ROOM);

  /** @param rootFd - O_PATH descriptor of CIPHERDIR; stays with the caller */
  constructor(parameters: VaultParameters, rootFd: number) {
    this.#codec = new NameCodec(parameters);
    this.#rootFd = rootFd;
  }

  encryptPath(path: Uint8Array): Translation {
    return this.#walk(path, (iv, name) => this.#encrypt(iv, name));
  }

  decryptPath(path: Uint8Array): Translation {
    return this.#walk(path, (iv, name, dirFd) => this.#decrypt(iv, name, dirFd));
  }

  #walk(path: Uint8Array, translate: (iv: Uint8Array, name: Uint8Array, dirFd: number) => Part): Translation {
    if (this.#codec.plaintextNames) {
      return { path };
    }
    const names = splitPath(path);
    const shown: Uint8Array[] = [];
    let dirFd = this.#rootFd;
    try {
      for (const name of names) {
        const part = this.#translateIn(dirFd, name, translate);
        if (typeof part !== 'object') {
          return failure(part);
        }
        shown.push(part.shown);
        if (shown.length < names.length) {
          const next = openat(dirFd, part.onDisk, 0, O_PATH | O_DIRECTORY | O_NOFOLLOW, 0);
          if (next < 0) {
            return failure(next);
          }
          this.#leave(dirFd);
          dirFd = next;
        }
      }
    } finally {
      this.#leave(dirFd);
    }
    return { path: joinPath(shown) };
  }

  #leave(dirFd: number): void {
    if (dirFd !== this.#rootFd) {
      close(dirFd);
    }
  }

  #translateIn(dirFd: number, name: Uint8Array, translate: (iv: Uint8Array, name: Uint8Array, dirFd: number) => Part): Part {
    const invalid = checkName(name, 0, name.length);
    if (invalid < 0) {
      return invalid;
    }
    if (!this.#codec.dirIV) {
      return translate(ZERO_IV, name, dirFd);
    }
    const result = readDirIV(dirFd, this.#iv);
    return result < 0 ? result : translate(this.#iv, name, dirFd);
  }

  #encrypt(iv: Uint8Array, name: Uint8Array): Part {
    const { disk } = this.#codec;
    const result = this.#codec.encryptName(iv, 0, name, 0, name.length);
    if (result < 0) {
      return result;
    }
    const end = disk.off + disk.len;
    return { shown: disk.buf.slice(disk.off, end), onDisk: disk.buf.slice(disk.off, end + 1) };
  }

  #decrypt(iv: Uint8Array, name: Uint8Array, dirFd: number): Part {
    const codec = this.#codec;
    let text = name;
    let textLen = name.length;
    // gocryptfs.conf has no plaintext name, but it is no encrypted name either: that is found out by decrypting it.
    if (codec.classify(name, 0, name.length, false) === EntryKind.LongName) {
      text = this.#text;
      textLen = readNameFile(dirFd, name, 0, name.length, text);
      if (textLen < 0) {
        return textLen;
      }
    }
    const len = codec.decryptName(iv, 0, text, 0, textLen);
    if (len < 0) {
      return describeBadName(text, textLen);
    }
    const onDisk = new Uint8Array(name.length + 1);
    onDisk.set(name);
    return { shown: codec.plain.slice(0, len), onDisk };
  }
}
