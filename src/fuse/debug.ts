/** One line per request and per reply for -fusedebug (behaviour.md 1.6), made from the opcode table. Names appear in clear text. */
import { errnoName } from '../base/errno.ts';
import { InHeader, OutHeader } from './abi/structs.ts';
import { text } from './decode.ts';
import type { Frame } from './frame.ts';
import type { Name } from './operations.ts';
import type { OpcodeRow } from './table.ts';

/** Takes one line without line break. */
export type DebugSink = (line: string) => void;

/** E.g. `rx 14: LOOKUP node 1 uid 1000 pid 4711, 46 bytes "name"`. */
export function describeRequest(frame: Frame, row: OpcodeRow): string {
  const { unique, node, uid, pid } = frame.request;
  const name = row.name === 'UNKNOWN' ? `opcode ${frame.in32[InHeader.opcode >>> 2]}` : row.name;
  return `rx ${unique}: ${name} node ${node} uid ${uid} pid ${pid}, ${frame.inLen} bytes${body(frame, row)}${strings(frame, row)}`;
}

/** E.g. `tx 14: OK, 128 bytes` or `tx 14: ENOENT`. */
export function describeReply(frame: Frame, row: OpcodeRow): string {
  const error = frame.out32[OutHeader.error >>> 2]! | 0;
  const size = frame.out32[OutHeader.len >>> 2]! - OutHeader.size;
  return `tx ${frame.request.unique}: ${row.name} ${error === 0 ? `OK, ${size} bytes` : errnoName(error)}`;
}

/** The fixed part as hexadecimal 32-bit words: enough to see offsets, sizes and flags. */
function body(frame: Frame, row: OpcodeRow): string {
  const end = Math.min(InHeader.size + row.body, frame.inLen - (frame.inLen % 4));
  const words: string[] = [];
  for (let at = InHeader.size; at < end; at += 4) words.push(frame.in32[at >>> 2]!.toString(16));
  return words.length === 0 ? '' : ` [${words.join(' ')}]`;
}

function strings(frame: Frame, row: OpcodeRow): string {
  const name: Name = { buf: frame.in8, off: 0, len: 0 };
  let at = InHeader.size + row.body;
  let line = '';
  for (let i = 0; i < row.names && at >= 0; i++) {
    at = text(frame, at, name);
    if (at >= 0) line += ` ${JSON.stringify(Buffer.from(frame.in8.subarray(name.off, name.off + name.len)).toString())}`;
  }
  return line;
}
