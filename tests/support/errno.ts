import assert from 'node:assert/strict';

/** Asserts that a call fails with one of these errnos (symbolic names separated by blanks). */
export function fails(codes: string, call: () => unknown): void {
  let code = 'nothing';
  try {
    call();
  } catch (error) {
    code = (error as NodeJS.ErrnoException).code ?? String(error);
  }
  assert.ok(codes.split(' ').includes(code), `expected ${codes}, got ${code}`);
}
