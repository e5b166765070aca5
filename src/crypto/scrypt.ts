import { scryptSync } from 'node:crypto';
import { AegisError } from '../base/errors.ts';

/** Largest table one scrypt computation may use, bytes: 4 GiB, which is logN 22 with the usual R = 8. */
export const SCRYPT_MEMORY_LIMIT = 4 * 1024 ** 3;

/** Length of the output the vault format uses, bytes. */
export const SCRYPT_KEY_LEN = 32;

/** Cost parameters as RFC 7914 names them. */
export interface ScryptCost {
  readonly N: number;
  readonly R: number;
  readonly P: number;
  /** Length of the output, bytes. */
  readonly KeyLen: number;
}

/** Size of the larger of the two tables that a computation needs, bytes (V and B of RFC 7914 section 6). */
export function scryptMemory(cost: ScryptCost): number {
  return 128 * cost.R * Math.max(cost.N, cost.P);
}

/** Why these parameters cannot be computed; null if they can. */
export function scryptObjection(cost: ScryptCost): string | null {
  const { N, R, P, KeyLen } = cost;
  if (!Number.isSafeInteger(N) || N < 2 || !isPowerOfTwo(N)) return `scrypt parameter N=${N} is not a power of two above 1`;
  if (!Number.isSafeInteger(R) || R < 1) return `scrypt parameter R=${R} is not a positive integer`;
  if (!Number.isSafeInteger(P) || P < 1) return `scrypt parameter P=${P} is not a positive integer`;
  if (KeyLen !== SCRYPT_KEY_LEN) return `scrypt parameter KeyLen=${KeyLen} is not supported, it must be ${SCRYPT_KEY_LEN}`;
  if (R * P >= 2 ** 30) return `scrypt parameters R=${R} and P=${P} are too large together: R*P must be below 2^30`;
  const memory = scryptMemory(cost);
  if (memory > SCRYPT_MEMORY_LIMIT) {
    const mebibytes = Math.ceil(memory / 1024 ** 2);
    return `scrypt with N=${N}, R=${R}, P=${P} needs ${mebibytes} MiB of memory, the limit is ${SCRYPT_MEMORY_LIMIT / 1024 ** 2} MiB`;
  }
  return null;
}

/**
 * scrypt (RFC 7914). The caller zeroes the result.
 * @throws AegisError 'scrypt-params' if the parameters are unusable or the memory cannot be had
 */
export function scrypt(password: Uint8Array, salt: Uint8Array, cost: ScryptCost): Uint8Array {
  const objection = scryptObjection(cost);
  if (objection !== null) throw new AegisError('scrypt-params', objection);
  const options = { N: cost.N, r: cost.R, p: cost.P, maxmem: 128 * cost.R * (cost.N + cost.P + 2) + 1024 * 1024 };
  try {
    return scryptSync(password, salt, cost.KeyLen, options);
  } catch (error) {
    throw new AegisError('scrypt-params', `scrypt with N=${cost.N}, R=${cost.R}, P=${cost.P} failed: ${(error as Error).message}`);
  }
}

function isPowerOfTwo(n: number): boolean {
  return Number.isInteger(Math.log2(n)) && 2 ** Math.log2(n) === n;
}
