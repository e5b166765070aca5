import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { freeKeys, testParameters } from '../../../tests/support/vault-parameters.ts';
import { hex, text, utf8, vectorJson } from '../../../tests/support/vectors.ts';
import { base64UrlText } from '../../base/base64.ts';
import { Errno } from '../../base/errno.ts';
import { kernel } from '../../crypto/kernel.ts';
import type { VaultParameters } from '../parameters.ts';
import { SymlinkCodec } from './symlink.ts';
import { classifyCipherXattr, classifyPlainXattr, XattrClass, XattrCodec } from './xattr.ts';

const vectors = vectorJson<{ xattr_names: { eme_key: string; name: string; raw64: string; padded64: string }[] }>('names.json').xattr_names;

const parameters = testParameters(hex(vectors[0]!.eme_key));
const padded: VaultParameters = { ...parameters, paddedBase64: true };
const siv = testParameters(hex(vectors[0]!.eme_key), { cipher: 'aes-siv' });
afterAll(() => freeKeys(parameters, siv));

function encryptName(codec: XattrCodec, name: Uint8Array): string | number {
  const len = codec.encryptName(name, 0, name.length);
  if (len < 0) return len;
  expect(codec.cipherName[len]).toBe(0);
  return text(codec.cipherName, 0, len);
}

function decryptName(codec: XattrCodec, cName: string): Uint8Array | null {
  const bytes = utf8(cName);
  const len = codec.decryptName(bytes, 0, bytes.length);
  return len < 0 ? null : codec.plainName.slice(0, len);
}

describe('attribute names', () => {
  it.each(vectors)('$name agrees with the vector', ({ name, raw64, padded64 }) => {
    expect(encryptName(new XattrCodec(parameters), utf8(name))).toBe(raw64);
    expect(encryptName(new XattrCodec(padded), utf8(name))).toBe(padded64);
    expect(decryptName(new XattrCodec(parameters), raw64)).toEqual(utf8(name));
    expect(decryptName(new XattrCodec(padded), padded64)).toEqual(utf8(name));
    expect(decryptName(new XattrCodec(padded), raw64)).toBeNull();
  });

  it.each(['raw', 'padded'])('come back, with any byte but NUL, %s', (kind) => {
    const codec = new XattrCodec(kind === 'padded' ? padded : parameters);
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 175 }), (bytes) => {
        const name = bytes.map((byte) => byte || 1);
        expect(decryptName(codec, encryptName(codec, name) as string)).toEqual(name);
      }),
    );
  });

  it('have limits', () => {
    const codec = new XattrCodec(parameters);
    expect(encryptName(codec, new Uint8Array(0))).toBe(-Errno.EINVAL);
    expect(encryptName(codec, utf8('user.\0'))).toBe(-Errno.EINVAL);
    expect(encryptName(codec, utf8('user./a/..'))).toBeTypeOf('string');
    expect(encryptName(codec, new Uint8Array(175).fill(0x61))).toHaveLength(250);
    expect(encryptName(codec, new Uint8Array(176).fill(0x61))).toBe(-Errno.ERANGE);
    expect(encryptName(codec, new Uint8Array(5000).fill(0x61))).toBe(-Errno.ERANGE);
  });

  it.each(['user.gocryptfs.', 'user.gocryptfs.A', 'user.gocryptfs.AAAAAAAAAAAAAAAAAAAAAA', `user.gocryptfs.${'A'.repeat(1000)}`])(
    '%s does not decrypt',
    (cName) => {
      expect(decryptName(new XattrCodec(parameters), cName)).toBeNull();
    },
  );

  it('with a NUL byte do not decrypt', () => {
    const block = utf8('user.a\0b12345678').fill(2, 14);
    kernel.emeTransform(parameters.emeKey, false, utf8('xattr_name_iv_xx'), 0, block, 0, 16);
    expect(decryptName(new XattrCodec(parameters), `user.gocryptfs.${base64UrlText(block, false)}`)).toBeNull();
    const fine = utf8('user.a_b12345678').fill(2, 14);
    kernel.emeTransform(parameters.emeKey, false, utf8('xattr_name_iv_xx'), 0, fine, 0, 16);
    expect(decryptName(new XattrCodec(parameters), `user.gocryptfs.${base64UrlText(fine, false)}`)).toEqual(utf8('user.a_b123456'));
  });

  it('are classified', () => {
    const plain = (name: string) => classifyPlainXattr(utf8(name), 0, name.length);
    const cipher = (name: string) => classifyCipherXattr(utf8(name), 0, name.length);
    for (const acl of ['system.posix_acl_access', 'system.posix_acl_default']) {
      expect(plain(acl)).toBe(XattrClass.Acl);
      expect(cipher(acl)).toBe(XattrClass.Acl);
    }
    expect(plain('system.posix_acl_access2')).toBe(XattrClass.Other);
    expect(plain('security.capability')).toBe(XattrClass.Capability);
    expect(plain('user.gocryptfs.x')).toBe(XattrClass.Other);
    expect(cipher('user.gocryptfs.x')).toBe(XattrClass.Encrypted);
    expect(cipher('user.gocryptfs')).toBe(XattrClass.Other);
    expect(cipher('security.capability')).toBe(XattrClass.Other);
  });
});

describe.each([
  ['AES-GCM', parameters],
  ['padded', padded],
  ['AES-SIV', siv],
])('attribute values and link targets: %s', (_name, which) => {
  const xattr = new XattrCodec(which);
  const links = new SymlinkCodec(which);

  it('values come back, also from the base64 form of very old versions', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (value) => {
        const stored = xattr.encryptValue(value);
        expect(stored.length).toBe(value.length === 0 ? 0 : value.length + 32);
        expect(xattr.decryptValue(stored)).toEqual(value);
        expect(xattr.decryptValue(utf8(base64UrlText(stored, which.paddedBase64)))).toEqual(value);
      }),
    );
  });

  it('values are sealed like block 0 without a file ID', () => {
    const stored = xattr.encryptValue(utf8('value'));
    expect(kernel.openOne(which.contentKey, stored, new Uint8Array(8))).toEqual(utf8('value'));
    expect(xattr.encryptValue(utf8('value'))).not.toEqual(stored);
  });

  it('a changed or cut value is no value', () => {
    const stored = xattr.encryptValue(utf8('value'));
    for (let i = 0; i < stored.length; i++) {
      const changed = stored.slice();
      changed[i]! ^= 0x80;
      expect(xattr.decryptValue(changed)).toBeNull();
      if (i > 0) expect(xattr.decryptValue(stored.slice(0, i))).toBeNull();
    }
  });

  it('targets come back', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (target) => {
        const stored = links.encryptTarget(target, 0, target.length);
        expect(stored.at(-1)).toBe(0);
        expect(links.decryptTarget(stored, 0, stored.length - 1)).toEqual(target);
        if (target.length > 0) expect(text(stored, 0, stored.length - 1)).toMatch(/^[-_A-Za-z0-9]+=*$/);
      }),
    );
  });

  it('the longest target of a 4095-byte backing link has 3039 bytes', () => {
    const fits = (len: number) => links.encryptTarget(new Uint8Array(len).fill(0x61), 0, len).length - 1 <= 4095;
    expect([fits(3039), fits(3040)]).toEqual(which.paddedBase64 ? [false, false] : [true, false]);
  });

  it.each(['A', 'not encrypted', 'A'.repeat(44), 'A'.repeat(64)])('target %j does not decrypt', (stored) => {
    expect(links.decryptTarget(utf8(stored), 0, stored.length)).toBeNull();
  });
});

describe('single blocks of the vectors', () => {
  interface BlockVectors {
    rows: {
      cipher: string;
      content_key: string;
      file_id: string;
      block_no: string;
      plaintext: string;
      block: string;
      base64_raw?: string;
    }[];
  }
  const rows = vectorJson<BlockVectors>('blocks.json').rows.filter((row) => row.file_id === '' && row.cipher === 'AES-256-GCM');

  it.each(rows)('a target of the vectors decrypts', (row) => {
    const contentKey = kernel.keyCreate(0, hex(row.content_key));
    try {
      const links = new SymlinkCodec({ ...parameters, contentKey });
      expect(links.decryptTarget(utf8(row.base64_raw!), 0, row.base64_raw!.length)).toEqual(hex(row.plaintext));
      expect(new XattrCodec({ ...parameters, contentKey }).decryptValue(hex(row.block))).toEqual(hex(row.plaintext));
    } finally {
      kernel.keyFree(contentKey);
    }
  });
});

it('targets pass through with plaintext names', () => {
  const links = new SymlinkCodec({ ...parameters, plaintextNames: true });
  expect(text(links.encryptTarget(utf8('x../a'), 1, 4))).toBe('../a\0');
  expect(links.decryptTarget(utf8('x../a'), 1, 4)).toEqual(utf8('../a'));
});
