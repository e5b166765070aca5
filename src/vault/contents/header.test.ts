import { describe, expect, it } from 'vitest';
import { isZero, toHex } from '../../base/bytes.ts';
import { describeCorruptHeader, FILE_ID_OFF, HEADER_PROBE_LEN, HeaderState, headerState, makeHeader, writeHeader } from './header.ts';
import { HEADER_LEN } from './layout.ts';

const GOOD = new Uint8Array([9, 0, 2, ...new Uint8Array(15), 1, 0, 9]);

function changed(at: number, value: number): Uint8Array {
  const copy = GOOD.slice();
  copy[at] = value;
  return copy;
}

describe('the first bytes of a file', () => {
  it.each([
    [0, HeaderState.Empty],
    [1, HeaderState.Incomplete],
    [17, HeaderState.Incomplete],
    [18, HeaderState.Incomplete],
    [19, HeaderState.Ok],
  ])('%i of them', (len, state) => {
    expect(headerState(GOOD, 1, len)).toBe(state);
  });

  it.each([
    ['another version', changed(2, 3), 'unsupported version 3, want 2'],
    ['a large version', changed(1, 1), 'unsupported version 258, want 2'],
    ['no file ID', changed(18, 0), 'file ID is all-zero in header 000200000000000000000000000000000000'],
    ['nothing', new Uint8Array(21), 'header is all-zero'],
  ])('with %s are corrupt', (_name, bytes, text) => {
    expect(headerState(bytes, 1, HEADER_PROBE_LEN)).toBe(HeaderState.Corrupt);
    expect(describeCorruptHeader(bytes, 1)).toBe(text);
  });

  it('are written with a new file ID every time, and nothing else is touched', () => {
    const first = new Uint8Array(22).fill(7);
    const second = new Uint8Array(22).fill(7);
    makeHeader(first, 2);
    makeHeader(second, 2);
    expect(headerState(first, 2, HEADER_PROBE_LEN)).toBe(HeaderState.Ok);
    expect(toHex(first, 0, 4)).toBe('07070002');
    expect(toHex(first, 20, 2)).toBe('0707');
    expect(toHex(first)).not.toBe(toHex(second));
    writeHeader(second, 0, first, 2 + FILE_ID_OFF);
    expect(toHex(second, 0, HEADER_LEN)).toBe(toHex(first, 2, HEADER_LEN));
    expect(isZero(first, 2 + FILE_ID_OFF, 16)).toBe(false);
  });
});
