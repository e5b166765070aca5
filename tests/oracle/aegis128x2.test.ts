import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../support/program.ts';
import { aesRound, initialState, open, seal } from './aegis128x2.ts';

interface Vectors {
  aesround: { in: string; rk: string; out: string };
  algorithms: {
    'AEGIS-128X2': {
      init_state: { key: string; nonce: string; V: string[][] };
      vectors: { name: string; key: string; nonce: string; ad: string; msg: string; ct: string; tag128: string }[];
    };
  };
}

const vectors = JSON.parse(fs.readFileSync(path.join(ROOT, 'tests/vectors/aegis.json'), 'utf8')) as Vectors;
const aegis = vectors.algorithms['AEGIS-128X2'];
const bytes = (hex: string) => Uint8Array.from(Buffer.from(hex, 'hex'));
const hex = (data: Uint8Array) => Buffer.from(data).toString('hex');

describe('the slow AEGIS-128X2', () => {
  it('computes the published AES round', () => {
    expect(hex(aesRound(bytes(vectors.aesround.in), bytes(vectors.aesround.rk)))).toBe(vectors.aesround.out);
  });

  it('starts from the published state', () => {
    const state = initialState(bytes(aegis.init_state.key), bytes(aegis.init_state.nonce));
    const rows = state[0]?.map((_, j) => state.map((lane) => hex(lane[j] ?? new Uint8Array())));
    expect(rows).toEqual(aegis.init_state.V);
  });

  it.each(aegis.vectors)('$name', ({ key, nonce, ad, msg, ct, tag128 }) => {
    const sealed = seal(bytes(key), bytes(nonce), bytes(ad), bytes(msg));
    expect(hex(sealed)).toBe(ct + tag128);
    expect(open(bytes(key), bytes(nonce), bytes(ad), sealed)).toEqual(bytes(msg));
    sealed[sealed.length - 1] = (sealed[sealed.length - 1] ?? 0) ^ 1;
    expect(open(bytes(key), bytes(nonce), bytes(ad), sealed)).toBeNull();
  });
});
