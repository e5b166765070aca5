/** Paths of a reverse mount (behaviour.md 8.3). */
import { Errno } from '../../base/errno.ts';
import { LongNames } from '../../filesystem/reverse/long-names.ts';
import { openat } from '../../sys/at.ts';
import { O_DIRECTORY, O_NOFOLLOW, O_PATH, O_RDONLY } from '../../sys/constants.ts';
import { close } from '../../sys/files.ts';
import { EntryKind, NameCodec } from '../../vault/names/codec.ts';
import { CONF_NAME, DIR_IV_NAME, ZERO_IV } from '../../vault/names/rules.ts';
import type { VaultParameters } from '../../vault/parameters.ts';
import { DERIVED_LEN, Derivation, Purpose } from '../../vault/reverse/derive.ts';
import { describeBadName, failure, joinPath, splitPath } from './paths.ts';
import type { PathTranslator, Translation } from './translator.ts';

const HERE = Buffer.from('.\0');

/**
 * Encrypts by computation alone: nothing needs to exist, and exclusion plays no part. Decrypts likewise, but looks into the plain folder
 * for what is behind a hashed name.
 */
export class ReversePaths implements PathTranslator {
  readonly #codec: NameCodec;
  readonly #longNames: LongNames;
  readonly #derivation = new Derivation();
  readonly #rootFd: number;
  readonly #iv = new Uint8Array(DERIVED_LEN);

  /** @param rootFd - O_PATH descriptor of CIPHERDIR; stays with the caller */
  constructor(parameters: VaultParameters, rootFd: number) {
    this.#codec = new NameCodec({ ...parameters, longNames: true });
    this.#longNames = new LongNames(this.#codec);
    this.#rootFd = rootFd;
  }

  encryptPath(path: Uint8Array): Translation {
    if (this.#codec.plaintextNames) {
      return { path };
    }
    const { disk } = this.#codec;
    const shown: Uint8Array[] = [];
    for (const name of splitPath(path)) {
      const result = this.#codec.encryptName(this.#ivOf(shown), 0, name, 0, name.length);
      if (result < 0) {
        return failure(result);
      }
      shown.push(disk.buf.slice(disk.off, disk.off + disk.len));
    }
    return { path: joinPath(shown) };
  }

  decryptPath(path: Uint8Array): Translation {
    if (this.#codec.plaintextNames) {
      return { path };
    }
    const shown: Uint8Array[] = [];
    const plain: Uint8Array[] = [];
    for (const name of splitPath(path)) {
      const part = this.#decrypt(this.#ivOf(shown), name, plain);
      if (!(part instanceof Uint8Array)) {
        return failure(part);
      }
      shown.push(name);
      plain.push(part);
    }
    return { path: joinPath(plain) };
  }

  /** IV of the directory with this path in the view. */
  #ivOf(directory: readonly Uint8Array[]): Uint8Array {
    if (!this.#codec.dirIV) {
      return ZERO_IV;
    }
    this.#derivation.start(joinPath(directory)).derive(Purpose.DirIV, this.#iv, 0);
    return this.#iv;
  }

  #decrypt(iv: Uint8Array, name: Uint8Array, directory: readonly Uint8Array[]): Uint8Array | number | string {
    const codec = this.#codec;
    const text = Buffer.from(name).toString('latin1');
    if (text === DIR_IV_NAME || text === CONF_NAME) {
      return -Errno.ENOENT;
    }
    const kind = codec.classify(name, 0, name.length, false);
    if (kind === EntryKind.LongNameFile) {
      return 'invalid argument';
    }
    if (kind === EntryKind.LongName) {
      return this.#search(iv, name, directory);
    }
    const len = codec.decryptName(iv, 0, name, 0, name.length);
    return len < 0 ? describeBadName(name, name.length) : codec.plain.slice(0, len);
  }

  #search(iv: Uint8Array, name: Uint8Array, directory: readonly Uint8Array[]): Uint8Array | number {
    const fd = this.#openDirectory(directory);
    if (fd < 0) {
      return fd;
    }
    const found = this.#longNames.search(fd, iv, name, 0, name.length);
    close(fd);
    return found ?? -Errno.ENOENT;
  }

  /** Goes down component by component and never follows a symlink. */
  #openDirectory(directory: readonly Uint8Array[]): number {
    const flags = O_DIRECTORY | O_NOFOLLOW;
    let fd = openat(this.#rootFd, HERE, 0, O_PATH | flags, 0);
    for (const name of [...directory.map((part) => Buffer.concat([part, Buffer.alloc(1)])), HERE]) {
      if (fd < 0) {
        return fd;
      }
      const next = openat(fd, name, 0, (name === HERE ? O_RDONLY : O_PATH) | flags, 0);
      close(fd);
      fd = next;
    }
    return fd;
  }
}
