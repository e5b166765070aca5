import { kernel } from './kernel.ts';

/** `len` bytes from the kernel's random source, never all zero for 16 bytes or more. */
export function randomBytes(len: number): Uint8Array {
  const out = new Uint8Array(len);
  kernel.randomFill(out, 0, len);
  return out;
}
