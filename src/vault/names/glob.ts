/** Shell globs in the manner of Go's filepath.Match (format.md 8.7): `*` `?` `[…]` `\`, none of `*` and `?` crosses '/'. */

/** One element of a pattern: a test for one character, or '*'. */
type Term = 'star' | ((char: number) => boolean);

const SLASH = 0x2f;
const LAST_CODE_POINT = 0x10ffff;

/** A pattern ready for use. */
export class Glob {
  private readonly terms: readonly Term[];

  private constructor(terms: readonly Term[]) {
    this.terms = terms;
  }

  /** Reads a pattern; null if it is malformed (an open bracket, an empty class, a backslash at the end). */
  static compile(pattern: string): Glob | null {
    const parser = new Parser(Array.from(pattern, (char) => char.codePointAt(0)!));
    const terms: Term[] = [];
    while (!parser.done) {
      const term = parser.term();
      if (term === null) return null;
      terms.push(term);
    }
    return new Glob(terms);
  }

  /** True if the pattern describes the whole name. */
  matches(name: Uint8Array): boolean {
    const chars = Array.from(new TextDecoder('utf-8', { ignoreBOM: true }).decode(name), (char) => char.codePointAt(0)!);
    let term = 0;
    let at = 0;
    // The last star seen, and where its match ends so far: on a mismatch it takes one character more.
    let star = -1;
    let starAt = 0;
    while (at < chars.length || term < this.terms.length) {
      const test = this.terms[term];
      if (test === 'star') {
        star = term++;
        starAt = at;
        continue;
      }
      if (test !== undefined && at < chars.length && test(chars[at]!)) {
        term++;
        at++;
        continue;
      }
      if (star < 0 || starAt >= chars.length || chars[starAt] === SLASH) return false;
      at = ++starAt;
      term = star + 1;
    }
    return true;
  }
}

class Parser {
  private readonly pattern: readonly number[];
  private at = 0;

  constructor(pattern: readonly number[]) {
    this.pattern = pattern;
  }

  get done(): boolean {
    return this.at >= this.pattern.length;
  }

  term(): Term | null {
    const char = this.pattern[this.at++]!;
    switch (String.fromCodePoint(char)) {
      case '*':
        return 'star';
      case '?':
        return (other) => other !== SLASH;
      case '[':
        return this.charClass();
      case '\\': {
        const escaped = this.pattern[this.at++];
        return escaped === undefined ? null : (other) => other === escaped;
      }
      default:
        return (other) => other === char;
    }
  }

  private charClass(): Term | null {
    const negated = this.take('^');
    const ranges: [number, number][] = [];
    while (ranges.length === 0 || !this.take(']')) {
      const low = this.classChar();
      if (low === null) return null;
      const high = this.take('-') ? this.classChar() : low;
      if (high === null) return null;
      ranges.push([low, high]);
    }
    return (char) => ranges.some(([low, high]) => low <= char && char <= high) !== negated;
  }

  /** One end of a range; '-' and ']' have to be escaped, and something has to follow. */
  private classChar(): number | null {
    if (this.peek('-') || this.peek(']')) return null;
    this.take('\\');
    const char = this.pattern[this.at++];
    return char === undefined || char > LAST_CODE_POINT || this.done ? null : char;
  }

  private peek(char: string): boolean {
    return this.pattern[this.at] === char.codePointAt(0);
  }

  private take(char: string): boolean {
    if (!this.peek(char)) return false;
    this.at++;
    return true;
  }
}
