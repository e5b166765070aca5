/** Exclusion patterns in the dialect of gocryptfs (behaviour.md 7.6, appendix B). */
import { textOfBytes } from '../../../base/byte-text.ts';
import { LinearRegex } from './regex.ts';
import { SyntaxFault } from './regex-syntax.ts';

/** Stands for a star of the regular expression while stars of the pattern are still being replaced. */
const STAR = '\u{10fffe}';
/** Stands for a literal star until then. */
const LITERAL_STAR = '\u{10ffff}';

/** One pattern, ready to be tried. */
export interface Pattern {
  /** It shows again what an earlier one hid. */
  readonly isNegated: boolean;
  readonly regex: LinearRegex;
}

/** The regular expression of a pattern line, and whether it is negated; null for a line without a pattern. */
export function patternExpression(line: string): { isNegated: boolean; expression: string } | null {
  let text = line.endsWith('\r') ? line.slice(0, -1) : line;
  if (text.startsWith('#')) return null;
  text = text.replace(/^ +/, '').replace(/ +$/, '');
  if (text === '') return null;
  const isNegated = text.startsWith('!');
  if (isNegated) text = text.slice(1);
  if (isNegated && /^[#!]/.test(text)) text = text.slice(1);
  if (/[^/+]\/.*\*\./s.test(text) && !text.startsWith('/')) text = `/${text}`;
  text = text.replaceAll('.', '\\.');
  if (text.startsWith('/**/')) text = text.slice(1);
  text = text
    .replaceAll('/**/', `(/|/.${STAR}/)`)
    .replaceAll('**/', `(|.${STAR}/)`)
    .replaceAll('/**', `(|/.${STAR})`)
    .replaceAll('\\*', LITERAL_STAR)
    .replaceAll('*', `[^/]${STAR}`)
    .replaceAll('?', '\\?');
  text += text.endsWith('/') ? `.${STAR}$` : `(|/.${STAR})$`;
  text = text.startsWith('/') ? `^(|/)${text.slice(1)}` : `^(|.${STAR}/)${text}`;
  return { isNegated, expression: text.replaceAll(LITERAL_STAR, '\\*').replaceAll(STAR, '*') };
}

/** The patterns of all lines that hold one; what is no regular expression is left out, as gocryptfs does. */
export function compilePatterns(lines: readonly string[]): Pattern[] {
  return lines.flatMap((line) => {
    const parsed = patternExpression(line);
    if (parsed === null) return [];
    try {
      return [{ isNegated: parsed.isNegated, regex: new LinearRegex(parsed.expression) }];
    } catch (error) {
      if (error instanceof SyntaxFault) return [];
      throw error;
    }
  });
}

/** True if a path (relative, without leading slash) is hidden: the last pattern that matches decides. */
export function isHidden(patterns: readonly Pattern[], path: Uint8Array): boolean {
  const codes = Array.from(textOfBytes(path), (char) => char.codePointAt(0) ?? 0);
  for (let i = patterns.length - 1; i >= 0; i--) {
    const pattern = patterns[i]!;
    if (pattern.regex.test(codes)) return !pattern.isNegated;
  }
  return false;
}
