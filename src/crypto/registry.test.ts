import { describe, expect, it } from 'vitest';
import { vectorJson } from '../../tests/support/vectors.ts';
import { CIPHERS, cipherById, cipherOfFlags } from './registry.ts';

interface BlockVectors {
  rows: { cipher: string; content_key: string; nonce: string; plaintext: string; block: string }[];
}

describe('registry', () => {
  it('gives lengths that fit the blocks of the vectors', () => {
    const byName = new Map(CIPHERS.map((row) => [row.displayName.toLowerCase(), row]));
    const names: Record<string, string> = { 'AES-256-GCM': 'aes-gcm-256', 'AEGIS-128X2': 'aegis128x2', 'AEGIS-256X2': 'aegis256x2' };
    const seen = new Set<string>();
    for (const block of vectorJson<BlockVectors>('blocks.json').rows) {
      const row = byName.get(names[block.cipher] ?? block.cipher.toLowerCase());
      expect(row, block.cipher).toBeDefined();
      seen.add(row!.id);
      expect(row!.keyLen).toBe(block.content_key.length / 2);
      expect(row!.nonceLen).toBe(block.nonce.length / 2);
      expect(row!.nonceLen + row!.tagLen).toBe((block.block.length - block.plaintext.length) / 2);
    }
    expect(seen.size).toBe(CIPHERS.length);
  });

  it('has unique names everywhere', () => {
    for (const field of ['id', 'displayName', 'speedName', 'kind', 'flag', 'option'] as const) {
      expect(new Set(CIPHERS.map((row) => row[field])).size, field).toBe(CIPHERS.length);
    }
  });

  it.each([
    [[], 'aes-gcm'],
    [['HKDF', 'GCMIV128'], 'aes-gcm'],
    [['GCMIV128', 'AESSIV'], 'aes-siv'],
    [['XChaCha20Poly1305', 'HKDF'], 'xchacha20-poly1305'],
    [['AEGIS'], 'aegis-128x2'],
    [['AEGIS256X2'], 'aegis-256x2'],
    [['AESSIV', 'AEGIS'], 'aegis-128x2'],
    [['AESSIV', 'AEGIS', 'XChaCha20Poly1305'], 'xchacha20-poly1305'],
  ])('flags %j mean %s', (flags, id) => {
    expect(cipherOfFlags(flags).id).toBe(id);
  });

  it('knows no other id', () => {
    expect(() => cipherById('rot13')).toThrow(expect.objectContaining({ code: 'cipher-missing' }));
  });
});
