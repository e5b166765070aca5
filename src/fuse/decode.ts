/** Reads numbers and names out of a request; nothing here allocates. The dispatcher has checked that the fixed part is there. */
import { InHeader } from './abi/structs.ts';
import type { Frame } from './frame.ts';
import type { Name } from './operations.ts';

const TWO_32 = 4294967296;
/** Largest high half of a number that still fits into 53 bits. */
const MAX_HIGH = 0x1fffff;

/** 32 unsigned bits at byte `off` of the body (a multiple of 4). */
export function u32(frame: Frame, off: number): number {
  return frame.in32[(InHeader.size + off) >>> 2]!;
}

/** 64 unsigned bits at byte `off` of the body (a multiple of 8); −1 if the value is 2^53 or more, which nothing here ever hands out. */
export function u64(frame: Frame, off: number): number {
  return u64At(frame.in32, (InHeader.size + off) >>> 2);
}

/** 64 unsigned bits at 32-bit word `index`; −1 if the value is 2^53 or more. */
export function u64At(words: Uint32Array, index: number): number {
  const high = words[index + 1]!;
  return high > MAX_HIGH ? -1 : high * TWO_32 + words[index]!;
}

/** 64 signed bits at byte `off` of the body (a multiple of 8); NaN outside ±2^53. Times are signed, although the header says unsigned. */
export function i64(frame: Frame, off: number): number {
  const index = (InHeader.size + off) >>> 2;
  const high = frame.in32[index + 1]! | 0;
  return high > MAX_HIGH || high < -MAX_HIGH - 1 ? Number.NaN : high * TWO_32 + frame.in32[index]!;
}

/**
 * Takes a file name at byte `at` of the request.
 * @returns the byte behind its NUL, or −1 if it is empty, holds '/' or does not end inside the request
 */
export function fileName(frame: Frame, at: number, name: Name): number {
  const bytes = frame.in8;
  const end = frame.inLen;
  for (let i = at; i < end; i++) {
    const byte = bytes[i]!;
    if (byte === 0) {
      name.off = at;
      name.len = i - at;
      return i === at ? -1 : i + 1;
    }
    if (byte === 0x2f) return -1;
  }
  return -1;
}

/**
 * Takes any other NUL-terminated string (symlink target, attribute name) at byte `at` of the request; it may hold '/'.
 * @returns the byte behind its NUL, or −1 if it is empty or does not end inside the request
 */
export function text(frame: Frame, at: number, name: Name): number {
  const bytes = frame.in8;
  const end = frame.inLen;
  for (let i = at; i < end; i++) {
    if (bytes[i] === 0) {
      name.off = at;
      name.len = i - at;
      return i === at ? -1 : i + 1;
    }
  }
  return -1;
}
