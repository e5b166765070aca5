import { afterAll, describe, expect, it } from 'vitest';
import { hex, vectorBytes, vectorJson } from '../../../tests/support/vectors.ts';
import { kernel } from '../../crypto/kernel.ts';
import type { VaultParameters } from '../parameters.ts';
import { loadConfig } from './parse.ts';
import { parametersFromOptions, toParameters, type VaultOptions } from './unlock.ts';

interface ConfIndex {
  rows: { name: string; masterkey: string; masterkey_mount_args: string[]; longnamemax: number }[];
}

const samples = vectorJson<ConfIndex>('confs/index.json').rows;
const MASTER_KEY = new Uint8Array(32).fill(7);
const DEFAULTS: VaultOptions = {
  cipherOptions: [],
  reverse: false,
  plaintextNames: false,
  deterministicNames: false,
  longNameMax: 255,
  longNames: true,
  raw64: true,
  hkdf: true,
};

const made: VaultParameters[] = [];

function remember(parameters: VaultParameters): VaultParameters {
  made.push(parameters);
  return parameters;
}

afterAll(() => {
  for (const { contentKey, emeKey } of made) {
    kernel.keyFree(contentKey);
    kernel.keyFree(emeKey);
  }
});

/** Options of a list such as ['-aegis', '-raw64=false']. */
function optionsOf(args: readonly string[]): VaultOptions {
  const given = new Map<string, string | undefined>();
  for (const [i, arg] of args.entries()) {
    const [name, value] = arg.slice(1).split('=');
    if (arg.startsWith('-')) given.set(name!, value ?? args[i + 1]);
  }
  return {
    ...DEFAULTS,
    cipherOptions: ['aessiv', 'xchacha', 'aegis', 'aegis256x2'].filter((option) => given.has(option)),
    reverse: given.has('reverse'),
    plaintextNames: given.has('plaintextnames'),
    deterministicNames: given.has('deterministic-names'),
    longNameMax: Number(given.get('longnamemax') ?? 255),
    raw64: given.get('raw64') !== 'false',
    hkdf: given.get('hkdf') !== 'false',
  };
}

function sealsFor(from: VaultParameters, to: VaultParameters): boolean {
  const plain = new Uint8Array(3).fill(1);
  const ad = new Uint8Array(8);
  return kernel.openOne(to.contentKey, kernel.sealOne(from.contentKey, null, plain, ad), ad) !== null;
}

describe.each(samples)('parameters of $name', (sample) => {
  it('are the same from the configuration and from the options of a master key mount', () => {
    // The AEGIS branch head called its 256-bit cipher -aegis, too.
    const args = sample.name.startsWith('aegis256x2') ? ['-aegis256x2'] : sample.masterkey_mount_args;
    const fromConfig = remember(
      toParameters(loadConfig(vectorBytes(`confs/${sample.name}.conf`)), hex(sample.masterkey), { longNames: true }),
    );
    const fromOptions = remember(parametersFromOptions(hex(sample.masterkey), optionsOf(args)));
    const { contentKey: _c1, emeKey: _e1, ...factsOfConfig } = fromConfig;
    const { contentKey: _c2, emeKey: _e2, ...factsOfOptions } = fromOptions;
    expect(factsOfOptions).toEqual(factsOfConfig);
    expect(factsOfConfig.longNameMax).toBe(sample.longnamemax);
    expect(sealsFor(fromConfig, fromOptions)).toBe(true);
    expect(kernel.keyIsZero(fromConfig.contentKey)).toBe(false);
    for (const keys of made.splice(0)) {
      kernel.keyFree(keys.contentKey);
      kernel.keyFree(keys.emeKey);
    }
  });
});

describe('options alone', () => {
  it.each([
    [[], 'aes-gcm', 32, 4128],
    [['aessiv'], 'aes-siv', 32, 4128],
    [['xchacha'], 'xchacha20-poly1305', 40, 4136],
    [['aessiv', 'xchacha'], 'xchacha20-poly1305', 40, 4136],
    [['aegis'], 'aegis-128x2', 32, 4128],
    [['aessiv', 'aegis'], 'aegis-128x2', 32, 4128],
    [['aegis256x2'], 'aegis-256x2', 48, 4144],
  ] as const)('%j mean %s', (cipherOptions, cipher, overhead, cipherBlockSize) => {
    const parameters = remember(parametersFromOptions(MASTER_KEY, { ...DEFAULTS, cipherOptions }));
    expect(parameters).toMatchObject({ cipher, overhead, cipherBlockSize });
  });

  it.each([
    [{ cipherOptions: ['xchacha', 'aegis'] }],
    [{ cipherOptions: ['aegis', 'aegis256x2'] }],
    [{ cipherOptions: ['xchacha'], hkdf: false }],
    [{ cipherOptions: ['aegis256x2'], hkdf: false }],
    [{ cipherOptions: ['aegis'], reverse: true }],
    [{ cipherOptions: ['xchacha'], reverse: true }],
  ])('%j contradict each other', (changes) => {
    expect(() => parametersFromOptions(MASTER_KEY, { ...DEFAULTS, ...changes })).toThrow(expect.objectContaining({ code: 'usage' }));
  });

  it('stand for the flags of a configuration', () => {
    expect(remember(parametersFromOptions(MASTER_KEY, DEFAULTS))).toMatchObject({
      plaintextNames: false,
      dirIV: true,
      longNames: true,
      longNameMax: 255,
      paddedBase64: false,
    });
    const other = { deterministicNames: true, longNames: false, longNameMax: 0, raw64: false, hkdf: false, cipherOptions: ['aegis'] };
    expect(remember(parametersFromOptions(MASTER_KEY, { ...DEFAULTS, ...other }))).toMatchObject({
      dirIV: false,
      longNames: false,
      longNameMax: 255,
      paddedBase64: true,
    });
    expect(remember(parametersFromOptions(MASTER_KEY, { ...DEFAULTS, plaintextNames: true }))).toMatchObject({
      plaintextNames: true,
      dirIV: false,
      paddedBase64: false,
    });
    expect(remember(parametersFromOptions(MASTER_KEY, { ...DEFAULTS, reverse: true })).cipher).toBe('aes-siv');
  });
});
