import { describe, expect, it } from 'vitest';
import { utf8, vectorBytes } from '../../../tests/support/vectors.ts';
import { checkNewVault, createConfig, type NewVaultOptions, rewrapConfig } from './create.ts';
import { unwrapMasterKey } from './masterkey.ts';
import { loadConfig, serializeConfig } from './parse.ts';

const OPTIONS: NewVaultOptions = {
  creator: 'aegisfs 1.0',
  cipherOptions: [],
  reverse: false,
  plaintextNames: false,
  deterministicNames: false,
  longNameMax: 255,
  scryptLogN: 10,
  fido2: null,
};

const MASTER_KEY = new Uint8Array(32).map((_, i) => i);
const FIDO2 = { CredentialID: new Uint8Array(8).fill(1), HMACSalt: new Uint8Array(32).fill(2), AssertOptions: null };

function create(changes: Partial<NewVaultOptions>) {
  return createConfig({ ...OPTIONS, ...changes }, MASTER_KEY, utf8('secret'));
}

describe('a new configuration', () => {
  it.each([
    [{}, 'HKDF GCMIV128 DirIV EMENames LongNames Raw64'],
    [{ cipherOptions: ['aessiv'] }, 'HKDF GCMIV128 DirIV EMENames LongNames Raw64 AESSIV'],
    [{ reverse: true }, 'HKDF GCMIV128 DirIV EMENames LongNames Raw64 AESSIV'],
    [{ reverse: true, cipherOptions: ['aessiv'] }, 'HKDF GCMIV128 DirIV EMENames LongNames Raw64 AESSIV'],
    [{ cipherOptions: ['xchacha'] }, 'HKDF XChaCha20Poly1305 DirIV EMENames LongNames Raw64'],
    [{ cipherOptions: ['xchacha', 'aegis'] }, 'HKDF XChaCha20Poly1305 DirIV EMENames LongNames Raw64'],
    [{ cipherOptions: ['aegis'] }, 'HKDF AEGIS DirIV EMENames LongNames Raw64'],
    [{ cipherOptions: ['aegis256x2'] }, 'HKDF AEGIS256X2 DirIV EMENames LongNames Raw64'],
    [{ plaintextNames: true }, 'HKDF GCMIV128 PlaintextNames'],
    [{ plaintextNames: true, longNameMax: 100, deterministicNames: true }, 'HKDF GCMIV128 PlaintextNames'],
    [{ cipherOptions: ['aegis'], plaintextNames: true }, 'HKDF AEGIS PlaintextNames'],
    [{ deterministicNames: true }, 'HKDF GCMIV128 EMENames LongNames Raw64'],
    [{ longNameMax: 100 }, 'HKDF GCMIV128 DirIV LongNameMax EMENames LongNames Raw64'],
    [{ longNameMax: 0 }, 'HKDF GCMIV128 DirIV EMENames LongNames Raw64'],
    [{ longNameMax: 62, deterministicNames: true, cipherOptions: ['aegis'] }, 'HKDF AEGIS LongNameMax EMENames LongNames Raw64'],
    [{ fido2: FIDO2 }, 'HKDF GCMIV128 DirIV EMENames LongNames Raw64 FIDO2'],
    [{ reverse: true, fido2: FIDO2, plaintextNames: true }, 'HKDF GCMIV128 PlaintextNames AESSIV FIDO2'],
  ] as const)('of %j has the flags %s and loads again', (changes, flags) => {
    const config = create(changes);
    expect(config.FeatureFlags?.join(' ')).toBe(flags);
    const loaded = loadConfig(serializeConfig(config));
    expect(loaded).toEqual(config);
    expect(unwrapMasterKey(loaded, utf8('secret'))).toEqual(MASTER_KEY);
    expect(loaded.LongNameMax).toBe(flags.includes('LongNameMax') ? (changes as { longNameMax: number }).longNameMax : 0);
  });

  it.each([
    [{ cipherOptions: ['aegis', 'aessiv'] }, 'AESSIV requires GCMIV128 feature flag'],
    [{ cipherOptions: ['aegis'], reverse: true }, 'AESSIV requires GCMIV128 feature flag'],
    [{ cipherOptions: ['aegis256x2'], reverse: true }, 'AESSIV requires GCMIV128 feature flag'],
    [{ cipherOptions: ['xchacha', 'aessiv'] }, "can't have both XChaCha20Poly1305 and AESSIV feature flags"],
    [{ cipherOptions: ['xchacha'], reverse: true }, "can't have both XChaCha20Poly1305 and AESSIV feature flags"],
    [{ cipherOptions: ['aegis', 'aegis256x2'] }, "can't have both AEGIS and AEGIS256X2 feature flags"],
    [{ scryptLogN: 9 }, 'fatal: scryptn below 10 is too low to make sense'],
    [{ scryptLogN: 1 }, 'fatal: scryptn below 10 is too low to make sense'],
  ] as const)('of %j is refused', (changes, message) => {
    const error = expect.objectContaining({ code: 'config-create', message });
    expect(() => create(changes)).toThrow(error);
    expect(() => checkNewVault({ ...OPTIONS, ...changes })).toThrow(error);
  });

  it('has the usual scrypt parameters, a fresh salt and the version', () => {
    const first = create({ scryptLogN: 11 });
    const second = create({ scryptLogN: 11 });
    expect(first).toMatchObject({ Creator: 'aegisfs 1.0', Version: 2, ScryptObject: { N: 2048, R: 8, P: 1, KeyLen: 32 } });
    expect(first.ScryptObject.Salt).toHaveLength(32);
    expect(first.ScryptObject.Salt).not.toEqual(second.ScryptObject.Salt);
  });

  it('costs 2^16 unless another cost is asked for, and never more than can be computed', () => {
    expect(create({ scryptLogN: 0 }).ScryptObject.N).toBe(65536);
    expect(() => create({ scryptLogN: 40 })).toThrow(expect.objectContaining({ code: 'scrypt-params' }));
    expect(() => create({ scryptLogN: 5000 })).toThrow(expect.objectContaining({ code: 'scrypt-params' }));
  });
});

describe('a new password', () => {
  it.each(['default', 'nohkdf-raw64false', 'aegis-fixed', 'longnamemax-100', 'fido2'])(
    'for %s keeps everything but the wrapping',
    (name) => {
      const old = loadConfig(vectorBytes(`confs/${name}.conf`));
      const config = rewrapConfig({ ...old, ScryptObject: { ...old.ScryptObject, R: 16, P: 2 } }, MASTER_KEY, utf8('new'), null);
      expect({ ...config, EncryptedKey: 0, ScryptObject: 0 }).toEqual({ ...old, EncryptedKey: 0, ScryptObject: 0 });
      expect(config.ScryptObject).toMatchObject({ N: 1024, R: 8, P: 1, KeyLen: 32 });
      expect(config.ScryptObject.Salt).not.toEqual(old.ScryptObject.Salt);
      expect(config.EncryptedKey.length).toBe(old.EncryptedKey.length);
      expect(unwrapMasterKey(loadConfig(serializeConfig(config)), utf8('new'))).toEqual(MASTER_KEY);
    },
  );

  it('takes another cost, within limits', () => {
    const old = loadConfig(vectorBytes('confs/default.conf'));
    expect(rewrapConfig(old, MASTER_KEY, utf8('new'), 12).ScryptObject.N).toBe(4096);
    expect(() => rewrapConfig(old, MASTER_KEY, utf8('new'), 5)).toThrow(expect.objectContaining({ code: 'config-create' }));
  });
});
