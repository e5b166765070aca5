/**
 * Paths and words of the command line as text. They are bytes and need not be UTF-8; the runtime would put U+FFFD in the place of what is
 * not. Here a byte NN that is not part of a UTF-8 sequence becomes the lone surrogate U+DCNN, which no UTF-8 decodes to, and comes back as
 * the same byte. So paths stay ordinary strings, and only the calls that need their bytes convert them.
 */

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
/** With the flag u the halves of a pair do not match. */
const ESCAPED = /[\udc80-\udcff]/u;
const LONE_SURROGATE = 0xdc00;

/** Bytes as text. */
export function textOfBytes(bytes: Uint8Array): string {
  try {
    return decoder.decode(bytes);
  } catch {
    return decodeParts(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
  }
}

function decodeParts(bytes: Buffer): string {
  let text = '';
  for (let at = 0; at < bytes.length; ) {
    const len = [4, 3, 2, 1].find((size) => at + size <= bytes.length && isOneCharacter(bytes.subarray(at, at + size)));
    text += len === undefined ? String.fromCharCode(LONE_SURROGATE + (bytes[at] ?? 0)) : bytes.toString('utf8', at, at + len);
    at += len ?? 1;
  }
  return text;
}

function isOneCharacter(bytes: Uint8Array): boolean {
  try {
    return [...decoder.decode(bytes)].length === 1;
  } catch {
    return false;
  }
}

/** The bytes that a text stands for. */
export function bytesOfText(text: string): Buffer {
  if (!ESCAPED.test(text)) {
    return Buffer.from(text);
  }
  return Buffer.concat(
    Array.from(text, (char) => (ESCAPED.test(char) ? Buffer.of(char.charCodeAt(0) - LONE_SURROGATE) : Buffer.from(char))),
  );
}

/** A path in the form that `node:fs` takes: the text itself where that is the same. */
export function fsPath(path: string): string | Buffer {
  return ESCAPED.test(path) ? bytesOfText(path) : path;
}
