/** Vault parameters from raw keys, for tests that need no configuration. */
import { KeyKind, kernel } from '../../src/crypto/kernel.ts';
import { cipherById } from '../../src/crypto/registry.ts';
import type { VaultParameters } from '../../src/vault/parameters.ts';

/** Parameters of an AES-GCM vault with the given EME key; everything can be overridden. */
export function testParameters(emeKey: Uint8Array, changes: Partial<VaultParameters> = {}): VaultParameters {
  const cipher = cipherById(changes.cipher ?? 'aes-gcm');
  const overhead = cipher.nonceLen + cipher.tagLen;
  return {
    cipher: cipher.id,
    nonceLen: cipher.nonceLen,
    tagLen: cipher.tagLen,
    overhead,
    cipherBlockSize: 4096 + overhead,
    contentKey: kernel.keyCreate(cipher.kind, new Uint8Array(cipher.keyLen).fill(0x5a)),
    emeKey: kernel.keyCreate(KeyKind.Eme, emeKey),
    plaintextNames: false,
    dirIV: true,
    longNames: true,
    longNameMax: 255,
    paddedBase64: false,
    ...changes,
  };
}

/** Frees the keys that testParameters made. */
export function freeKeys(...all: VaultParameters[]): void {
  for (const parameters of all) {
    kernel.keyFree(parameters.contentKey);
    kernel.keyFree(parameters.emeKey);
  }
}
