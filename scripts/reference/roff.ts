/** Text with the little markup of flag-reference.ts, as input for groff's man macros. */

/** Characters that groff takes for something else, or prints as a typographic look-alike which cannot be pasted into a shell. */
const TYPED = new Map([
  ['\\', '\\e'],
  ['-', '\\-'],
  ["'", '\\(aq'],
  ['"', '\\(dq'],
  ['`', '\\(ga'],
  ['^', '\\(ha'],
  ['~', '\\(ti'],
]);

/** Characters that may stand for themselves in prose. */
const IN_PROSE = new Set(['-']);

function escaped(text: string, isTyped: boolean): string {
  const translate = (char: string) => {
    if (char > '~') return `\\[u${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`;
    return !isTyped && IN_PROSE.has(char) ? char : (TYPED.get(char) ?? char);
  };
  return Array.from(text, translate).join('');
}

/** What is typed as it stands: bold, and never hyphenated. */
export function typed(text: string): string {
  return `\\fB${escaped(text, true).replace(/(?<=^| )(?=[^ ])/g, '\\%')}\\fR`;
}

/** What stands for something else: italic. */
export function meant(text: string): string {
  return `\\fI${escaped(text, true)}\\fR`;
}

/** Prose with `typed` and *meant* words. */
export function prose(text: string): string {
  const line = text.replace(/`([^`]+)`|\*([A-Za-z ]+)\*|[^`*]+|./g, (part, code?: string, italic?: string) => {
    if (code !== undefined) return typed(code);
    return italic === undefined ? escaped(part, false) : meant(italic);
  });
  // A dot or an apostrophe at the start of a line would make it a request.
  return /^[.']/.test(line) ? `\\&${line}` : line;
}

/** An indented paragraph with a term in front; `term` is roff already. */
export function entry(term: string, text: string): string {
  return `.TP\n${term}\n${prose(text)}\n`;
}
