/** The 18 bytes before the first block of a non-empty file (format.md 7.2, 7.5). */
import { isZero, readBE16, toHex, writeBE16 } from '../../base/bytes.ts';
import { kernel } from '../../crypto/kernel.ts';
import { FILE_ID_LEN, HEADER_LEN } from './layout.ts';

/** The only format version there is. */
export const FORMAT_VERSION = 2;
/** Offset of the file ID inside the header, bytes. */
export const FILE_ID_OFF = 2;
/** Bytes to read from the start of a file to tell the states apart: a header and one byte of content. */
export const HEADER_PROBE_LEN = HEADER_LEN + 1;

/** What the first bytes of a file mean. */
export const HeaderState = {
  /** No bytes: an empty file. */
  Empty: 0,
  /** 1 to 18 bytes: treated as empty; the next write makes a new header. */
  Incomplete: 1,
  /** Wrong version or all-zero file ID: EIO for reads and writes. */
  Corrupt: 2,
  /** Content follows; the file ID is at FILE_ID_OFF. */
  Ok: 3,
} as const;
export type HeaderState = (typeof HeaderState)[keyof typeof HeaderState];

/** Judges the first `len` bytes of a file, read with HEADER_PROBE_LEN. */
export function headerState(buf: Uint8Array, off: number, len: number): HeaderState {
  if (len === 0) return HeaderState.Empty;
  if (len <= HEADER_LEN) return HeaderState.Incomplete;
  if (readBE16(buf, off) !== FORMAT_VERSION || isZero(buf, off + FILE_ID_OFF, FILE_ID_LEN)) return HeaderState.Corrupt;
  return HeaderState.Ok;
}

/** Writes a header with a new random file ID, HEADER_LEN bytes. */
export function makeHeader(dst: Uint8Array, off: number): void {
  writeBE16(dst, off, FORMAT_VERSION);
  kernel.randomFill(dst, off + FILE_ID_OFF, FILE_ID_LEN);
}

/** Writes a header with a given file ID. */
export function writeHeader(dst: Uint8Array, off: number, fileID: Uint8Array, fileIDOff: number): void {
  writeBE16(dst, off, FORMAT_VERSION);
  for (let i = 0; i < FILE_ID_LEN; i++) dst[off + FILE_ID_OFF + i] = fileID[fileIDOff + i]!;
}

/** What is wrong with a corrupt header, for the log. */
export function describeCorruptHeader(buf: Uint8Array, off: number): string {
  if (isZero(buf, off, HEADER_LEN)) return 'header is all-zero';
  const version = readBE16(buf, off);
  if (version !== FORMAT_VERSION) return `unsupported version ${version}, want ${FORMAT_VERSION}`;
  return `file ID is all-zero in header ${toHex(buf, off, HEADER_LEN)}`;
}
