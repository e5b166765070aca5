/** Reads whole vaults written by the real programs, from memory: every name, file, link target and attribute. */
import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { afterAll, describe, expect, it } from 'vitest';
import { readTar, type TarEntry } from '../../tests/support/tar.ts';
import { freeKeys } from '../../tests/support/vault-parameters.ts';
import { hex, latin1, latin1Bytes, utf8, vectorBytes, vectorJson } from '../../tests/support/vectors.ts';
import { kernel } from '../crypto/kernel.ts';
import { unwrapMasterKey } from './config/masterkey.ts';
import { loadConfig } from './config/parse.ts';
import { toParameters } from './config/unlock.ts';
import { FILE_ID_OFF, HeaderState, headerState } from './contents/header.ts';
import { BLOCK_SIZE, ContentLayout, HEADER_LEN, SizeDefect } from './contents/layout.ts';
import { EntryKind, NameCodec } from './names/codec.ts';
import { isDirIV, ZERO_IV } from './names/rules.ts';
import { SymlinkCodec } from './names/symlink.ts';
import { classifyCipherXattr, XattrClass, XattrCodec } from './names/xattr.ts';
import type { VaultParameters } from './parameters.ts';

interface ExpectedEntry {
  path: string;
  type: 'file' | 'dir' | 'symlink';
  size?: number;
  sha256?: string;
  target?: string;
  xattrs_hex?: Record<string, string>;
  cipher_path: string | string[];
  cipher_size?: number;
}

interface ExpectedVault {
  password: string;
  masterkey: string;
  entries: ExpectedEntry[];
}

const VAULTS = [
  'default',
  'aessiv',
  'xchacha',
  'aegis-fixed',
  'aegis256x2-fixed',
  'aegis-plaintextnames-fixed',
  'deterministic-names',
  'longnamemax-100',
  'nohkdf-raw64false',
];

/** A vault in memory, with everything needed to read it. */
class SampleVault {
  readonly expected: ExpectedVault;
  readonly entries: ReadonlyMap<string, TarEntry>;
  readonly parameters: VaultParameters;
  readonly layout: ContentLayout;
  readonly names: NameCodec;
  readonly links: SymlinkCodec;
  readonly xattrs: XattrCodec;

  constructor(name: string) {
    this.expected = vectorJson<ExpectedVault>(`vaults/${name}.json`);
    this.entries = new Map(readTar(gunzipSync(vectorBytes(`vaults/${name}.tar.gz`))).map((entry) => [entry.path, entry]));
    const config = loadConfig(this.entries.get('gocryptfs.conf')!.content);
    const masterKey = unwrapMasterKey(config, utf8(this.expected.password));
    expect(masterKey).toEqual(hex(this.expected.masterkey));
    this.parameters = toParameters(config, masterKey, { longNames: true });
    this.layout = new ContentLayout(this.parameters.overhead);
    this.names = new NameCodec(this.parameters);
    this.links = new SymlinkCodec(this.parameters);
    this.xattrs = new XattrCodec(this.parameters);
  }

  dirIV(cDir: string): Uint8Array {
    if (!this.parameters.dirIV) return ZERO_IV;
    const { content } = this.entries.get(join(cDir, 'gocryptfs.diriv'))!;
    expect(isDirIV(content, 0, content.length)).toBe(true);
    return content;
  }

  /** Plaintext name of a backing path's last component, as a mount would list it; null for helper files. */
  plainName(cPath: string): string | null {
    const slash = cPath.lastIndexOf('/');
    const cDir = cPath.slice(0, Math.max(slash, 0));
    const base = latin1Bytes(cPath.slice(slash + 1));
    let cText = base;
    switch (this.names.classify(base, 0, base.length, cDir === '')) {
      case EntryKind.LongName:
        cText = this.entries.get(`${cPath}.name`)!.content;
        expect(this.names.checkLongName(base, 0, base.length, cText, 0, cText.length)).toBe(true);
        break;
      case EntryKind.Name:
        break;
      default:
        return null;
    }
    const len = this.names.decryptName(this.dirIV(cDir), 0, cText, 0, cText.length);
    expect(len, cPath).toBeGreaterThan(0);
    return latin1(this.names.plain, 0, len);
  }

  plainPath(cPath: string): string {
    const parts = cPath.split('/');
    return parts.map((_, i) => this.plainName(parts.slice(0, i + 1).join('/'))).join('/');
  }

  cipherPath(path: string): string {
    let cPath = '';
    for (const part of path.split('/')) {
      const name = latin1Bytes(part);
      expect(this.names.encryptName(this.dirIV(cPath), 0, name, 0, name.length)).toBe(0);
      cPath = join(cPath, this.names.disk.toString());
    }
    return cPath;
  }

  /** Plaintext of a file; null if a block does not authenticate. */
  read(entry: TarEntry): Uint8Array | null {
    const { content } = entry;
    const plain = new Uint8Array(this.layout.cipherToPlain(content.length));
    const state = headerState(content, 0, Math.min(content.length, HEADER_LEN + 1));
    if (state === HeaderState.Empty) return plain;
    expect(state).toBe(HeaderState.Ok);
    const { contentKey } = this.parameters;
    const len = kernel.openRun(contentKey, content, HEADER_LEN, content.length - HEADER_LEN, plain, 0, content, FILE_ID_OFF, 0);
    if (len < 0) return null;
    expect(len).toBe(plain.length);
    return plain;
  }

  /** The backing object of an expected entry; a hard link leads to the member that holds the content. */
  member(cPath: string): TarEntry {
    const entry = this.entries.get(cPath)!;
    return entry.type === 'hardlink' ? this.entries.get(entry.target)! : entry;
  }
}

function join(dir: string, name: string): string {
  return dir === '' ? name : `${dir}/${name}`;
}

function asBytes(path: string): string {
  return latin1(utf8(path));
}

const open: SampleVault[] = [];

function openVault(name: string): SampleVault {
  const vault = new SampleVault(name);
  open.push(vault);
  return vault;
}

afterAll(() => freeKeys(...open.map((vault) => vault.parameters)));

describe.each(VAULTS)('sample vault %s', (name) => {
  const vault = openVault(name);
  const wanted = vault.expected.entries.flatMap((entry) =>
    [entry.cipher_path].flat().map((cPath) => ({ ...entry, cPath: asBytes(cPath) })),
  );

  it('lists exactly the expected names', () => {
    const shown = [...vault.entries.keys()]
      .filter((cPath) => cPath !== '' && vault.plainName(cPath) !== null)
      .map((cPath) => vault.plainPath(cPath));
    // A hard link has one entry with several backing paths; its other names show up under their own.
    const known = new Set(vault.expected.entries.map((entry) => asBytes(entry.path)));
    expect(new Set(shown)).toEqual(known);
  });

  it('encrypts every name to its backing name', () => {
    for (const { path, cipher_path } of vault.expected.entries) {
      expect([cipher_path].flat().map(asBytes)).toContain(vault.cipherPath(asBytes(path)));
    }
  });

  it('decrypts every file, with the size that stat shows', () => {
    for (const { cPath, type, size, sha256, cipher_size } of wanted) {
      if (type !== 'file') continue;
      const entry = vault.member(cPath);
      expect(entry.content.length).toBe(cipher_size);
      expect(vault.layout.cipherToPlain(entry.content.length), cPath).toBe(size);
      expect(vault.layout.sizeDefect(entry.content.length)).toBe(SizeDefect.None);
      expect(createHash('sha256').update(vault.read(entry)!).digest('hex')).toBe(sha256);
    }
  });

  it('decrypts every link target', () => {
    for (const { cPath, type, target } of wanted) {
      if (type !== 'symlink') continue;
      const stored = latin1Bytes(vault.member(cPath).target);
      expect(vault.links.decryptTarget(stored, 0, stored.length)).toEqual(utf8(target!));
    }
  });

  it('decrypts every attribute', () => {
    for (const { cPath, xattrs_hex } of wanted) {
      const found: Record<string, string> = {};
      for (const [cName, stored] of vault.member(cPath).xattrs) {
        const bytes = latin1Bytes(cName);
        if (classifyCipherXattr(bytes, 0, bytes.length) !== XattrClass.Encrypted) continue;
        const len = vault.xattrs.decryptName(bytes, 0, bytes.length);
        expect(len).toBeGreaterThan(0);
        found[latin1(vault.xattrs.plainName, 0, len)] = Buffer.from(vault.xattrs.decryptValue(stored)!).toString('hex');
      }
      expect(found, cPath).toEqual(xattrs_hex ?? {});
    }
  });

  it('notices a changed byte in any block', () => {
    const { cPath } = wanted.find((entry) => entry.size === 10_000) ?? wanted.find((entry) => entry.type === 'file' && entry.size! > 0)!;
    const entry = vault.member(cPath);
    for (let at = FILE_ID_OFF; at < entry.content.length; at += 997) {
      const content = entry.content.slice();
      content[at]! ^= 4;
      expect(vault.read({ ...entry, content }), `byte ${at}`).toBeNull();
    }
  });
});

it('a vault written under the all-zero content key is not readable: the defect of the AEGIS branch (format.md 2.1)', () => {
  const vault = openVault('aegis-plaintextnames-zerokey');
  const files = vault.expected.entries.filter((entry) => entry.type === 'file' && entry.size! > 0 && entry.size! < BLOCK_SIZE);
  expect(files.length).toBeGreaterThan(0);
  for (const { cipher_path } of files) expect(vault.read(vault.member(asBytes([cipher_path].flat()[0]!)))).toBeNull();
});
