/** Byte-range helpers that take offsets and lengths, so that callers need no views. */

const HEX = '0123456789abcdef';

/** Reads a big-endian 16-bit number. */
export function readBE16(buf: Uint8Array, off: number): number {
  return (buf[off]! << 8) | buf[off + 1]!;
}

/** Writes a big-endian 16-bit number. */
export function writeBE16(buf: Uint8Array, off: number, value: number): void {
  buf[off] = value >>> 8;
  buf[off + 1] = value;
}

/** Reads a big-endian 32-bit number, unsigned. */
export function readBE32(buf: Uint8Array, off: number): number {
  return ((buf[off]! << 24) | (buf[off + 1]! << 16) | (buf[off + 2]! << 8) | buf[off + 3]!) >>> 0;
}

/** Writes the low 32 bits of a number, big-endian. */
export function writeBE32(buf: Uint8Array, off: number, value: number): void {
  buf[off] = value >>> 24;
  buf[off + 1] = value >>> 16;
  buf[off + 2] = value >>> 8;
  buf[off + 3] = value;
}

/** Reads a big-endian 64-bit number; exact up to 2^53. */
export function readBE64(buf: Uint8Array, off: number): number {
  return readBE32(buf, off) * 0x1_0000_0000 + readBE32(buf, off + 4);
}

/** Writes a non-negative safe integer as 64 bits, big-endian. */
export function writeBE64(buf: Uint8Array, off: number, value: number): void {
  writeBE32(buf, off, Math.floor(value / 0x1_0000_0000));
  writeBE32(buf, off + 4, value >>> 0);
}

/** True if `len` bytes from `off` are all zero; an empty range is. */
export function isZero(buf: Uint8Array, off: number, len: number): boolean {
  for (let i = off; i < off + len; i++) if (buf[i] !== 0) return false;
  return true;
}

/** Compares two ranges of equal length; not constant time, for public bytes only. */
export function equalBytes(a: Uint8Array, aOff: number, b: Uint8Array, bOff: number, len: number): boolean {
  for (let i = 0; i < len; i++) if (a[aOff + i] !== b[bOff + i]) return false;
  return true;
}

/** True if the range starts with all bytes of `prefix`. */
export function startsWith(buf: Uint8Array, off: number, len: number, prefix: Uint8Array): boolean {
  return len >= prefix.length && equalBytes(buf, off, prefix, 0, prefix.length);
}

/** True if the range ends with all bytes of `suffix`. */
export function endsWith(buf: Uint8Array, off: number, len: number, suffix: Uint8Array): boolean {
  return len >= suffix.length && equalBytes(buf, off + len - suffix.length, suffix, 0, suffix.length);
}

/** True if the range holds exactly the bytes of `other`. */
export function isBytes(buf: Uint8Array, off: number, len: number, other: Uint8Array): boolean {
  return len === other.length && equalBytes(buf, off, other, 0, len);
}

/** Copies `len` bytes without a view; the arrays must not overlap. */
export function copyBytes(src: Uint8Array, srcOff: number, dst: Uint8Array, dstOff: number, len: number): void {
  for (let i = 0; i < len; i++) dst[dstOff + i] = src[srcOff + i]!;
}

/** Bytes of an ASCII text, one per character. */
export function asciiBytes(text: string): Uint8Array {
  const out = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i++) out[i] = text.charCodeAt(i);
  return out;
}

/** Joins byte strings. */
export function concatBytes(...parts: readonly Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let off = 0;
  for (const part of parts) {
    out.set(part, off);
    off += part.length;
  }
  return out;
}

/** Lower-case hexadecimal text of a range. */
export function toHex(buf: Uint8Array, off = 0, len: number = buf.length - off): string {
  let text = '';
  for (let i = off; i < off + len; i++) text += HEX.charAt(buf[i]! >>> 4) + HEX.charAt(buf[i]! & 15);
  return text;
}

/** Bytes of hexadecimal text of either case; null if it is anything else. */
export function fromHex(text: string): Uint8Array | null {
  if (text.length % 2 !== 0 || !/^[0-9a-fA-F]*$/.test(text)) return null;
  const out = new Uint8Array(text.length / 2);
  for (let i = 0; i < out.length; i++) out[i] = Number.parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return out;
}
