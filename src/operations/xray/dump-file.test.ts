import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type BlockReport, dumpFile, layoutOfOption } from './dump-file.ts';

const FILE_ID = Buffer.from('00112233445566778899aabbccddeeff', 'hex');
const HEADER = Buffer.concat([Buffer.from([0, 2]), FILE_ID]);

let dir: string;
beforeAll(() => {
  dir = fs.mkdtempSync(path.join(os.tmpdir(), 'aegisfs-xray-'));
});
afterAll(() => fs.rmSync(dir, { recursive: true }));

/** Dumps bytes as a file. */
function dump(content: Uint8Array, option: string | null = null) {
  const file = path.join(dir, 'file');
  fs.writeFileSync(file, content);
  const headers: unknown[][] = [];
  const blocks: BlockReport[] = [];
  const end = dumpFile(file, layoutOfOption(option), { header: (...header) => headers.push(header), block: (block) => blocks.push(block) });
  return { end, headers, blocks };
}

/** A block whose nonce, body and tag are made of one byte each. */
function block(nonceLen: number, bodyLen: number): Buffer {
  return Buffer.concat([Buffer.alloc(nonceLen, 0xaa), Buffer.alloc(bodyLen, 0xbb), Buffer.alloc(16, 0xcc)]);
}

describe('dumpFile', () => {
  it.each([
    [null, 'AES-GCM-256', 16],
    ['xchacha', 'XChaCha20-Poly1305', 24],
    ['aegis', 'Aegis128X2', 16],
    ['aegis256x2', 'Aegis256X2', 32],
  ] as const)('shows header and blocks, option %s', (option, name, nonceLen) => {
    const full = nonceLen + 4096 + 16;
    const { end, headers, blocks } = dump(Buffer.concat([HEADER, block(nonceLen, 4096), block(nonceLen, 904)]), option);
    expect(end).toEqual({ kind: 'complete' });
    expect(headers).toEqual([[2, FILE_ID.toString('hex'), name]]);
    const texts = { nonce: 'aa'.repeat(nonceLen), tag: 'cc'.repeat(16) };
    expect(blocks).toEqual([
      { number: 0, ...texts, offset: 18, length: full },
      { number: 1, ...texts, offset: 18 + full, length: nonceLen + 904 + 16 },
    ]);
  });

  it('finds the tag of AES-SIV behind the nonce', () => {
    const { blocks } = dump(Buffer.concat([HEADER, Buffer.alloc(16, 1), Buffer.alloc(16, 2), Buffer.alloc(5, 3)]), 'aessiv');
    expect(blocks).toEqual([{ number: 0, nonce: '01'.repeat(16), tag: '02'.repeat(16), offset: 18, length: 37 }]);
  });

  it('shows a header without blocks', () => {
    expect(dump(HEADER)).toMatchObject({ end: { kind: 'complete' }, blocks: [] });
  });

  it('tells empty, cut and damaged files apart', () => {
    expect(dump(Buffer.alloc(0)).end).toEqual({ kind: 'empty' });
    for (const length of [1, 17]) {
      const message = `incomplete file header: read ${length} bytes, want 18`;
      expect(dump(HEADER.subarray(0, length)).end).toEqual({ kind: 'too-short', message });
    }
    const damaged = (text: string, header: Buffer) => ({
      kind: 'damaged',
      message: `ParseHeader: ${text}. Header hexdump: ${header.toString('hex')}`,
    });
    const zero = Buffer.alloc(18);
    expect(dump(zero).end).toEqual(damaged('header is all-zero', zero));
    const noID = Buffer.concat([Buffer.from([0, 2]), Buffer.alloc(16)]);
    expect(dump(noID).end).toEqual(damaged('file id is all-zero', noID));
    const future = Buffer.concat([Buffer.from([1, 2]), FILE_ID]);
    expect(dump(future).end).toEqual(damaged('invalid version, want=2 have=258', future));
  });

  it('stops at a block without content', () => {
    const { end, blocks } = dump(Buffer.concat([HEADER, block(16, 4096), block(16, 0)]));
    expect(end).toEqual({ kind: 'damaged', message: 'corrupt block: truncated data, len=32' });
    expect(blocks).toHaveLength(1);
    expect(dump(Buffer.concat([HEADER, block(16, 1)])).end).toEqual({ kind: 'complete' });
  });

  it('says why a file cannot be read', () => {
    const events = { header: () => {}, block: () => {} };
    const absent = path.join(dir, 'absent');
    expect(dumpFile(absent, layoutOfOption(null), events)).toEqual({
      kind: 'unreadable',
      message: `open ${absent}: no such file or directory`,
    });
    expect(dumpFile(dir, layoutOfOption(null), events)).toEqual({ kind: 'unreadable', message: `read ${dir}: is a directory` });
  });
});
