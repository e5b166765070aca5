import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Handles } from '../../shared/handles.ts';
import { openat } from '../../sys/at.ts';
import { AT_FDCWD, DT_DIR, O_DIRECTORY, O_RDONLY } from '../../sys/constants.ts';
import { close } from '../../sys/files.ts';
import { EntryStream } from './entry-stream.ts';
import { noSlowCalls } from './slow-calls.ts';

let dir: string;
let fd: number;
let handle: number;
let handles: Handles;

beforeEach(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'aegisfs-entries-'));
  for (let i = 0; i < 20; i++) fs.writeFileSync(path.join(dir, `file-${i}`), '');
  fd = openat(AT_FDCWD, Buffer.from(`${dir}\0`), 0, O_RDONLY | O_DIRECTORY, 0);
  handles = new Handles(new SharedArrayBuffer(Handles.bytes(16)), 0, 16);
  handle = handles.add(fd, -1, 7, 0);
});

afterEach(() => {
  close(fd);
  fs.rmSync(dir, { recursive: true });
});

/** Takes up to `count` entries and leaves them behind. */
function take(stream: EntryStream, count: number): string[] {
  const names: string[] = [];
  while (names.length < count && stream.load(fd) === 1) {
    names.push(Buffer.from(stream.buffer.subarray(stream.nameAt, stream.nameAt + stream.nameLen)).toString());
    stream.advance();
  }
  return names;
}

describe('the entries of a directory', () => {
  it('come once each, also when every request goes to another worker', () => {
    const streams = [new EntryStream(handles, noSlowCalls), new EntryStream(handles, noSlowCalls)];
    const seen: string[] = [];
    let [lo, hi] = [0, 0];
    for (let turn = 0; ; turn++) {
      const stream = streams[turn % 2]!;
      stream.start(handle, lo, hi);
      const names = take(stream, 3);
      if (names.length === 0) break;
      seen.push(...names);
      [lo, hi] = [stream.nextLo, stream.nextHi];
    }
    expect(seen.sort()).toEqual(['.', '..', ...fs.readdirSync(dir)].sort());
  });

  it('are not those read ahead in an earlier pass, if another worker has begun a new one', () => {
    const [first, second] = [new EntryStream(handles, noSlowCalls), new EntryStream(handles, noSlowCalls)];
    first.start(handle, 0, 0);
    const listed = take(first, 5);
    // The same names keep the same cookies; only what they stand for changes.
    for (const name of fs.readdirSync(dir).filter((name) => !listed.includes(name))) {
      fs.unlinkSync(path.join(dir, name));
      fs.mkdirSync(path.join(dir, name));
    }

    second.start(handle, 0, 0);
    expect(take(second, 5)).toEqual(listed);
    first.start(handle, second.nextLo, second.nextHi);
    const types = new Set<number>();
    for (; first.load(fd) === 1; first.advance()) types.add(first.type);
    expect([...types]).toEqual([DT_DIR]);
  });
});
