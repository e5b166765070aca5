/**
 * Base64 as the vault format uses it: strict base64url (RFC 4648 section 5) for names and link targets, over byte ranges and
 * without allocation, and the lenient standard alphabet of configuration files.
 */
import { asciiBytes } from './bytes.ts';

const ALPHABET = asciiBytes('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_');
const PAD = 0x3d;
const INVALID = 0xff;

const VALUES = new Uint8Array(256).fill(INVALID);
for (let i = 0; i < 64; i++) VALUES[ALPHABET[i]!] = i;

/** Length of the base64url text of `len` bytes. */
export function base64UrlLength(len: number, padded: boolean): number {
  return padded ? Math.ceil(len / 3) * 4 : Math.ceil((len * 4) / 3);
}

/** Encodes a range as base64url. @returns length of the text in dst */
export function encodeBase64Url(src: Uint8Array, off: number, len: number, dst: Uint8Array, dstOff: number, padded: boolean): number {
  const end = off + len;
  let at = dstOff;
  let i = off;
  for (; i + 2 < end; i += 3) {
    const bits = (src[i]! << 16) | (src[i + 1]! << 8) | src[i + 2]!;
    dst[at++] = ALPHABET[bits >>> 18]!;
    dst[at++] = ALPHABET[(bits >>> 12) & 63]!;
    dst[at++] = ALPHABET[(bits >>> 6) & 63]!;
    dst[at++] = ALPHABET[bits & 63]!;
  }
  const rest = end - i;
  if (rest > 0) {
    const bits = (src[i]! << 16) | (rest === 2 ? src[i + 1]! << 8 : 0);
    dst[at++] = ALPHABET[bits >>> 18]!;
    dst[at++] = ALPHABET[(bits >>> 12) & 63]!;
    if (rest === 2) dst[at++] = ALPHABET[(bits >>> 6) & 63]!;
    else if (padded) dst[at++] = PAD;
    if (padded) dst[at++] = PAD;
  }
  return at - dstOff;
}

/**
 * Decodes base64url of exactly one kind: right alphabet, padding present or absent as `padded` demands, unused low bits zero,
 * no line breaks (format.md 8.3). After a failure dst holds rubbish.
 * @returns decoded length, or −1
 */
export function decodeBase64Url(text: Uint8Array, off: number, len: number, dst: Uint8Array, dstOff: number, padded: boolean): number {
  let chars = len;
  if (padded) {
    if (len % 4 !== 0) return -1;
    if (chars > 0 && text[off + chars - 1] === PAD) chars--;
    if (chars > 0 && chars < len && text[off + chars - 1] === PAD) chars--;
  }
  const rest = chars % 4;
  if (rest === 1) return -1;
  let at = dstOff;
  let i = off;
  const fullEnd = off + chars - rest;
  for (; i < fullEnd; i += 4) {
    const a = VALUES[text[i]!]!;
    const b = VALUES[text[i + 1]!]!;
    const c = VALUES[text[i + 2]!]!;
    const d = VALUES[text[i + 3]!]!;
    if ((a | b | c | d) > 63) return -1;
    dst[at++] = (a << 2) | (b >>> 4);
    dst[at++] = (b << 4) | (c >>> 2);
    dst[at++] = (c << 6) | d;
  }
  if (rest > 0) {
    const a = VALUES[text[i]!]!;
    const b = VALUES[text[i + 1]!]!;
    const c = rest === 3 ? VALUES[text[i + 2]!]! : 0;
    if ((a | b | c) > 63) return -1;
    if (rest === 2 ? (b & 15) !== 0 : (c & 3) !== 0) return -1;
    dst[at++] = (a << 2) | (b >>> 4);
    if (rest === 3) dst[at++] = (b << 4) | (c >>> 2);
  }
  return at - dstOff;
}

/** Base64url text of a whole array, as a string. */
export function base64UrlText(bytes: Uint8Array, padded: boolean): string {
  const out = new Uint8Array(base64UrlLength(bytes.length, padded));
  encodeBase64Url(bytes, 0, bytes.length, out, 0, padded);
  return Buffer.from(out.buffer).toString('latin1');
}

/** Standard base64 with padding, as configuration files hold it (format.md 4.1). */
export function encodeBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

/** Decodes standard base64; line breaks are skipped, padding is required (format.md 4.1). @returns null if malformed */
export function decodeBase64(text: string): Uint8Array | null {
  const joined = text.replace(/[\r\n]/g, '');
  if (!/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(joined)) return null;
  return new Uint8Array(Buffer.from(joined, 'base64'));
}
