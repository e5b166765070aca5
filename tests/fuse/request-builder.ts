/** Builds requests as the kernel sends them, field by field, without any of the code under test. */

/** A value of a given width; plain strings are NUL-terminated names. */
export type Part = { u32: number } | { u64: number | bigint } | { bytes: Uint8Array } | string;

export const u32 = (value: number): Part => ({ u32: value });
export const u64 = (value: number | bigint): Part => ({ u64: value });
export const bytes = (value: Uint8Array | string): Part => ({ bytes: typeof value === 'string' ? new TextEncoder().encode(value) : value });

function encodePart(part: Part): Buffer {
  if (typeof part === 'string') return Buffer.from(`${part}\0`);
  if ('bytes' in part) return Buffer.from(part.bytes);
  if ('u32' in part) {
    const out = Buffer.alloc(4);
    out.writeUInt32LE(part.u32 >>> 0);
    return out;
  }
  const out = Buffer.alloc(8);
  out.writeBigUInt64LE(BigInt.asUintN(64, BigInt(part.u64)));
  return out;
}

/** Header fields that a test may set. */
export interface Header {
  unique?: number | bigint;
  node?: number | bigint;
  uid?: number;
  gid?: number;
  pid?: number;
  /** In place of the true length. */
  len?: number;
}

/** A whole request: fuse_in_header, then the parts. */
export function buildRequest(opcode: number, parts: Part[], header: Header = {}): Buffer {
  const body = Buffer.concat(parts.map(encodePart));
  const head = Buffer.alloc(40);
  head.writeUInt32LE(header.len ?? 40 + body.length, 0);
  head.writeUInt32LE(opcode, 4);
  head.writeBigUInt64LE(BigInt(header.unique ?? 7), 8);
  head.writeBigUInt64LE(BigInt(header.node ?? 1), 16);
  head.writeUInt32LE(header.uid ?? 1000, 24);
  head.writeUInt32LE(header.gid ?? 100, 28);
  head.writeUInt32LE(header.pid ?? 4711, 32);
  return Buffer.concat([head, body]);
}
