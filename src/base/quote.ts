/** Names in messages: file names are bytes, a line of output is text. */

const SHORT_ESCAPES = new Map<number, string>([
  [0x07, '\\a'],
  [0x08, '\\b'],
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0b, '\\v'],
  [0x0c, '\\f'],
  [0x0d, '\\r'],
  [0x22, '\\"'],
  [0x5c, '\\\\'],
]);
const PRINTABLE = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u;
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * Puts a name in double quotes the way the messages of the original do (behaviour.md 9): printable characters as they are, everything
 * that could break the line or steer a terminal escaped, bytes that are no UTF-8 as `\xNN`.
 * @param bytes one character per byte (latin1)
 */
export function quoteName(bytes: string): string {
  const raw = Buffer.from(bytes, 'latin1');
  let text = '"';
  for (let at = 0; at < raw.length; ) {
    const len = sequenceLength(raw[at]!);
    const char = decode(raw.subarray(at, at + len));
    if (char === null) {
      text += `\\x${hex(raw[at]!, 2)}`;
      at += 1;
      continue;
    }
    text += escapeChar(char);
    at += len;
  }
  return `${text}"`;
}

/** `quoteName` for `len` bytes of a buffer. */
export function quoteNameAt(buf: Uint8Array, off: number, len: number): string {
  return quoteName(Buffer.from(buf.buffer, buf.byteOffset + off, len).toString('latin1'));
}

/** Bytes of the UTF-8 sequence that starts with a byte; 1 if none does. */
function sequenceLength(lead: number): number {
  if (lead >= 0xf0) return 4;
  if (lead >= 0xe0) return 3;
  return lead >= 0xc0 ? 2 : 1;
}

function decode(sequence: Uint8Array): string | null {
  try {
    return decoder.decode(sequence);
  } catch {
    return null;
  }
}

function escapeChar(char: string): string {
  const code = char.codePointAt(0) ?? 0;
  const short = SHORT_ESCAPES.get(code);
  if (short !== undefined) return short;
  if (PRINTABLE.test(char)) return char;
  if (code < 0x80) return `\\x${hex(code, 2)}`;
  return code < 0x10000 ? `\\u${hex(code, 4)}` : `\\U${hex(code, 8)}`;
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, '0');
}
