import { describe, expect, it } from 'vitest';
import { silentLogger } from '../base/log.ts';
import { fileName, i64, text, u32, u64 } from './decode.ts';
import { Frame } from './frame.ts';

function frameWithBody(bytes: number[]): Frame {
  const frame = new Frame(silentLogger);
  frame.in8.fill(0xee, 0, 200);
  frame.in8.set(bytes, 40);
  frame.inLen = 40 + bytes.length;
  return frame;
}

const ascii = (value: string): number[] => [...value].map((char) => char.charCodeAt(0));

describe('numbers', () => {
  it('reads little-endian 32 bits, unsigned', () => {
    expect(u32(frameWithBody([0, 0, 0, 0, 0x78, 0x56, 0x34, 0xf2]), 4)).toBe(0xf2345678);
  });

  it('reads 64 bits up to 2^53 − 1 and refuses more', () => {
    expect(u64(frameWithBody([1, 0, 0, 0, 2, 0, 0, 0]), 0)).toBe(2 * 2 ** 32 + 1);
    expect(u64(frameWithBody([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x1f, 0]), 0)).toBe(Number.MAX_SAFE_INTEGER);
    expect(u64(frameWithBody([0, 0, 0, 0, 0, 0, 0x20, 0]), 0)).toBe(-1);
    expect(u64(frameWithBody([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]), 0)).toBe(-1);
  });

  it('reads times as signed', () => {
    expect(i64(frameWithBody([0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]), 0)).toBe(-1);
    expect(i64(frameWithBody([0, 0, 0, 0x80, 0xff, 0xff, 0xff, 0xff]), 0)).toBe(-0x80000000);
    expect(i64(frameWithBody([0x80, 0x43, 0x6d, 0x38, 0, 0, 0, 0]), 0)).toBe(946684800);
    expect(i64(frameWithBody([0, 0, 0, 0, 0, 0, 0, 0x80]), 0)).toBeNaN();
    expect(i64(frameWithBody([0, 0, 0, 0, 0, 0, 0x20, 0]), 0)).toBeNaN();
  });
});

describe('names', () => {
  it('ends at the NUL and returns what is behind it', () => {
    const frame = frameWithBody([...ascii('old'), 0, ...ascii('new'), 0]);
    expect(fileName(frame, 40, frame.name)).toBe(44);
    expect(frame.name).toMatchObject({ off: 40, len: 3 });
    expect(fileName(frame, 44, frame.secondName)).toBe(48);
    expect(frame.secondName).toMatchObject({ off: 44, len: 3 });
  });

  it.each([
    ['without NUL', ascii('abc')],
    ['empty', [0]],
    ['nothing at all', []],
    ['with a slash', [...ascii('a/b'), 0]],
  ])('refuses a file name %s', (_what, body) => {
    const frame = frameWithBody(body);
    // A NUL right behind the request must not count.
    frame.in8[frame.inLen] = 0;
    expect(fileName(frame, 40, frame.name)).toBe(-1);
  });

  it('lets other strings hold a slash', () => {
    const frame = frameWithBody([...ascii('../a'), 0]);
    expect(text(frame, 40, frame.name)).toBe(45);
    expect(text(frameWithBody(ascii('../a')), 40, frame.name)).toBe(-1);
    expect(text(frameWithBody([0]), 40, frame.name)).toBe(-1);
  });
});
