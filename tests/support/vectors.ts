/** Access to the files of tests/vectors. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** Bytes of a file below tests/vectors. */
export function vectorBytes(name: string): Uint8Array {
  return new Uint8Array(readFileSync(fileURLToPath(new URL(`../vectors/${name}`, import.meta.url))));
}

/** A JSON file below tests/vectors, with the shape its reader knows. */
export function vectorJson<T>(name: string): T {
  return JSON.parse(new TextDecoder().decode(vectorBytes(name))) as T;
}

/** Bytes of hexadecimal text. */
export function hex(text: string): Uint8Array {
  return new Uint8Array(Buffer.from(text, 'hex'));
}

/** Bytes of text in UTF-8. */
export function utf8(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** Text of bytes in UTF-8, of the first `len` if a length is given. */
export function text(bytes: Uint8Array, off = 0, len: number = bytes.length - off): string {
  return new TextDecoder().decode(bytes.subarray(off, off + len));
}

/** Text with one character per byte, of the first `len` if a length is given. */
export function latin1(bytes: Uint8Array, off = 0, len: number = bytes.length - off): string {
  return Buffer.from(bytes.subarray(off, off + len)).toString('latin1');
}

/** The inverse of latin1. */
export function latin1Bytes(chars: string): Uint8Array {
  return new Uint8Array(Buffer.from(chars, 'latin1'));
}
