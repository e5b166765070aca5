import { createDecipheriv } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hex, utf8, vectorBytes, vectorJson } from '../../../tests/support/vectors.ts';
import { decodeBase64, encodeBase64 } from '../../base/base64.ts';
import { toHex } from '../../base/bytes.ts';
import { KeyKind, kernel } from '../../crypto/kernel.ts';
import {
  deriveWrapKey,
  formatMasterKey,
  openMasterKey,
  parseMasterKey,
  sealMasterKey,
  unwrapMasterKey,
  wrapMasterKey,
} from './masterkey.ts';
import { loadConfig } from './parse.ts';

interface ConfVectors {
  rows: {
    hkdf: boolean;
    password: string;
    salt: string;
    N: number;
    R: number;
    P: number;
    KeyLen: number;
    wrap_key: string;
    nonce: string;
    masterkey: string;
    encrypted_key_base64: string;
  }[];
}

interface ConfIndex {
  rows: { name: string; password: string | null; masterkey: string; fido2: { hmac_secret_hex: string } | null }[];
}

const samples = vectorJson<ConfIndex>('confs/index.json').rows;

describe.each(vectorJson<ConfVectors>('conf.json').rows)('wrapping with HKDF $hkdf', (row) => {
  const wrapKey = hex(row.wrap_key);
  const encrypted = decodeBase64(row.encrypted_key_base64)!;

  it('derives the wrapping key of the vector', () => {
    expect(toHex(deriveWrapKey(utf8(row.password), hex(row.salt), row, row.hkdf))).toBe(row.wrap_key);
  });

  it('seals and opens as the vector does', () => {
    expect(encodeBase64(sealMasterKey(wrapKey, hex(row.masterkey), row.hkdf, hex(row.nonce)))).toBe(row.encrypted_key_base64);
    expect(toHex(openMasterKey(wrapKey, encrypted, row.hkdf)!)).toBe(row.masterkey);
  });

  it('refuses every changed, cut or grown text, and the other nonce length', () => {
    for (let i = 0; i < encrypted.length; i++) {
      const changed = encrypted.slice();
      changed[i]! ^= 1;
      expect(openMasterKey(wrapKey, changed, row.hkdf), `byte ${i}`).toBeNull();
      expect(openMasterKey(wrapKey, encrypted.slice(0, i), row.hkdf), `cut to ${i}`).toBeNull();
    }
    expect(openMasterKey(wrapKey, new Uint8Array([...encrypted, 0]), row.hkdf)).toBeNull();
    expect(openMasterKey(wrapKey, encrypted, !row.hkdf)).toBeNull();
  });

  it('refuses an all-zero nonce and a key of another length, even if they authenticate', () => {
    const nonceLen = row.hkdf ? 16 : 12;
    const zeroNonce = new Uint8Array(nonceLen + 48);
    const key = kernel.keyCreate(row.hkdf ? KeyKind.AesGcm : KeyKind.AesGcm96, wrapKey);
    try {
      const short = kernel.sealOne(key, null, new Uint8Array(31), new Uint8Array(8));
      expect(openMasterKey(wrapKey, short, row.hkdf)).toBeNull();
    } finally {
      kernel.keyFree(key);
    }
    expect(openMasterKey(wrapKey, zeroNonce, row.hkdf)).toBeNull();
    // What we seal is plain AES-256-GCM: node opens it.
    const sealed = sealMasterKey(wrapKey, hex(row.masterkey), row.hkdf);
    const decipher = createDecipheriv('aes-256-gcm', wrapKey, sealed.subarray(0, nonceLen))
      .setAAD(new Uint8Array(8))
      .setAuthTag(sealed.subarray(-16));
    const opened = Buffer.concat([decipher.update(sealed.subarray(nonceLen, -16)), decipher.final()]);
    expect(opened.toString('hex')).toBe(row.masterkey);
  });
});

describe.each(samples)('unlocking $name', (sample) => {
  const config = loadConfig(vectorBytes(`confs/${sample.name}.conf`));
  const password = sample.fido2 === null ? utf8(sample.password!) : hex(sample.fido2.hmac_secret_hex);

  it('gives the master key', () => {
    expect(toHex(unwrapMasterKey(config, password))).toBe(sample.masterkey);
  });

  it.each(['', 'Test', 'test\n', 'test '])('with %j is a wrong password', (wrong) => {
    expect(() => unwrapMasterKey(config, utf8(wrong))).toThrow(expect.objectContaining({ code: 'wrong-password' }));
  });
});

describe('a damaged or unusable configuration', () => {
  const config = loadConfig(vectorBytes('confs/default.conf'));

  it.each([0, 1, 15, 16, 31, 32, 63])('with an EncryptedKey of %i bytes is a wrong password', (len) => {
    const damaged = { ...config, EncryptedKey: config.EncryptedKey.slice(0, len) };
    expect(() => unwrapMasterKey(damaged, utf8('test'))).toThrow(expect.objectContaining({ code: 'wrong-password' }));
  });

  it.each([
    ['N not a power of two', { N: 1025 }],
    ['KeyLen 64', { KeyLen: 64 }],
    ['too much memory', { N: 2 ** 40 }],
  ])('%s is an ordinary error', (_name, change) => {
    const damaged = { ...config, ScryptObject: { ...config.ScryptObject, ...change } };
    expect(() => unwrapMasterKey(damaged, utf8('test'))).toThrow(expect.objectContaining({ code: 'scrypt-params' }));
  });

  it('wraps with a fresh nonce every time', () => {
    const masterKey = new Uint8Array(32).fill(1);
    const first = wrapMasterKey(masterKey, utf8('a'), config.ScryptObject, true);
    const second = wrapMasterKey(masterKey, utf8('a'), config.ScryptObject, true);
    expect(first.length).toBe(64);
    expect(toHex(first, 0, 16)).not.toBe(toHex(second, 0, 16));
    expect(wrapMasterKey(masterKey, utf8('a'), config.ScryptObject, false).length).toBe(60);
  });
});

describe('a master key on the command line', () => {
  const key = '14d1facd1c4d2478442f654baf2dff0d8dcab2e99f426d7a5b56352ff59a4e1e';

  it('is printed as the original prints it, and read back', () => {
    const printed = formatMasterKey(hex(key));
    expect(printed).toBe('    14d1facd-1c4d2478-442f654b-af2dff0d-\n    8dcab2e9-9f426d7a-5b56352f-f59a4e1e');
    expect(toHex(parseMasterKey(printed.replace(/[ \n]/g, '')))).toBe(key);
  });

  it('may be upper case and have dashes anywhere', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(64), { maxLength: 10 }), (cuts) => {
        let text = key.toUpperCase();
        for (const cut of cuts) text = `${text.slice(0, cut)}-${text.slice(cut)}`;
        expect(toHex(parseMasterKey(text))).toBe(key);
      }),
    );
  });

  it.each([
    ['', 'Master key has length 0 but we require length 32'],
    [key.slice(2), 'Master key has length 31 but we require length 32'],
    [`${key}00`, 'Master key has length 33 but we require length 32'],
    [key.slice(1), 'Could not parse master key: not a hexadecimal string'],
    [`0x${key.slice(2)}`, 'Could not parse master key: not a hexadecimal string'],
    [` ${key}`, 'Could not parse master key: not a hexadecimal string'],
    [`${key}\r`, 'Could not parse master key: not a hexadecimal string'],
    ['stdin', 'Could not parse master key: not a hexadecimal string'],
  ])('%j is refused', (text, message) => {
    expect(() => parseMasterKey(text)).toThrow(expect.objectContaining({ code: 'masterkey', message }));
  });
});
