import { createCipheriv } from 'node:crypto';
import fs from 'node:fs';

/** Plaintext sizes around every border of the 4096-byte blocks and of the 128-KiB and 1-MiB requests. */
export const BORDER_SIZES = [
  0, 1, 2, 15, 16, 17, 4095, 4096, 4097, 8191, 8192, 8193, 12287, 12288, 12289, 131071, 131072, 131073, 1048575, 1048576, 1048577,
] as const;

/** The same bytes for the same seed: the key stream of AES-128-CTR. */
export function pattern(size: number, seed = 1): Buffer {
  const key = Buffer.alloc(16);
  key.writeUInt32LE(seed);
  return createCipheriv('aes-128-ctr', key, Buffer.alloc(16)).update(Buffer.alloc(size));
}

/** A sequence of pseudo-random numbers below the limit of each call; the same for the same seed (xorshift32). */
export function numbers(seed: number): (limit: number) => number {
  let state = seed;
  return (limit) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) % limit;
  };
}

/** Opens, hands the descriptor on and closes it whatever happens. */
export function withFile<T>(file: string, flags: string | number, use: (fd: number) => T): T {
  const fd = fs.openSync(file, flags, 0o644);
  try {
    return use(fd);
  } finally {
    fs.closeSync(fd);
  }
}

export function readAt(fd: number, offset: number, length: number): Buffer {
  const data = Buffer.alloc(length);
  return data.subarray(0, fs.readSync(fd, data, 0, length, offset));
}
