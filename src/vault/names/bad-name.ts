/** -badname: how undecryptable names are shown and found again (format.md 8.7, behaviour.md 6.5). A slow path: it may allocate. */
import { asciiBytes, concatBytes, endsWith } from '../../base/bytes.ts';
import { EntryKind, type NameCodec } from './codec.ts';
import { DiskName } from './disk-name.ts';
import { Glob } from './glob.ts';
import { checkName, MAX_NAME_LEN } from './rules.ts';

/** What marks a shown name as undecryptable. */
export const BAD_NAME_SUFFIX = ' GOCRYPTFS_BAD_NAME';

const SUFFIX = asciiBytes(BAD_NAME_SUFFIX);

/** True for a pattern that -badname takes. */
export function isBadNamePattern(pattern: string): boolean {
  return Glob.compile(pattern) !== null;
}

/** Maps names of one vault for a set of patterns. */
export class BadNames {
  /** False without patterns: bad names are hidden then and cannot be reached. */
  readonly active: boolean;
  private readonly codec: NameCodec;
  private readonly globs: readonly Glob[];
  private readonly scratch = new DiskName();

  /** Malformed patterns match nothing; the command line refuses them before. */
  constructor(codec: NameCodec, patterns: readonly string[]) {
    this.codec = codec;
    this.globs = patterns.flatMap((pattern) => Glob.compile(pattern) ?? []);
    this.active = this.globs.length > 0 && !codec.plaintextNames;
  }

  /** True if a plaintext name carries the mark and so has to be resolved through `candidates`. */
  isMarked(name: Uint8Array, off: number, len: number): boolean {
    return this.active && endsWith(name, off, len, SUFFIX);
  }

  /**
   * Name under which an undecryptable backing name is shown: its longest prefix that decrypts, the rest as it is, the mark.
   * @returns null if no pattern matches or the result is no valid name: the entry stays hidden
   */
  display(iv: Uint8Array, ivOff: number, cName: Uint8Array, off: number, len: number): Uint8Array | null {
    const name = cName.slice(off, off + len);
    if (!this.active || !this.globs.some((glob) => glob.matches(name))) return null;
    const shown = concatBytes(...this.decryptPrefix(iv, ivOff, name), SUFFIX);
    return checkName(shown, 0, shown.length) === 0 ? shown : null;
  }

  /**
   * Backing names that a marked name may stand for, besides its own normal encryption, which comes first if it exists.
   * Exactly one of them must exist, otherwise the name is ENOENT. Names with a meaning of their own are never candidates.
   */
  candidates(iv: Uint8Array, ivOff: number, name: Uint8Array, off: number, len: number, isRoot: boolean): Uint8Array[] {
    const bare = name.slice(off, off + len - SUFFIX.length);
    const isPlainEntry = checkName(bare, 0, bare.length) === 0 && this.codec.classify(bare, 0, bare.length, isRoot) === EntryKind.Name;
    const found: Uint8Array[] = isPlainEntry ? [bare] : [];
    for (let split = bare.length; split > 0; split--) {
      if (checkName(bare, 0, split) !== 0) continue;
      const left = this.encryptText(iv, ivOff, bare, split);
      if (left.length + bare.length - split <= MAX_NAME_LEN) found.push(concatBytes(left, bare.subarray(split)));
    }
    return found;
  }

  private decryptPrefix(iv: Uint8Array, ivOff: number, name: Uint8Array): Uint8Array[] {
    // The shortest encrypted name: 16 bytes in base64url.
    const shortest = this.codec.paddedBase64 ? 24 : 22;
    for (let len = name.length - 1; len >= shortest; len--) {
      const plainLen = this.codec.decryptText(iv, ivOff, name, 0, len);
      if (plainLen > 0) return [this.codec.plain.slice(0, plainLen), name.subarray(len)];
    }
    return [name];
  }

  /** The full encrypted text of the first `len` bytes, never hashed. */
  private encryptText(iv: Uint8Array, ivOff: number, name: Uint8Array, len: number): Uint8Array {
    const out = this.scratch;
    this.codec.encryptName(iv, ivOff, name, 0, len, out);
    return out.buf.slice(out.textOff, out.textOff + out.textLen);
  }
}
