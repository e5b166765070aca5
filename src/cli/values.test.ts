import { describe, expect, it } from 'vitest';
import { readBool, readDuration, readInt, readUint8, ValueProblem } from './values.ts';

describe('readBool', () => {
  it.each(['1', 't', 'T', 'TRUE', 'true', 'True'])('%s is true', (text) => {
    expect(readBool(text)).toBe(true);
  });
  it.each(['0', 'f', 'F', 'FALSE', 'false', 'False'])('%s is false', (text) => {
    expect(readBool(text)).toBe(false);
  });
  it.each(['', 'yes', 'tRUE', '2', ' true'])('%j is refused', (text) => {
    expect(readBool(text)).toBeInstanceOf(ValueProblem);
  });
});

describe('readInt', () => {
  it.each([
    ['10', 10],
    ['-10', -10],
    ['+7', 7],
    ['0', 0],
    ['0x1f', 31],
    ['0XFF', 255],
    ['017', 15],
    ['0o17', 15],
    ['0b101', 5],
    ['-0x10', -16],
    ['9223372036854775807', 2 ** 63],
  ])('%s', (text, value) => {
    expect(readInt(text)).toBe(value);
  });
  it.each(['', '-', '1.5', '08', '0x', '1e3', ' 1', '9223372036854775808', '--1'])('%j is refused', (text) => {
    expect(readInt(text)).toBeInstanceOf(ValueProblem);
  });
});

describe('readUint8', () => {
  it('goes from 0 to 255, without sign', () => {
    expect(readUint8('0')).toBe(0);
    expect(readUint8('255')).toBe(255);
    for (const text of ['256', '-1', '+1']) {
      expect(readUint8(text)).toBeInstanceOf(ValueProblem);
    }
  });
});

describe('readDuration', () => {
  it.each([
    ['0', 0],
    ['500s', 500e9],
    ['2h45m', 9900e9],
    ['10ms', 10e6],
    ['1.5s', 1.5e9],
    ['.5s', 0.5e9],
    ['3us', 3000],
    ['3µs', 3000],
    ['3\u03bcs', 3000],
    ['7ns', 7],
    ['-5s', -5e9],
    ['+1m', 60e9],
    ['1h1m1s1ms', 3661001e6],
  ])('%s', (text, nanoseconds) => {
    expect(readDuration(text)).toBe(nanoseconds);
  });
  it.each(['', '5', '5 s', 's', '1x', '1d', '--5s', '.s', '1s5', '9999999999h', '1.2.3s'])('%j is refused', (text) => {
    expect(readDuration(text)).toBeInstanceOf(ValueProblem);
  });
});
