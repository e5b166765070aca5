/** Every published or generated vector, on every tier of this processor. */
import { describe, expect, it } from 'vitest';
import { KeyKind } from '../native.ts';
import { aegisSeal } from './aegis-reference.ts';
import { CIPHERS, crypto, hex, join, onTier, toHex, vectors, withKey } from './native-fixtures.ts';

interface AegisVector {
  name: string;
  key: string;
  nonce: string;
  ad: string;
  msg: string;
  ct: string;
  tag128: string;
}
interface BlockVector {
  cipher: string;
  content_key: string;
  file_id?: string;
  block_no: string;
  ad: string;
  plaintext: string;
  block: string;
  nonce: string;
}
interface EmeVector {
  name: string;
  key: string;
  tweak: string;
  plaintext: string;
  ciphertext: string;
}
interface ConfVector {
  hkdf: boolean;
  wrap_key: string;
  ad: string;
  masterkey: string;
  encrypted_key_base64: string;
}

const aegis = vectors<{ algorithms: Record<string, { vectors: AegisVector[] }> }>('aegis.json').algorithms;
const blocks = vectors<{ rows: BlockVector[] }>('blocks.json').rows;
const eme = vectors<{ vectors: EmeVector[] }>('eme.json').vectors;
const conf = vectors<{ rows: ConfVector[] }>('conf.json').rows;

const kindOf = (cipher: string) => CIPHERS.find(({ name }) => cipher.startsWith(name))!.kind;
const isZero = (text: string) => /^0*$/.test(text);

describe.each(crypto.tiers())('vectors on tier %s', (tier) => {
  const each = <T>(rows: T[], check: (row: T) => void) => onTier(tier, () => rows.forEach(check));

  it.each(['AEGIS-128X2', 'AEGIS-256X2'])('%s', (name) => {
    const rows = aegis[name]!.vectors;
    expect(rows.length).toBeGreaterThan(30);
    each(rows, (v) => {
      withKey(kindOf(name), hex(v.key), (key) => {
        const sealed = v.nonce + v.ct + v.tag128;
        expect(toHex(crypto.sealOne(key, hex(v.nonce), hex(v.msg), hex(v.ad))), v.name).toBe(sealed);
        const opened = crypto.openOne(key, hex(sealed), hex(v.ad));
        // A zero nonce is refused on opening (format.md 7.4), whatever the vector says.
        if (isZero(v.nonce)) expect(opened).toBeNull();
        else expect(toHex(opened!), v.name).toBe(v.msg);
      });
    });
  });

  it('file blocks of every cipher', () => {
    expect(new Set(blocks.map((v) => kindOf(v.cipher))).size).toBe(5);
    each(blocks, (v) => {
      withKey(kindOf(v.cipher), hex(v.content_key), (key) => {
        expect(toHex(crypto.sealOne(key, hex(v.nonce), hex(v.plaintext), hex(v.ad))), v.cipher).toBe(v.block);
        expect(toHex(crypto.openOne(key, hex(v.block), hex(v.ad))!), v.cipher).toBe(v.plaintext);
        const blockNo = Number(v.block_no);
        if (!v.file_id || !Number.isSafeInteger(blockNo)) return;
        const out = new Uint8Array(4096);
        const len = crypto.openRun(key, hex(v.block), 0, v.block.length / 2, out, 0, hex(v.file_id), 0, blockNo);
        expect(toHex(out.subarray(0, len)), v.cipher).toBe(v.plaintext);
      });
    });
  });

  it('EME', () => {
    each(eme, (v) => {
      withKey(KeyKind.Eme, hex(v.key), (key) => {
        const times = v.name.includes('100 times in a row') ? 100 : 1;
        const data = hex(v.plaintext);
        for (let i = 0; i < times; i++) crypto.emeTransform(key, false, hex(v.tweak), 0, data, 0, data.length);
        expect(toHex(data), v.name).toBe(v.ciphertext);
        for (let i = 0; i < times; i++) crypto.emeTransform(key, true, hex(v.tweak), 0, data, 0, data.length);
        expect(toHex(data), v.name).toBe(v.plaintext);
      });
    });
  });

  it('wrapped master keys, with 16- and 12-byte nonces', () => {
    expect(conf.map((v) => v.hkdf).sort()).toEqual([false, true]);
    each(conf, (v) => {
      withKey(v.hkdf ? KeyKind.AesGcm : KeyKind.AesGcm96, hex(v.wrap_key), (key) => {
        const wrapped = Uint8Array.from(Buffer.from(v.encrypted_key_base64, 'base64'));
        expect(toHex(crypto.openOne(key, wrapped, hex(v.ad))!)).toBe(v.masterkey);
        const nonce = wrapped.subarray(0, v.hkdf ? 16 : 12);
        expect(crypto.sealOne(key, nonce, hex(v.masterkey), hex(v.ad))).toEqual(wrapped);
      });
    });
  });
});

it.each(['AEGIS-128X2', 'AEGIS-256X2'])(
  'the reference implementation that the other tests compare with knows the vectors of %s',
  (name) => {
    for (const v of aegis[name]!.vectors) {
      expect(toHex(aegisSeal(hex(v.key), hex(v.nonce), hex(v.msg), hex(v.ad))), v.name).toBe(toHex(join(hex(v.ct), hex(v.tag128))));
    }
  },
);
