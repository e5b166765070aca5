/** The buffers and argument objects of one worker: made once, used for every request. */
import type { Logger } from '../base/log.ts';
import { STAT_FIELDS, STATFS_FIELDS } from '../native.ts';
import { MAX_IO, OutHeader, REQUEST_BUFFER } from './abi/structs.ts';
import { ReplyDirSink } from './dir-sink.ts';
import type { AttrOut, EntryOut, Name, OpenOut, Request, SetAttr } from './operations.ts';

/**
 * One request and its reply.
 *
 * Every structure in a request lies at a multiple of 8 bytes, because the header is 40 bytes long and the kernel pads its structures; only
 * names and data behind them have any alignment. So fields are read and written through 32-bit views of the same memory.
 */
export class Frame {
  readonly in8: Uint8Array;
  readonly in32: Uint32Array;
  readonly out8: Uint8Array;
  readonly out32: Uint32Array;
  /** Length of the request, bytes. */
  inLen = 0;

  readonly request: Request = { unique: 0, node: 0, uid: 0, gid: 0, pid: 0 };
  readonly name: Name;
  readonly secondName: Name;
  readonly entry: EntryOut = { node: 0, generation: 0, entryTimeout: 0, attrTimeout: 0, attr: new Float64Array(STAT_FIELDS) };
  readonly attr: AttrOut = { attrTimeout: 0, attr: new Float64Array(STAT_FIELDS) };
  readonly open: OpenOut = { handle: 0, flags: 0 };
  readonly setAttr: SetAttr = {
    valid: 0,
    handle: -1,
    mode: 0,
    uid: 0,
    gid: 0,
    size: 0,
    atimeSec: 0,
    atimeNsec: 0,
    mtimeSec: 0,
    mtimeNsec: 0,
  };
  readonly statfs = new Float64Array(STATFS_FIELDS);
  readonly sink: ReplyDirSink;
  readonly log: Logger;

  constructor(log: Logger) {
    const request = new ArrayBuffer(REQUEST_BUFFER);
    this.in8 = new Uint8Array(request);
    this.in32 = new Uint32Array(request);
    const reply = new ArrayBuffer(OutHeader.size + MAX_IO);
    this.out8 = new Uint8Array(reply);
    this.out32 = new Uint32Array(reply);
    this.name = { buf: this.in8, off: 0, len: 0 };
    this.secondName = { buf: this.in8, off: 0, len: 0 };
    this.sink = new ReplyDirSink(this.out8, this.out32);
    this.log = log;
  }
}
