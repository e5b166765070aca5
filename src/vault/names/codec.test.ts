import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { freeKeys, testParameters } from '../../../tests/support/vault-parameters.ts';
import { hex, latin1, latin1Bytes, utf8, vectorJson } from '../../../tests/support/vectors.ts';
import { Errno } from '../../base/errno.ts';
import { kernel } from '../../crypto/kernel.ts';
import type { VaultParameters } from '../parameters.ts';
import { EntryKind, NameCodec } from './codec.ts';
import { DiskName } from './disk-name.ts';
import { ZERO_IV } from './rules.ts';

interface NameVector {
  eme_key: string;
  iv: string;
  name_hex: string;
  raw64: string;
  padded64: string;
  on_disk_raw64_max255: string;
  on_disk_padded64_max255: string;
  on_disk_raw64_max100: string;
}

const vectors = vectorJson<{ names: NameVector[] }>('names.json').names;
const made: VaultParameters[] = [];

function codecWith(emeKey: Uint8Array, changes: Partial<VaultParameters> = {}): NameCodec {
  const parameters = testParameters(emeKey, changes);
  made.push(parameters);
  return new NameCodec(parameters);
}

afterAll(() => freeKeys(...made));

const EME_KEY = new Uint8Array(32).fill(0x33);
const usual = codecWith(EME_KEY);
const padded = codecWith(EME_KEY, { paddedBase64: true });
const limit100 = codecWith(EME_KEY, { longNameMax: 100 });
const unhashed = codecWith(EME_KEY, { longNames: false });
const plaintext = codecWith(EME_KEY, { plaintextNames: true, dirIV: false, paddedBase64: true });
const deterministic = codecWith(EME_KEY, { dirIV: false });

const limit86 = codecWith(EME_KEY, { longNameMax: 86 });
const CODECS = { usual, padded, limit100, limit86, unhashed, plaintext, deterministic };
type Variant = keyof typeof CODECS;
const VARIANTS = Object.keys(CODECS) as Variant[];

/** Encrypts with margins around the name and gives back all parts of the result, one character per byte. */
function encrypt(codec: NameCodec, iv: Uint8Array, name: Uint8Array) {
  const buf = new Uint8Array([0x61, ...name, 0x62]);
  expect(codec.encryptName(new Uint8Array([1, ...iv]), 1, buf, 1, name.length)).toBe(0);
  const { disk } = codec;
  expect(disk.buf[disk.off + disk.len]).toBe(0);
  return {
    onDisk: latin1(disk.buf, disk.off, disk.len),
    full: latin1(disk.buf, disk.textOff, disk.textLen),
    isLong: disk.isLong,
    nameFile: disk.isLong ? latin1(disk.buf, disk.nameFileOff, disk.nameFileLen) : null,
  };
}

function decrypt(codec: NameCodec, iv: Uint8Array, cName: string): Uint8Array | null {
  const buf = latin1Bytes(`x${cName}y`);
  const len = codec.decryptName(iv, 0, buf, 1, buf.length - 2);
  if (len < 0) return null;
  expect(codec.plain[len]).toBe(0);
  return codec.plain.slice(0, len);
}

describe.each(vectors.map((vector, index) => ({ ...vector, index })))('name vector $index', (vector) => {
  const key = hex(vector.eme_key);
  const iv = hex(vector.iv);
  const name = hex(vector.name_hex);

  it('is encrypted, hashed and decrypted', () => {
    const codecs = { raw: codecWith(key), padded: codecWith(key, { paddedBase64: true }), limit: codecWith(key, { longNameMax: 100 }) };
    expect(encrypt(codecs.raw, iv, name)).toMatchObject({ onDisk: vector.on_disk_raw64_max255, full: vector.raw64 });
    expect(encrypt(codecs.padded, iv, name)).toMatchObject({ onDisk: vector.on_disk_padded64_max255, full: vector.padded64 });
    expect(encrypt(codecs.limit, iv, name)).toMatchObject({ onDisk: vector.on_disk_raw64_max100, full: vector.raw64 });
    expect(decrypt(codecs.raw, iv, vector.raw64)).toEqual(name);
    expect(decrypt(codecs.padded, iv, vector.padded64)).toEqual(name);
    if (vector.raw64 !== vector.padded64) {
      expect(decrypt(codecs.raw, iv, vector.padded64)).toBeNull();
      expect(decrypt(codecs.padded, iv, vector.raw64)).toBeNull();
    }
    freeKeys(...made.splice(made.length - 3));
  });
});

/** A valid plaintext name of any bytes. */
const validName = fc
  .uint8Array({ minLength: 1, maxLength: 255 })
  .map((bytes) => bytes.map((byte) => (byte === 0 || byte === 0x2f ? 0x41 : byte)))
  .filter((bytes) => !['.', '..'].includes(Buffer.from(bytes).toString('latin1')));
const anyIV = fc.uint8Array({ minLength: 16, maxLength: 16 });

describe.each(VARIANTS)('names of a vault: %s', (variant) => {
  const codec = CODECS[variant];

  it('come back from their full encrypted text', () => {
    fc.assert(
      fc.property(validName, anyIV, (name, iv) => {
        const { full, onDisk, isLong, nameFile } = encrypt(codec, iv, name);
        expect(decrypt(codec, iv, full)).toEqual(name);
        expect(onDisk.length).toBeLessThanOrEqual(codec.longNames || codec.plaintextNames ? 255 : 344);
        if (!isLong) expect(onDisk).toBe(full);
        else {
          const hash = createHash('sha256').update(full).digest('base64url');
          expect(onDisk).toBe(`gocryptfs.longname.${hash}${codec.paddedBase64 ? '=' : ''}`);
          expect(nameFile).toBe(`${onDisk}.name`);
          expect(codec.checkLongName(utf8(onDisk), 0, onDisk.length, utf8(full), 0, full.length)).toBe(true);
        }
      }),
    );
  });

  it.each([
    ['', -Errno.EBADMSG],
    ['.', -Errno.EBADMSG],
    ['..', -Errno.EBADMSG],
    ['a/b', -Errno.EBADMSG],
    ['/', -Errno.EBADMSG],
    ['a\0', -Errno.EBADMSG],
    ['x'.repeat(256), -Errno.ENAMETOOLONG],
    [`/${'x'.repeat(255)}`, -Errno.ENAMETOOLONG],
    ['x'.repeat(255), 0],
    ['...', 0],
    ['a\n', 0],
    ['gocryptfs.diriv', 0],
    ['gocryptfs.longname.x.name', 0],
  ])('%j gives %i', (name, expected) => {
    const bytes = utf8(name);
    expect(codec.encryptName(ZERO_IV, 0, bytes, 0, bytes.length)).toBe(expected);
  });
});

describe('the threshold for long names', () => {
  it.each([
    ['usual', 175, 176],
    ['padded', 175, 176],
    ['limit100', 63, 64],
    ['limit86', 63, 64],
  ] as const)('%s lies between %i and %i bytes', (variant, short, long) => {
    const codec = CODECS[variant];
    expect(encrypt(codec, ZERO_IV, new Uint8Array(short).fill(0x61)).isLong).toBe(false);
    expect(encrypt(codec, ZERO_IV, new Uint8Array(long).fill(0x61)).isLong).toBe(true);
    expect(codec.disk.toString()).toMatch(/^gocryptfs\.longname\.[-_A-Za-z0-9]{43}=?$/);
  });

  it('does not exist without hashing or encryption', () => {
    const long = new Uint8Array(255).fill(0x61);
    expect(encrypt(unhashed, ZERO_IV, long)).toMatchObject({ isLong: false });
    expect(unhashed.disk.len).toBe(342);
    expect(encrypt(plaintext, ZERO_IV, long)).toMatchObject({ isLong: false });
    expect(plaintext.disk.len).toBe(255);
  });

  it('two results do not disturb each other', () => {
    const other = new DiskName();
    const long = new Uint8Array(200).fill(0x62);
    expect(usual.encryptName(ZERO_IV, 0, long, 0, long.length, other)).toBe(0);
    const before = other.toString();
    encrypt(usual, ZERO_IV, utf8('short'));
    expect(other.toString()).toBe(before);
    expect(other.isLong).toBe(true);
    expect(usual.disk.isLong).toBe(false);
  });

  it('a long name and another content do not belong together', () => {
    const { full, onDisk } = encrypt(usual, ZERO_IV, new Uint8Array(200).fill(0x63));
    const changed = utf8(full.replace(/^./, (char) => (char === 'A' ? 'B' : 'A')));
    expect(usual.checkLongName(utf8(onDisk), 0, onDisk.length, changed, 0, changed.length)).toBe(false);
    expect(usual.checkLongName(utf8(onDisk), 0, onDisk.length - 1, utf8(full), 0, full.length)).toBe(false);
    expect(padded.checkLongName(utf8(onDisk), 0, onDisk.length, utf8(full), 0, full.length)).toBe(false);
  });
});

describe('undecryptable names', () => {
  const iv = new Uint8Array(16).fill(2);
  const good = encrypt(usual, iv, utf8('some name')).full;

  /** Encrypts raw blocks, with whatever padding they have. */
  function encryptBlocks(blocks: Uint8Array): string {
    const data = blocks.slice();
    kernel.emeTransform(usual.emeKey, false, iv, 0, data, 0, data.length);
    return Buffer.from(data).toString('base64url');
  }

  const block = (length: number, pad: number, fill = 0x61) => new Uint8Array(length).fill(fill).fill(pad, length - pad);

  it.each([
    ['nothing', ''],
    ['rubbish of the right length', `${'A'.repeat(21)}Q`],
    ['a line break at the end', `${good}\n`],
    ['a carriage return inside', `${good.slice(0, 5)}\r${good.slice(5)}`],
    ['padding', `${good}==`],
    ['the other alphabet', `${good.slice(0, -2)}+A`],
    ['one character too few', good.slice(0, -1)],
    ['one character too many', `${good}A`],
    ['unused bits set', good.slice(0, -1) + String.fromCharCode(good.charCodeAt(21) + 1)],
    ['a dot', 'gocryptfs.diriv'],
    ['another file name', 'gocryptfs.conf.tmp'],
    ['15 bytes', Buffer.alloc(15).toString('base64url')],
    ['17 bytes', Buffer.alloc(17).toString('base64url')],
    ['longer than any name', Buffer.alloc(272).toString('base64url')],
    ['far longer than any name', 'A'.repeat(4000)],
    ['padding of zero', encryptBlocks(new Uint8Array(16))],
    ['padding of 17', encryptBlocks(new Uint8Array(32).fill(17))],
    ['padding that covers everything', encryptBlocks(new Uint8Array(16).fill(16))],
    ['padding with a wrong byte', encryptBlocks(block(16, 4).fill(5, 12, 13))],
    ['a dot name', encryptBlocks(block(16, 15, 0x2e))],
    ['a name with a slash', encryptBlocks(block(16, 3, 0x2f))],
    ['a name with a NUL', encryptBlocks(block(16, 3, 0))],
  ])('%s', (_name, cName) => {
    expect(decrypt(usual, iv, cName)).toBeNull();
  });

  it('but a whole block of padding after a full block is fine', () => {
    expect(decrypt(usual, iv, encryptBlocks(block(32, 16)))).toEqual(new Uint8Array(16).fill(0x61));
    expect(decrypt(usual, iv, good)).toEqual(utf8('some name'));
  });

  it('never decrypt to anything that does not encrypt back', () => {
    fc.assert(
      fc.property(fc.base64String({ maxLength: 120 }), (rubbish) => {
        const cName = rubbish.replace(/\+/g, '-').replace(/\//g, '_').replace(/=/g, '');
        const name = decrypt(usual, iv, cName);
        if (name !== null) expect(encrypt(usual, iv, name).full).toBe(cName);
      }),
    );
  });
});

describe('entries of a backing directory', () => {
  const kinds: readonly [Variant, boolean, string, EntryKind][] = [
    ['usual', true, '.', EntryKind.Dot],
    ['usual', false, '..', EntryKind.Dot],
    ['usual', true, 'gocryptfs.conf', EntryKind.Conf],
    ['usual', false, 'gocryptfs.conf', EntryKind.Name],
    ['usual', true, 'gocryptfs.conf.tmp', EntryKind.Name],
    ['usual', false, 'gocryptfs.diriv', EntryKind.DirIV],
    ['usual', false, 'gocryptfs.diriv.rmdir.12', EntryKind.Name],
    ['usual', false, 'gocryptfs.longname.abc', EntryKind.LongName],
    ['usual', false, 'gocryptfs.longname.', EntryKind.LongName],
    ['usual', false, 'gocryptfs.longname', EntryKind.Name],
    ['usual', false, 'gocryptfs.longname.abc.name', EntryKind.LongNameFile],
    ['usual', false, 'gocryptfs.longname.abc.nam', EntryKind.LongName],
    ['usual', false, 'AAAA', EntryKind.Name],
    ['deterministic', true, 'gocryptfs.diriv', EntryKind.Name],
    ['deterministic', true, 'gocryptfs.longname.abc', EntryKind.LongName],
    ['unhashed', true, 'gocryptfs.longname.abc', EntryKind.Name],
    ['unhashed', true, 'gocryptfs.diriv', EntryKind.DirIV],
    ['plaintext', true, 'gocryptfs.conf', EntryKind.Conf],
    ['plaintext', false, 'gocryptfs.conf', EntryKind.Name],
    ['plaintext', true, 'gocryptfs.diriv', EntryKind.Name],
    ['plaintext', true, 'gocryptfs.longname.abc.name', EntryKind.Name],
  ];

  it.each(kinds)('%s, in the root %s: %s is %i', (variant, isRoot, name, kind) => {
    const bytes = utf8(name);
    expect(CODECS[variant].classify(bytes, 0, bytes.length, isRoot)).toBe(kind);
  });

  it('reserve gocryptfs.conf in the root of plaintext names only', () => {
    const bytes = utf8('gocryptfs.conf');
    expect(plaintext.isReserved(bytes, 0, bytes.length, true)).toBe(true);
    expect(plaintext.isReserved(bytes, 0, bytes.length, false)).toBe(false);
    expect(usual.isReserved(bytes, 0, bytes.length, true)).toBe(false);
  });
});
