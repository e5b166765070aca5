/**
 * A strict JSON reader that keeps what JSON.parse loses: the literal text of numbers (so that integers are exact and 1e3 is
 * not one), repeated keys, and the order of keys (format.md 4.1).
 */

/** A JSON value; numbers keep their literal text. */
export type JsonValue =
  | { readonly kind: 'null' }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'number'; readonly literal: string }
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'array'; readonly items: readonly JsonValue[] }
  | { readonly kind: 'object'; readonly entries: readonly (readonly [string, JsonValue])[] };

/** Deepest nesting that is read; a configuration has two levels. */
const MAX_DEPTH = 500;

const NUMBER = /-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y;
/** A string literal without raw control characters; JSON.parse then takes care of the escapes. */
const STRING = /"(?:[^"\\\p{Cc}]|[\u007f-\u009f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy;
const BLANK = /[ \t\r\n]*/y;

/** Malformed JSON; the message names the place. */
export class JsonSyntaxError extends Error {}

/** Reads one JSON value and nothing but white space around it. @throws JsonSyntaxError */
export function parseJson(text: string): JsonValue {
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

class Reader {
  private readonly text: string;
  private at = 0;

  constructor(text: string) {
    this.text = text;
  }

  value(depth: number): JsonValue {
    if (depth > MAX_DEPTH) throw new JsonSyntaxError(`nested deeper than ${MAX_DEPTH} levels at offset ${this.at}`);
    switch (this.peek()) {
      case '{':
        return this.object(depth);
      case '[':
        return this.array(depth);
      case '"':
        return { kind: 'string', value: this.string() };
      case 't':
        return this.word('true', { kind: 'boolean', value: true });
      case 'f':
        return this.word('false', { kind: 'boolean', value: false });
      case 'n':
        return this.word('null', { kind: 'null' });
      default:
        return { kind: 'number', literal: this.match(NUMBER) };
    }
  }

  end(): void {
    this.peek();
    if (this.at < this.text.length) this.fail('after the top-level value');
  }

  private object(depth: number): JsonValue {
    const entries: [string, JsonValue][] = [];
    this.at++;
    if (!this.take('}')) {
      do {
        if (this.peek() !== '"') this.fail('where a field name should be');
        const key = this.string();
        this.expect(':');
        entries.push([key, this.value(depth + 1)]);
      } while (this.take(','));
      this.expect('}');
    }
    return { kind: 'object', entries };
  }

  private array(depth: number): JsonValue {
    const items: JsonValue[] = [];
    this.at++;
    if (!this.take(']')) {
      do items.push(this.value(depth + 1));
      while (this.take(','));
      this.expect(']');
    }
    return { kind: 'array', items };
  }

  private string(): string {
    return JSON.parse(this.match(STRING)) as string;
  }

  private word(word: string, value: JsonValue): JsonValue {
    if (!this.text.startsWith(word, this.at)) this.fail('in a literal');
    this.at += word.length;
    return value;
  }

  /** Skips white space and shows the next character; '' at the end. */
  private peek(): string {
    BLANK.lastIndex = this.at;
    BLANK.exec(this.text);
    this.at = BLANK.lastIndex;
    return this.text.charAt(this.at);
  }

  private take(char: string): boolean {
    if (this.peek() !== char) return false;
    this.at++;
    return true;
  }

  private expect(char: string): void {
    if (!this.take(char)) this.fail(`where "${char}" should be`);
  }

  private match(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.text);
    if (found === null) this.fail('where a value should be');
    this.at += found[0].length;
    return found[0];
  }

  private fail(where: string): never {
    if (this.at >= this.text.length) throw new JsonSyntaxError('unexpected end of JSON input');
    throw new JsonSyntaxError(`invalid character ${JSON.stringify(this.text.charAt(this.at))} ${where}, at offset ${this.at}`);
  }
}
