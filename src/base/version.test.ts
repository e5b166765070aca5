import fs from 'node:fs';
import { expect, it } from 'vitest';
import { programRelease, VERSION } from './version.ts';

it('agrees with package.json', () => {
  const manifest = JSON.parse(fs.readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as { version: string };
  expect(VERSION).toBe(manifest.version);
});

it('names the program it stands in for when it is called so', () => {
  expect(programRelease('aegisfs')).toBe(`aegisfs ${VERSION}`);
  expect(programRelease('gocryptfs')).toMatch(/^gocryptfs v2\.\d+\.\d+$/);
});
