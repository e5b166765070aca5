/**
 * Parser of the regular expressions that exclusion patterns turn into (behaviour.md appendix B): the syntax documented for RE2
 * (https://github.com/google/re2/wiki/Syntax), without groups that begin with `(?`, since a question mark in a pattern is always literal.
 */

/** Whether a code point is in a set. */
export type CharTest = (code: number) => boolean;

/** Assertions that consume nothing. */
export type Assertion = 'start' | 'end' | 'word' | 'no-word';

/** A parsed expression. */
export type Expression =
  | { readonly kind: 'set'; readonly test: CharTest }
  | { readonly kind: 'assert'; readonly what: Assertion }
  | { readonly kind: 'sequence'; readonly parts: readonly Expression[] }
  | { readonly kind: 'choice'; readonly parts: readonly Expression[] }
  | { readonly kind: 'repeat'; readonly part: Expression; readonly min: number; readonly max: number };

/** Most repetitions that can be asked for. */
const MAX_REPEAT = 1000;
const MAX_NESTING = 1000;

const isDigit: CharTest = (c) => c >= 0x30 && c <= 0x39;
/** Letters, digits and underscore, as `\w` and word boundaries see them. */
export const isWord: CharTest = (c) => isDigit(c) || (c >= 0x41 && c <= 0x5a) || (c >= 0x61 && c <= 0x7a) || c === 0x5f;
const isSpace: CharTest = (c) => c === 0x20 || c === 0x09 || c === 0x0a || c === 0x0c || c === 0x0d;
const not =
  (test: CharTest): CharTest =>
  (c) =>
    !test(c);
const anything: CharTest = () => true;

const PERL: Readonly<Record<string, CharTest>> = { d: isDigit, D: not(isDigit), w: isWord, W: not(isWord), s: isSpace, S: not(isSpace) };
const CONTROLS: Readonly<Record<string, number>> = { a: 7, f: 12, t: 9, n: 10, r: 13, v: 11 };
const NAMED: Readonly<Record<string, RegExp>> = {
  alnum: /[0-9A-Za-z]/,
  alpha: /[A-Za-z]/,
  ascii: /\p{ASCII}/u,
  blank: /[\t ]/,
  cntrl: /\p{Cc}/u,
  digit: /[0-9]/,
  graph: /[!-~]/,
  lower: /[a-z]/,
  print: /[ -~]/,
  punct: /[!-/:-@[-`{-~]/,
  space: /\s/,
  upper: /[A-Z]/,
  word: /\w/,
  xdigit: /[0-9A-Fa-f]/,
};

/** Thrown for text that is no expression. */
export class SyntaxFault extends Error {}

/** Parses an expression. @throws SyntaxFault */
export function parseExpression(text: string): Expression {
  return new Parser(text).parse();
}

class Parser {
  readonly #text: readonly string[];
  #at = 0;
  #depth = 0;

  constructor(text: string) {
    this.#text = [...text];
  }

  parse(): Expression {
    const result = this.#choice();
    if (this.#at < this.#text.length) throw new SyntaxFault('unexpected )');
    return result;
  }

  #peek(): string | undefined {
    return this.#text[this.#at];
  }

  #take(): string {
    const char = this.#text[this.#at++];
    if (char === undefined) throw new SyntaxFault('unexpected end');
    return char;
  }

  #takeIf(char: string): boolean {
    if (this.#peek() !== char) return false;
    this.#at++;
    return true;
  }

  #choice(): Expression {
    if (++this.#depth > MAX_NESTING) throw new SyntaxFault('nested too deeply');
    const parts = [this.#sequence()];
    while (this.#takeIf('|')) parts.push(this.#sequence());
    this.#depth--;
    return { kind: 'choice', parts };
  }

  #sequence(): Expression {
    const parts: Expression[] = [];
    for (let char = this.#peek(); char !== undefined && char !== '|' && char !== ')'; char = this.#peek()) {
      if (char === '\\' && this.#text[this.#at + 1] === 'Q') {
        parts.push(...this.#quoted());
        continue;
      }
      parts.push(this.#repeated(this.#atom()));
    }
    return { kind: 'sequence', parts };
  }

  #quoted(): Expression[] {
    this.#at += 2;
    const parts: Expression[] = [];
    while (this.#at < this.#text.length) {
      if (this.#peek() === '\\' && this.#text[this.#at + 1] === 'E') {
        this.#at += 2;
        break;
      }
      parts.push(literal(this.#take()));
    }
    const last = parts.pop();
    return last === undefined ? [] : [...parts, this.#repeated(last)];
  }

  #repeated(part: Expression): Expression {
    const bounds = this.#quantifier();
    if (bounds === null) return part;
    this.#takeIf('?');
    if (this.#quantifier() !== null) throw new SyntaxFault('nested repetition');
    return { kind: 'repeat', part, ...bounds };
  }

  #quantifier(): { min: number; max: number } | null {
    if (this.#takeIf('*')) return { min: 0, max: Infinity };
    if (this.#takeIf('+')) return { min: 1, max: Infinity };
    if (this.#takeIf('?')) return { min: 0, max: 1 };
    const match = /^\{(\d+)(,(\d*))?\}/.exec(this.#text.slice(this.#at, this.#at + 16).join(''));
    // A brace that begins no repetition stands for itself.
    if (match === null) return null;
    this.#at += match[0].length;
    const min = Number(match[1]);
    const max = match[2] === undefined ? min : match[3] === '' ? Infinity : Number(match[3]);
    if (min > MAX_REPEAT || (max !== Infinity && (max > MAX_REPEAT || max < min))) throw new SyntaxFault('bad repetition');
    return { min, max };
  }

  #atom(): Expression {
    if (this.#quantifier() !== null) throw new SyntaxFault('nothing to repeat');
    const char = this.#take();
    switch (char) {
      case '(': {
        if (this.#peek() === '?') throw new SyntaxFault('unexpected ?');
        const inner = this.#choice();
        if (!this.#takeIf(')')) throw new SyntaxFault('missing )');
        return inner;
      }
      case '[':
        return { kind: 'set', test: this.#set() };
      case '.':
        return { kind: 'set', test: anything };
      case '^':
        return { kind: 'assert', what: 'start' };
      case '$':
        return { kind: 'assert', what: 'end' };
      case '\\':
        return this.#escape();
      default:
        return literal(char);
    }
  }

  #escape(): Expression {
    switch (this.#peek()) {
      case 'A':
        this.#at++;
        return { kind: 'assert', what: 'start' };
      case 'z':
        this.#at++;
        return { kind: 'assert', what: 'end' };
      case 'b':
        this.#at++;
        return { kind: 'assert', what: 'word' };
      case 'B':
        this.#at++;
        return { kind: 'assert', what: 'no-word' };
      case 'C':
        this.#at++;
        return { kind: 'set', test: anything };
      default:
        return { kind: 'set', test: this.#escapedSet() ?? equals(this.#escapedChar()) };
    }
  }

  /** A set such as `\d` or `\p{Greek}` behind a backslash, or null. */
  #escapedSet(): CharTest | null {
    const char = this.#peek() ?? '';
    const perl = PERL[char];
    if (perl !== undefined) {
      this.#at++;
      return perl;
    }
    if (char !== 'p' && char !== 'P') return null;
    this.#at++;
    let name = this.#take();
    if (name === '{') {
      name = '';
      for (let next = this.#take(); next !== '}'; next = this.#take()) name += next;
    }
    const isNegated = (char === 'P') !== name.startsWith('^');
    const test = unicodeSet(name.replace(/^\^/, ''));
    return isNegated ? not(test) : test;
  }

  /** The code point of a single character behind a backslash. */
  #escapedChar(): number {
    const char = this.#take();
    const control = CONTROLS[char];
    if (control !== undefined) return control;
    if (char === 'x') return this.#hexadecimal();
    if (char >= '0' && char <= '7') return this.#octal(char);
    if (/[0-9A-Za-z]/.test(char) || (char.codePointAt(0) ?? 0) >= 0x80) throw new SyntaxFault(`bad escape \\${char}`);
    return char.codePointAt(0) ?? 0;
  }

  #hexadecimal(): number {
    let digits = '';
    if (this.#takeIf('{')) for (let next = this.#take(); next !== '}'; next = this.#take()) digits += next;
    else digits = this.#take() + this.#take();
    const code = Number.parseInt(digits, 16);
    if (!/^[0-9A-Fa-f]+$/.test(digits) || code > 0x10ffff) throw new SyntaxFault('bad hexadecimal escape');
    return code;
  }

  #octal(first: string): number {
    const isOctal = (char: string | undefined): boolean => char !== undefined && char >= '0' && char <= '7';
    // One digit other than 0 would be a reference to a group, which there is not.
    if (first !== '0' && !isOctal(this.#peek())) throw new SyntaxFault('references are not supported');
    let digits = first;
    while (digits.length < 3 && isOctal(this.#peek())) digits += this.#take();
    return Number.parseInt(digits, 8);
  }

  #set(): CharTest {
    const isNegated = this.#takeIf('^');
    const tests: CharTest[] = [];
    for (let isFirst = true; isFirst || this.#peek() !== ']'; isFirst = false) {
      if (this.#peek() === '-' && !isFirst && this.#text[this.#at + 1] !== ']') throw new SyntaxFault('bad range');
      tests.push(this.#member());
    }
    this.#at++;
    const test: CharTest = (code) => tests.some((one) => one(code));
    return isNegated ? not(test) : test;
  }

  #member(): CharTest {
    const named = /^\[:(\^?)([a-z]+):\]/.exec(this.#text.slice(this.#at, this.#at + 16).join(''));
    if (named !== null) {
      const set = NAMED[named[2] ?? ''];
      if (set === undefined) throw new SyntaxFault('unknown class');
      this.#at += named[0].length;
      const test: CharTest = (code) => code < 0x80 && set.test(String.fromCodePoint(code));
      return named[1] === '^' ? not(test) : test;
    }
    if (this.#takeIf('\\')) {
      const set = this.#escapedSet();
      if (set !== null) return set;
      this.#at--;
    }
    const low = this.#memberChar();
    if (this.#peek() !== '-' || this.#text[this.#at + 1] === ']') return equals(low);
    this.#at++;
    const high = this.#memberChar();
    if (high < low) throw new SyntaxFault('bad range');
    return (code) => code >= low && code <= high;
  }

  #memberChar(): number {
    return this.#takeIf('\\') ? this.#escapedChar() : (this.#take().codePointAt(0) ?? 0);
  }
}

function equals(wanted: number): CharTest {
  return (code) => code === wanted;
}

function literal(char: string): Expression {
  return { kind: 'set', test: equals(char.codePointAt(0) ?? 0) };
}

function unicodeSet(name: string): CharTest {
  for (const property of [`General_Category=${name}`, `Script=${name}`]) {
    try {
      const set = new RegExp(`\\p{${property}}`, 'u');
      return (code) => set.test(String.fromCodePoint(code));
    } catch {
      // Not of this kind.
    }
  }
  if (name === 'Any') return anything;
  throw new SyntaxFault(`unknown property ${name}`);
}
