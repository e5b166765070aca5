import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { vectorBytes, vectorJson } from '../../../tests/support/vectors.ts';
import { AegisError, type ErrorCode } from '../../base/errors.ts';
import { cipherOfFlags } from '../../crypto/registry.ts';
import { loadConfig, parseConfig, serializeConfig } from './parse.ts';

interface ConfIndex {
  rows: { name: string; content_cipher: string; feature_flags: string[]; longnamemax: number; fido2: object | null }[];
}

interface Deprecated {
  confs: Record<string, { text: string; expected_exit_code: number; reason: string }>;
}

const samples = vectorJson<ConfIndex>('confs/index.json').rows;

/** Names of ciphers in the description of the sample vaults, by registry row. */
const VECTOR_NAMES: Readonly<Record<string, string>> = {
  'aes-gcm': 'AES-256-GCM',
  'aes-siv': 'AES-SIV-512',
  'xchacha20-poly1305': 'XChaCha20-Poly1305',
  'aegis-128x2': 'AEGIS-128X2',
  'aegis-256x2': 'AEGIS-256X2',
};

const SALT = 'MeHSsxsnJwngAwptNzuXQlj7JtF1b0uzZuWvVV3cH3w=';
const GOOD = {
  Creator: 'somebody',
  EncryptedKey: 'AAAA',
  ScryptObject: { Salt: SALT, N: 1024, R: 8, P: 1, KeyLen: 32 },
  Version: 2,
  FeatureFlags: ['HKDF', 'GCMIV128', 'DirIV', 'EMENames', 'LongNames', 'Raw64'],
};

function failure(text: string | Uint8Array): { code: ErrorCode; message: string } | null {
  try {
    loadConfig(text);
    return null;
  } catch (error) {
    if (!(error instanceof AegisError)) throw error;
    return { code: error.code, message: error.message };
  }
}

function withFlags(...flags: string[]): string {
  return JSON.stringify({ ...GOOD, FeatureFlags: flags });
}

function withScrypt(changes: object): string {
  return JSON.stringify({ ...GOOD, ScryptObject: { ...GOOD.ScryptObject, ...changes } });
}

describe.each(samples)('configuration of $name', (sample) => {
  const bytes = vectorBytes(`confs/${sample.name}.conf`);

  it('loads with its flags and cipher', () => {
    const config = loadConfig(bytes);
    expect(config.FeatureFlags).toEqual(sample.feature_flags);
    expect(VECTOR_NAMES[cipherOfFlags(config.FeatureFlags!).id]).toBe(sample.content_cipher);
    expect(config.LongNameMax).toBe(sample.longnamemax === 255 ? 0 : sample.longnamemax);
    expect(config.FIDO2 !== null).toBe(sample.fido2 !== null);
    expect(config.EncryptedKey.length).toBe(sample.feature_flags.includes('HKDF') ? 64 : 60);
  });

  it('is written again byte for byte', () => {
    expect(serializeConfig(loadConfig(bytes))).toBe(new TextDecoder().decode(bytes));
  });
});

describe.each(Object.entries(vectorJson<Deprecated>('confs/deprecated-confs.json').confs))('deprecated configuration %s', (_name, conf) => {
  it('is refused with its reason', () => {
    expect(failure(conf.text)).toEqual({ code: 'config-refused', message: conf.reason });
  });
});

describe('tolerance of the reader', () => {
  const good = loadConfig(JSON.stringify(GOOD));

  it.each([
    ['unknown fields', JSON.stringify({ ...GOOD, Extra: [{ deep: { er: 1.5e300 } }], Version2: 'x' })],
    ['fields in another order', JSON.stringify(Object.fromEntries(Object.entries(GOOD).reverse()))],
    [
      'field names in other case',
      JSON.stringify(GOOD).replace('Version', 'vERSION').replace('Salt', 'SALT').replace('FeatureFlags', 'featureflags'),
    ],
    ['white space around', ` \r\n\t${JSON.stringify(GOOD)}\n\n `],
    ['line breaks in base64', JSON.stringify({ ...GOOD, EncryptedKey: 'AA\r\nAA\n' })],
    ['a repeated field, the last one counts', JSON.stringify(GOOD).replace('"Version":2', '"Version":7,"version":2')],
    ['a null over a number or string', JSON.stringify(GOOD).replace(/}$/, ',"Version":null,"Creator":null,"ScryptObject":null}')],
    [
      'an object in two parts',
      JSON.stringify({ ...GOOD, ScryptObject: { N: 1024, R: 8 }, SCRYPTOBJECT: { Salt: SALT, P: 1, KeyLen: 32 } }),
    ],
    ['escapes in strings', JSON.stringify(GOOD).replace('GCMIV128', '\\u0047CMIV128')],
    ['FIDO2 null', JSON.stringify({ ...GOOD, FIDO2: null })],
    ['LongNameMax 0', JSON.stringify({ ...GOOD, LongNameMax: 0 })],
  ])('%s', (_name, text) => {
    expect(loadConfig(text)).toEqual(good);
  });

  it('a FIDO2 object without the flag, and a flag listed twice', () => {
    expect(failure(JSON.stringify({ ...GOOD, FIDO2: { CredentialID: 'AAAA', HMACSalt: 'AAAA' } }))).toBeNull();
    expect(failure(withFlags('HKDF', 'GCMIV128', 'HKDF', 'DirIV', 'DirIV', 'GCMIV128'))).toBeNull();
  });

  it('no Creator', () => {
    const { Creator: _, ...rest } = GOOD;
    expect(loadConfig(JSON.stringify(rest)).Creator).toBe('');
  });
});

describe('texts that are no configuration', () => {
  it('an empty file has an error of its own', () => {
    expect(failure('')).toEqual({ code: 'config-empty', message: 'config file is empty' });
    expect(failure(new Uint8Array(0))?.code).toBe('config-empty');
  });

  it.each([
    ['blanks only', ' \n'],
    ['not JSON', 'hello'],
    ['cut off', JSON.stringify(GOOD).slice(0, -1)],
    ['garbage behind', `${JSON.stringify(GOOD)} x`],
    ['a second object behind', `${JSON.stringify(GOOD)}{}`],
    ['a comma too many', JSON.stringify(GOOD).replace('}', ',}')],
    ['an array', '[]'],
    ['a string', '"x"'],
    ['a byte order mark', new TextEncoder().encode(`\ufeff${JSON.stringify(GOOD)}`)],
    ['Version as string', JSON.stringify({ ...GOOD, Version: '2' })],
    ['Version -1', JSON.stringify({ ...GOOD, Version: -1 })],
    ['Version 65536', JSON.stringify({ ...GOOD, Version: 65536 })],
    ['Version 2.0', JSON.stringify(GOOD).replace('"Version":2', '"Version":2.0')],
    ['Version 2e0', JSON.stringify(GOOD).replace('"Version":2', '"Version":2e0')],
    ['Version 02', JSON.stringify(GOOD).replace('"Version":2', '"Version":02')],
    ['Version true', JSON.stringify({ ...GOOD, Version: true })],
    ['LongNameMax 256', JSON.stringify({ ...GOOD, LongNameMax: 256 })],
    ['LongNameMax -1', JSON.stringify({ ...GOOD, LongNameMax: -1 })],
    ['Creator a number', JSON.stringify({ ...GOOD, Creator: 1 })],
    ['EncryptedKey without padding', JSON.stringify({ ...GOOD, EncryptedKey: 'AAA' })],
    ['EncryptedKey in base64url', JSON.stringify({ ...GOOD, EncryptedKey: 'AA-_' })],
    ['EncryptedKey a number', JSON.stringify({ ...GOOD, EncryptedKey: 5 })],
    ['ScryptObject a string', JSON.stringify({ ...GOOD, ScryptObject: 'x' })],
    ['Salt with a blank', withScrypt({ Salt: `${SALT} ` })],
    ['N a fraction', withScrypt({ N: 1024.5 })],
    ['N beyond 64 bits', JSON.stringify(GOOD).replace('"N":1024', '"N":99999999999999999999')],
    ['N a string', withScrypt({ N: '1024' })],
    ['FeatureFlags a string', JSON.stringify({ ...GOOD, FeatureFlags: 'HKDF' })],
    ['FeatureFlags with a number', JSON.stringify({ ...GOOD, FeatureFlags: ['HKDF', 1] })],
    ['FIDO2 an array', JSON.stringify({ ...GOOD, FIDO2: [] })],
    ['AssertOptions a string', JSON.stringify({ ...GOOD, FIDO2: { AssertOptions: 'x' } })],
    ['HMACSalt malformed', JSON.stringify({ ...GOOD, FIDO2: { HMACSalt: '?' } })],
  ])('%s', (_name, text) => {
    expect(failure(text)?.code).toBe('config-parse');
  });

  it('name the field', () => {
    expect(failure(withScrypt({ Salt: '?' }))?.message).toBe('ScryptObject.Salt: malformed base64');
  });

  it('never end in another error, whatever the text', () => {
    const text = JSON.stringify(GOOD);
    fc.assert(
      fc.property(fc.nat(text.length), fc.nat(4), fc.string({ maxLength: 4 }), (at, cut, insert) => {
        failure(text.slice(0, at) + insert + text.slice(at + cut));
      }),
      { numRuns: 3000 },
    );
  });
});

describe('configurations that are refused', () => {
  it.each([
    ['unsupported on-disk format 0', JSON.stringify({ ...GOOD, Version: undefined })],
    ['unsupported on-disk format 0', 'null'],
    ['unsupported on-disk format 0', '{}'],
    ['unsupported on-disk format 1', JSON.stringify({ ...GOOD, Version: 1 })],
    ['unsupported on-disk format 3', JSON.stringify({ ...GOOD, Version: 3, FeatureFlags: ['Nonsense'] })],
    ['fatal: scryptn below 10 is too low to make sense', withScrypt({ N: 1023 })],
    ['fatal: scryptn below 10 is too low to make sense', withScrypt({ N: -1, R: 1 })],
    ['fatal: scrypt parameter R below minimum: value=7, min=8', withScrypt({ R: 7, P: 0 })],
    ['fatal: scrypt parameter P below minimum: value=0, min=1', withScrypt({ P: 0, Salt: '' })],
    ['fatal: scrypt salt length below minimum: value=31, min=32', withScrypt({ Salt: Buffer.alloc(31).toString('base64'), KeyLen: 31 })],
    ['fatal: scrypt parameter KeyLen below minimum: value=31, min=32', withScrypt({ KeyLen: 31 })],
    ['unknown feature flag "gcmiv128"', withFlags('HKDF', 'gcmiv128', 'Other')],
    ['unknown feature flag ""', withFlags('')],
    ['unknown feature flag "AEGIS128L"', withFlags('HKDF', 'AEGIS128L', 'AESSIV', 'XChaCha20Poly1305')],
    ["can't have both XChaCha20Poly1305 and AESSIV feature flags", withFlags('HKDF', 'GCMIV128', 'AESSIV', 'XChaCha20Poly1305')],
    ["can't have both XChaCha20Poly1305 and AEGIS feature flags", withFlags('HKDF', 'AEGIS', 'XChaCha20Poly1305')],
    ["can't have both XChaCha20Poly1305 and AEGIS256X2 feature flags", withFlags('HKDF', 'AEGIS256X2', 'XChaCha20Poly1305')],
    ["can't have both AEGIS and AEGIS256X2 feature flags", withFlags('HKDF', 'AEGIS256X2', 'AEGIS')],
    ['AESSIV requires GCMIV128 feature flag', withFlags('HKDF', 'AESSIV')],
    ['AESSIV requires GCMIV128 feature flag', withFlags('HKDF', 'AEGIS', 'DirIV', 'AESSIV')],
    ['XChaCha20Poly1305 conflicts with GCMIV128 feature flag', withFlags('GCMIV128', 'XChaCha20Poly1305')],
    ['XChaCha20Poly1305 requires HKDF feature flag', withFlags('XChaCha20Poly1305', 'DirIV')],
    ['AEGIS conflicts with GCMIV128 feature flag', withFlags('HKDF', 'AEGIS', 'GCMIV128')],
    ['AEGIS conflicts with GCMIV128 feature flag', withFlags('HKDF', 'AEGIS', 'GCMIV128', 'AESSIV')],
    ['AEGIS256X2 conflicts with GCMIV128 feature flag', withFlags('HKDF', 'AEGIS256X2', 'GCMIV128')],
    ['AEGIS256X2 requires HKDF feature flag', withFlags('AEGIS256X2')],
    ['AES-GCM requires GCMIV128 feature flag', withFlags('HKDF')],
    ['AES-GCM requires GCMIV128 feature flag', JSON.stringify({ ...GOOD, FeatureFlags: null })],
    ['AES-GCM requires GCMIV128 feature flag', withFlags('PlaintextNames', 'DirIV')],
    ['PlaintextNames conflicts with EMENames feature flag', withFlags('GCMIV128', 'PlaintextNames', 'Raw64', 'DirIV', 'EMENames')],
    ['PlaintextNames conflicts with DirIV feature flag', withFlags('GCMIV128', 'PlaintextNames', 'LongNames', 'DirIV')],
    ['PlaintextNames conflicts with LongNames feature flag', withFlags('GCMIV128', 'PlaintextNames', 'Raw64', 'LongNames')],
    ['PlaintextNames conflicts with Raw64 feature flag', withFlags('GCMIV128', 'PlaintextNames', 'LongNameMax', 'Raw64')],
    ['PlaintextNames conflicts with LongNameMax feature flag', withFlags('GCMIV128', 'PlaintextNames', 'LongNameMax')],
    ['LongNameMax=100 but the LongNameMax feature flag is NOT set', JSON.stringify({ ...GOOD, LongNameMax: 100 })],
    ['LongNameMax=0 but the LongNameMax feature flag IS set', withFlags('GCMIV128', 'LongNameMax')],
    ['the FIDO2 feature flag is set but there is no FIDO2 object', withFlags('GCMIV128', 'FIDO2')],
  ])('%s', (message, text) => {
    expect(failure(text)).toEqual({ code: 'config-refused', message });
  });

  it.each([
    ['AES-GCM without HKDF', ['GCMIV128', 'DirIV', 'EMENames']],
    ['deterministic names', ['HKDF', 'GCMIV128', 'EMENames', 'LongNames', 'Raw64']],
    ['nothing but the nonce flag', ['GCMIV128']],
    ['plaintext names', ['GCMIV128', 'PlaintextNames']],
    ['AEGIS without HKDF', ['AEGIS', 'DirIV']],
    ['AES-SIV without HKDF', ['GCMIV128', 'AESSIV']],
  ])('but not %s', (_name, flags) => {
    expect(failure(withFlags(...flags))).toBeNull();
  });

  it('are not written either', () => {
    const config = parseConfig(withFlags('HKDF'));
    expect(() => serializeConfig(config)).toThrow(expect.objectContaining({ code: 'config-create' }));
  });
});

describe('writing', () => {
  it('gives back every configuration that loads', () => {
    const flagSets = fc.constantFrom<string[]>(
      ['GCMIV128'],
      ['HKDF', 'AEGIS', 'Raw64'],
      ['GCMIV128', 'LongNameMax'],
      ['GCMIV128', 'FIDO2'],
    );
    const bytes = fc.uint8Array({ maxLength: 80 });
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        bytes,
        flagSets,
        fc.integer({ min: 1, max: 255 }),
        fc.option(fc.array(fc.string())),
        (creator, key, flags, max, options) => {
          const config = {
            Creator: creator,
            EncryptedKey: key,
            ScryptObject: { Salt: new Uint8Array(32).fill(3), N: 65536, R: 8, P: 1, KeyLen: 32 },
            Version: 2,
            FeatureFlags: flags,
            FIDO2: flags.includes('FIDO2') ? { CredentialID: key, HMACSalt: key, AssertOptions: options } : null,
            LongNameMax: flags.includes('LongNameMax') ? max : 0,
          };
          expect(loadConfig(serializeConfig(config))).toEqual(config);
        },
      ),
    );
  });
});
