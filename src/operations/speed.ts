/** How fast each content cipher encrypts on this machine (behaviour.md 1.8). */
import fs from 'node:fs';
import { KeyKind, kernel } from '../crypto/kernel.ts';
import { randomBytes } from '../crypto/random.ts';
import { CIPHERS, type CipherRow } from '../crypto/registry.ts';

/** One measurement. */
export interface SpeedRow {
  /** Cipher and engine, e.g. `AES-GCM-256-VAES512`. */
  readonly name: string;
  /** 10^6 bytes per second. */
  readonly megabytesPerSecond: number;
  /** This engine is used unless told otherwise. */
  readonly selected: boolean;
}

const BLOCK_LEN = 4096;
/** Blocks sealed per call: what one full FUSE write brings. */
const RUN_BLOCKS = 32;
const FILE_ID_LEN = 16;

/** Engine names by instruction-set tier, for ciphers built on AES and for the one that is not. */
const AES_ENGINES: Readonly<Record<string, string>> = {
  portable: 'Generic',
  aesni: 'AESNI',
  vaes: 'VAES256',
  avx512: 'VAES512',
  evp: 'OpenSSL',
};
const VECTOR_ENGINES: Readonly<Record<string, string>> = { portable: 'Generic', vaes: 'AVX2', avx512: 'AVX512', evp: 'OpenSSL' };

/** Processor model, or "unknown"; source: /proc/cpuinfo. */
export function cpuModel(): string {
  try {
    const text = fs.readFileSync('/proc/cpuinfo', 'utf8');
    return /^model name\s*:\s*(.+)$/m.exec(text)?.[1] ?? /^Hardware\s*:\s*(.+)$/m.exec(text)?.[1] ?? 'unknown';
  } catch {
    return 'unknown';
  }
}

/** True if the processor has instructions for AES and carry-less multiplication. */
export function cpuHasAes(): boolean {
  return kernel.hasAesAcceleration();
}

/**
 * Measures every cipher with every engine this processor can run, slowest engine first. Other threads must not use the ciphers meanwhile.
 * @param milliseconds how long each row is measured
 */
export function* measureSpeed(milliseconds: number, ciphers: readonly CipherRow[] = CIPHERS): Generator<SpeedRow> {
  for (const row of [...ciphers].sort((a, b) => a.kind - b.kind)) {
    const selected = kernel.tierOf(row.kind);
    for (const tier of enginesOf(row)) {
      const megabytesPerSecond = measureSealing(row, tier, milliseconds);
      const engines = row.kind === KeyKind.XChaCha20Poly1305 ? VECTOR_ENGINES : AES_ENGINES;
      yield { name: `${row.speedName}-${engines[tier] ?? tier}`, megabytesPerSecond, selected: tier === selected };
    }
  }
}

/** The distinct engines that the tiers of this processor give for one cipher. */
function enginesOf(row: CipherRow): string[] {
  const engines = kernel.tiers().map((tier) => withTier(tier, () => kernel.tierOf(row.kind)));
  return [...new Set(engines)];
}

function withTier<T>(tier: string, action: () => T): T {
  kernel.forceTier(tier);
  try {
    return action();
  } finally {
    kernel.forceTier(null);
  }
}

function measureSealing(row: CipherRow, engine: string, milliseconds: number): number {
  const tier = kernel.tiers().find((candidate) => withTier(candidate, () => kernel.tierOf(row.kind)) === engine);
  return tier === undefined ? 0 : withTier(tier, () => sealFor(row, milliseconds));
}

function sealFor(row: CipherRow, milliseconds: number): number {
  const keyBytes = randomBytes(row.keyLen);
  const key = kernel.keyCreate(row.kind, keyBytes);
  keyBytes.fill(0);
  const plain = new Uint8Array(RUN_BLOCKS * BLOCK_LEN);
  const sealed = new Uint8Array(RUN_BLOCKS * (BLOCK_LEN + row.nonceLen + row.tagLen));
  const fileID = randomBytes(FILE_ID_LEN);
  try {
    const start = performance.now();
    let elapsed = 0;
    let bytes = 0;
    while (elapsed < milliseconds) {
      // One look at the clock per call costs less than a thousandth of it.
      kernel.sealRun(key, plain, 0, plain.length, sealed, 0, fileID, 0, 0);
      bytes += plain.length;
      elapsed = performance.now() - start;
    }
    return bytes / elapsed / 1000;
  } finally {
    kernel.keyFree(key);
  }
}
