/** Decides by plain path, relative and without leading slash, whether an object is hidden. */
export type PathMatcher = (path: Uint8Array) => boolean;

export function compilePatterns(_patterns: readonly string[]): PathMatcher {
  return () => false;
}
