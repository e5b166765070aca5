/** Reading option values (behaviour.md 1.3). Each reader returns the value, or a ValueProblem that says what is wrong. */

/** Why a value was refused, in the words of the error line. */
export class ValueProblem {
  readonly detail: string;
  constructor(detail: string) {
    this.detail = detail;
  }
}

const TRUE_WORDS = new Set(['1', 't', 'T', 'TRUE', 'true', 'True']);
const FALSE_WORDS = new Set(['0', 'f', 'F', 'FALSE', 'false', 'False']);

/** `1 t T TRUE true True` and their opposites. */
export function readBool(text: string): boolean | ValueProblem {
  if (TRUE_WORDS.has(text)) {
    return true;
  }
  return FALSE_WORDS.has(text) ? false : new ValueProblem(`parsing "${text}": invalid syntax`);
}

const INT_FORMS: readonly { readonly pattern: RegExp; readonly prefix: string }[] = [
  { pattern: /^0[xX][0-9a-fA-F]+$/, prefix: '0x' },
  { pattern: /^0[oO][0-7]+$/, prefix: '0o' },
  { pattern: /^0[bB][01]+$/, prefix: '0b' },
  { pattern: /^0[0-7]+$/, prefix: '0o' },
  { pattern: /^(?:0|[1-9][0-9]*)$/, prefix: '' },
];

function readMagnitude(digits: string): bigint | undefined {
  for (const { pattern, prefix } of INT_FORMS) {
    if (pattern.test(digits)) {
      return BigInt(prefix === '' ? digits : prefix + digits.replace(/^0[xXoObB]?/, ''));
    }
  }
  return undefined;
}

/** Decimal, 0x hex, 0 or 0o octal, 0b binary, with an optional sign when `min` is negative. */
export function readInteger(text: string, min: bigint, max: bigint): number | ValueProblem {
  const signed = min < 0n ? /^[+-]?/.exec(text)?.[0] : '';
  const sign = signed ?? '';
  const magnitude = readMagnitude(text.slice(sign.length));
  if (magnitude === undefined) {
    return new ValueProblem(`parsing "${text}": invalid syntax`);
  }
  const value = sign === '-' ? -magnitude : magnitude;
  if (value < min || value > max) {
    return new ValueProblem(`parsing "${text}": value out of range`);
  }
  return Number(value);
}

/** A signed 64-bit number, rounded beyond 2^53. */
export function readInt(text: string): number | ValueProblem {
  return readInteger(text, -(1n << 63n), (1n << 63n) - 1n);
}

/** 0 to 255. */
export function readUint8(text: string): number | ValueProblem {
  return readInteger(text, 0n, 255n);
}

const NANOSECONDS = new Map<string, number>([
  ['ns', 1],
  ['us', 1e3],
  ['\u00b5s', 1e3],
  ['\u03bcs', 1e3],
  ['ms', 1e6],
  ['s', 1e9],
  ['m', 60e9],
  ['h', 3600e9],
]);

/** `0`, or numbers with units (`2h45m`, `1.5s`). @returns nanoseconds */
export function readDuration(text: string): number | ValueProblem {
  const sign = /^[+-]?/.exec(text)?.[0] ?? '';
  const body = text.slice(sign.length);
  if (body === '0') {
    return 0;
  }
  const part = /([0-9]+(?:\.[0-9]*)?|\.[0-9]+)([^0-9.]*)/y;
  let total = 0;
  let end = 0;
  while (end < body.length) {
    const match = part.exec(body);
    if (match === null) {
      break;
    }
    const [whole, amount, unit] = match;
    if (unit === '') {
      return new ValueProblem(`missing unit in duration "${text}"`);
    }
    const scale = NANOSECONDS.get(unit ?? '');
    if (scale === undefined) {
      return new ValueProblem(`unknown unit "${unit}" in duration "${text}"`);
    }
    total += Number(amount) * scale;
    end += whole.length;
  }
  if (end === 0 || end < body.length || total > 2 ** 63) {
    return new ValueProblem(`invalid duration "${text}"`);
  }
  return sign === '-' ? -total : total;
}
