/**
 * True if a shell glob is well-formed: brackets closed and not empty, ranges complete, no backslash at the end
 * (behaviour.md 1.4 and 6.5).
 */
export function isWellFormedGlob(pattern: string): boolean {
  const chars = Array.from(pattern);
  let at = 0;
  while (at < chars.length) {
    const char = chars[at];
    if (char === '\\') {
      if (at + 1 >= chars.length) {
        return false;
      }
      at += 2;
    } else if (char === '[') {
      at = skipClass(chars, at + 1);
      if (at < 0) {
        return false;
      }
    } else {
      at += 1;
    }
  }
  return true;
}

/** Position behind the bracket expression whose content starts at `at`; −1 if it is malformed. */
function skipClass(chars: readonly string[], at: number): number {
  let next = chars[at] === '^' ? at + 1 : at;
  for (let ranges = 0; ; ranges += 1) {
    if (chars[next] === ']' && ranges > 0) {
      return next + 1;
    }
    const low = classChar(chars, next);
    if (low < 0) {
      return -1;
    }
    next = chars[low] === '-' ? classChar(chars, low + 1) : low;
    if (next < 0) {
      return -1;
    }
  }
}

/** Position behind one (possibly escaped) character of a bracket expression; −1 if none is allowed there. */
function classChar(chars: readonly string[], at: number): number {
  const escaped = chars[at] === '\\';
  const position = escaped ? at + 1 : at;
  if (position >= chars.length || (!escaped && (chars[at] === '-' || chars[at] === ']'))) {
    return -1;
  }
  return position + 1;
}
