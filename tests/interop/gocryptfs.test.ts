import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Actor } from '../support/actor.ts';
import { leftovers } from '../support/cipherdir.ts';
import { FULL, NAMINGS, RELEASED_CIPHERS } from '../support/matrix.ts';
import { aegisfs, gocryptfs, init, Mount, mustRun, PASSWORD, type Program } from '../support/program.ts';
import { Sandbox } from '../support/sandbox.ts';
import { modify, populate, snapshot } from '../support/tree.ts';

let me: Actor;
beforeAll(() => {
  me = new Actor();
});
afterAll(() => me.end());

/** Mounts, lets `use` work on the root, and unmounts; the program must have nothing to complain of. */
async function mounted<T>(sandbox: Sandbox, program: Program, vault: string, use: (root: string) => T): Promise<T> {
  const mount = new Mount(sandbox, program, vault);
  let result: T;
  try {
    result = use(mount.root);
  } finally {
    expect(await mount.unmount()).toBe(0);
  }
  expect(mount.complaints()).toBe('');
  return result;
}

describe('vaults go back and forth between aegisfs and gocryptfs', () => {
  const rows = RELEASED_CIPHERS.flatMap((cipher) => NAMINGS.map((naming) => ({ cipher, naming })));
  // Each program must read what the other has created; in the short run they take turns in making the vault.
  const turns = rows.flatMap((row, i) => [
    { ...row, first: aegisfs, second: gocryptfs, wanted: FULL || i % 2 === 0 },
    { ...row, first: gocryptfs, second: aegisfs, wanted: FULL || i % 2 === 1 },
  ]);
  for (const { cipher, naming, first, second } of turns.filter((turn) => turn.wanted)) {
    it(`${cipher.name}, ${naming.name}, made by ${first.name}`, async () => {
      const sandbox = new Sandbox();
      try {
        const vault = sandbox.folder('vault');
        init(sandbox, first, vault, [...cipher.options, ...naming.options]);
        const written = await mounted(sandbox, first, vault, (root) => {
          fs.mkdirSync(`${root}/first`);
          populate(`${root}/first`, me);
          return snapshot(root, me);
        });
        const changed = await mounted(sandbox, second, vault, (root) => {
          expect(snapshot(root, me)).toEqual(written);
          modify(`${root}/first`, me);
          fs.mkdirSync(`${root}/second`);
          populate(`${root}/second`, me);
          return snapshot(root, me);
        });
        const last = await mounted(sandbox, first, vault, (root) => {
          expect(snapshot(root, me)).toEqual(changed);
          modify(`${root}/second`, me);
          return snapshot(root, me);
        });
        expect(leftovers(vault, naming.mode)).toEqual([]);
        expect(await mounted(sandbox, second, vault, (root) => snapshot(root, me))).toEqual(last);
        const report = mustRun(sandbox, gocryptfs.command, ['-fsck', vault], { input: `${PASSWORD}\n` });
        expect(report).toContain('no problems found');
      } finally {
        sandbox.remove();
      }
    });
  }
});
