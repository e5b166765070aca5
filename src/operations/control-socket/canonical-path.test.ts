import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canonicalPath } from './canonical-path.ts';

describe('canonicalPath', () => {
  it.each([
    ['a', 'a'],
    ['a/b', 'a/b'],
    ['/a/b', 'a/b'],
    ['///a', 'a'],
    ['a//b', 'a/b'],
    ['a/b/', 'a/b'],
    ['a/b//', 'a/b'],
    ['./a', 'a'],
    ['a/.', 'a'],
    ['a/./b', 'a/b'],
    ['a/../b', 'b'],
    ['a/b/../../c', 'c'],
    ['..a', '..a'],
    ['...', '...'],
    ['a/..b', 'a/..b'],
    ['.hidden', '.hidden'],
    [' a ', ' a '],
    ['a\\b', 'a\\b'],
  ])('%j is %j', (input, expected) => {
    expect(canonicalPath(input)).toBe(expected);
  });

  it.each(['.', '/', '//', './', '..', '../', '/..', '../x', '/../x', 'foo/..', 'foo/../', 'foo/../..', 'foo/../../x', 'a/b/../../../c'])(
    '%j leads to the root or out of it',
    (input) => {
      expect(canonicalPath(input)).toBe('');
    },
  );

  it('never leaves a component that walks, and has nothing to change in its own results', () => {
    const component = fc.constantFrom('', '.', '..', 'a', 'b', '...', '.x');
    fc.assert(
      fc.property(fc.array(component, { maxLength: 8 }), (components) => {
        const path = canonicalPath(components.join('/'));
        if (path === '') return;
        expect(path.split('/').filter((name) => name === '' || name === '.' || name === '..')).toEqual([]);
        expect(canonicalPath(path)).toBe(path);
      }),
    );
  });
});
