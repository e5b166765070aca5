import { expect, it } from 'vitest';
import { hex, utf8, vectorJson } from '../../../tests/support/vectors.ts';
import { DERIVED_LEN, Derivation } from './derive.ts';

interface Row {
  path?: string;
  path_hex?: string;
  purpose: string;
  value: string;
}

const rows = vectorJson<{ derive: Row[] }>('reverse.json').derive;

it.each(rows)('$purpose of $path', ({ path = '', path_hex, purpose, value }) => {
  const bytes = path_hex === undefined ? utf8(path) : hex(path_hex);
  const out = new Uint8Array(DERIVED_LEN);
  const derivation = new Derivation().start(bytes);
  derivation.derive(utf8(purpose), out, 0);
  expect(Buffer.from(out).toString('hex')).toBe(value);
  // The path is still there, and can be built up from its parts.
  const parts = path.split('/').map((part) => utf8(part));
  const built = new Derivation().start(new Uint8Array(0));
  for (const part of parts) built.enter(part, 0, part.length);
  if (path_hex === undefined) expect(built.path()).toEqual(derivation.path());
});
