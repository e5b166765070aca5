import { type Assertion, type CharTest, type Expression, isWord, parseExpression, SyntaxFault } from './regex-syntax.ts';

/** Steps of the longest program; an expression that needs more is refused. */
const MAX_STEPS = 100_000;

/** One step: a character to match, a place to go on from, or the end. */
type Step =
  | { readonly kind: 'set'; readonly test: CharTest }
  | { readonly kind: 'assert'; readonly what: Assertion }
  | { readonly kind: 'jump'; to: number }
  | { readonly kind: 'split'; first: number; second: number }
  | { readonly kind: 'match' };

/**
 * A regular expression that takes time in proportion to the length of the text, whatever the expression: all ways to match are followed
 * at once, so there is no backtracking that a pattern could blow up.
 */
export class LinearRegex {
  readonly #steps: Step[] = [];
  /** Position at which a step was taken up last, so that none is twice in a list. */
  readonly #seen: Int32Array;

  /** @throws SyntaxFault for text that is no expression */
  constructor(text: string) {
    this.#compile(parseExpression(text));
    this.#push({ kind: 'match' });
    this.#seen = new Int32Array(this.#steps.length);
  }

  /** True if the expression matches anywhere in the text, given as code points. */
  test(text: readonly number[]): boolean {
    this.#seen.fill(-1);
    let current: number[] = [];
    for (let at = 0; ; at++) {
      if (this.#take(0, text, at, current)) return true;
      const code = text[at];
      if (code === undefined) return false;
      const next: number[] = [];
      for (const index of current) {
        const step = this.#steps[index]!;
        if (step.kind === 'set' && step.test(code) && this.#take(index + 1, text, at + 1, next)) return true;
      }
      current = next;
    }
  }

  /** Puts the steps reached from one without consuming anything into a list. @returns true if the end is among them */
  #take(start: number, text: readonly number[], at: number, list: number[]): boolean {
    const pending = [start];
    for (let index = pending.pop(); index !== undefined; index = pending.pop()) {
      if (this.#seen[index] === at) continue;
      this.#seen[index] = at;
      const step = this.#steps[index]!;
      switch (step.kind) {
        case 'match':
          return true;
        case 'set':
          list.push(index);
          break;
        case 'jump':
          pending.push(step.to);
          break;
        case 'split':
          pending.push(step.second, step.first);
          break;
        case 'assert':
          if (holds(step.what, text, at)) pending.push(index + 1);
          break;
      }
    }
    return false;
  }

  #push(step: Step): number {
    if (this.#steps.length >= MAX_STEPS) throw new SyntaxFault('too large');
    return this.#steps.push(step) - 1;
  }

  #compile(expression: Expression): void {
    switch (expression.kind) {
      case 'set':
      case 'assert':
        this.#push(expression);
        break;
      case 'sequence':
        for (const part of expression.parts) this.#compile(part);
        break;
      case 'choice':
        this.#compileChoice(expression.parts);
        break;
      case 'repeat':
        this.#compileRepeat(expression.part, expression.min, expression.max);
        break;
    }
  }

  #compileChoice(parts: readonly Expression[]): void {
    const exits: { to: number }[] = [];
    for (const [i, part] of parts.entries()) {
      if (i === parts.length - 1) {
        this.#compile(part);
        break;
      }
      const split = { kind: 'split' as const, first: 0, second: 0 };
      split.first = this.#push(split) + 1;
      this.#compile(part);
      const exit = { kind: 'jump' as const, to: 0 };
      split.second = this.#push(exit) + 1;
      exits.push(exit);
    }
    for (const exit of exits) exit.to = this.#steps.length;
  }

  #compileRepeat(part: Expression, min: number, max: number): void {
    for (let i = 0; i < min; i++) this.#compile(part);
    if (max === Infinity) {
      const split = { kind: 'split' as const, first: 0, second: 0 };
      const at = this.#push(split);
      split.first = at + 1;
      this.#compile(part);
      split.second = this.#push({ kind: 'jump', to: at }) + 1;
      return;
    }
    const splits: { second: number }[] = [];
    for (let i = min; i < max; i++) {
      const split = { kind: 'split' as const, first: 0, second: 0 };
      split.first = this.#push(split) + 1;
      splits.push(split);
      this.#compile(part);
    }
    for (const split of splits) split.second = this.#steps.length;
  }
}

function holds(what: Assertion, text: readonly number[], at: number): boolean {
  if (what === 'start') return at === 0;
  if (what === 'end') return at === text.length;
  const isBoundary = (at > 0 && isWord(text[at - 1]!)) !== (at < text.length && isWord(text[at]!));
  return isBoundary === (what === 'word');
}
