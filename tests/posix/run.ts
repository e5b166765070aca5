import assert from 'node:assert/strict';
import fs from 'node:fs';
import { afterAll, beforeAll, describe, it } from 'vitest';
import { Actor } from '../support/actor.ts';
import { leftovers } from '../support/cipherdir.ts';
import { init, Mount } from '../support/program.ts';
import { Sandbox, waitFor } from '../support/sandbox.ts';
import type { Context, SharedContext } from './context.ts';
import { longestLink, overlay } from './overlay.ts';
import type { Row } from './rows.ts';
import { SHARED_SUITE, SUITE } from './suite.ts';

/** Descriptors that a mount may hold beyond those of its readiness once everything is closed. Source: behaviour.md 5.10. */
const CACHED_DESCRIPTORS = 20;

/** The helper processes of one test file. */
class Cast {
  readonly me = new Actor();
  readonly other = new Actor();
  readonly user = new Actor();
  readonly member = new Actor();

  constructor() {
    this.user.run('x.become', 65534, 65534, []);
    this.member.run('x.become', 4001, 4001, [4002]);
  }

  end(): void {
    for (const actor of [this.me, this.other, this.user, this.member]) actor.end();
  }
}

/** What surrounds the functions of the suite on one filesystem. */
interface Ground {
  readonly overhead: number;
  /** True if other users may enter. */
  readonly shared: boolean;
  readonly deviations: Record<string, string>;
  base(): string;
  /** Looks for what a function that has passed may have left behind. */
  check(): void;
  /** Forgets what a function that has failed may have left behind. */
  forget(): void;
}

function removeQuietly(dir: string): void {
  try {
    fs.rmSync(dir, { recursive: true, force: true });
  } catch {
    // what a failed function has broken may be impossible to remove
  }
}

/** Runs each function in a folder of its own. */
function runSuite(ground: Ground): void {
  let cast: Cast;
  let count = 0;
  beforeAll(() => {
    cast = new Cast();
  });
  afterAll(() => cast.end());
  const subjects = { ...SUITE, ...(ground.shared ? SHARED_SUITE : {}), ...(ground.overhead > 0 ? { overlay } : {}) };
  for (const [subject, checks] of Object.entries(subjects)) {
    describe(subject, () => {
      for (const [name, check] of Object.entries(checks)) {
        const known = ground.deviations[name];
        (known ? it.fails : it)(known ? `${name} [${known}]` : name, () => {
          const root = `${ground.base()}/${++count}`;
          fs.mkdirSync(root);
          fs.chmodSync(root, 0o755);
          try {
            const context = { root, overhead: ground.overhead, ...cast };
            (check as (t: SharedContext) => void)(context);
            ground.check();
            fs.rmSync(root, { recursive: true });
          } catch (error) {
            // The function may have left descriptors open in the helpers.
            cast.end();
            cast = new Cast();
            removeQuietly(root);
            ground.forget();
            throw error;
          }
        });
      }
    });
  }
}

/** The control: what fails here is wrong in the suite, not in a program. */
export function runOnBareFolder(): void {
  describe('bare folder', () => {
    const sandbox = new Sandbox();
    afterAll(() => sandbox.remove());
    const nothing = () => undefined;
    runSuite({ overhead: 0, shared: true, deviations: {}, base: () => sandbox.dir, check: nothing, forget: nothing });
  });
}

/** The suite on a mounted vault; after each function the vault must be clean, the log silent and the descriptors closed. */
export function runOnVault(row: Row): void {
  describe(row.name, () => {
    const sandbox = new Sandbox();
    let mount: Mount;
    beforeAll(() => {
      const vault = sandbox.folder('vault');
      init(sandbox, row.program, vault, [...row.cipher.options, ...row.naming.options]);
      mount = new Mount(sandbox, row.program, vault, row.mount, row.env);
    });
    afterAll(async () => {
      try {
        assert.equal(await mount.unmount(), 0, 'exit code after unmounting');
      } finally {
        sandbox.remove();
      }
    });
    const known = new Set<string>();
    const check = () => {
      const found = leftovers(mount.vault, row.naming.mode);
      assert.deepEqual(
        found.filter((problem) => !known.has(problem)),
        [],
      );
      assert.equal(mount.complaints(), '', 'the program complained');
      // Closing reaches the program a moment after close(2) has returned.
      const more = () => mount.descriptors() - mount.descriptorsAtReadiness;
      assert.ok(
        waitFor(() => more() <= CACHED_DESCRIPTORS, 2000),
        `${more()} descriptors more than at readiness`,
      );
    };
    const forget = () => {
      for (const problem of leftovers(mount.vault, row.naming.mode)) known.add(problem);
      mount.forgetComplaints();
    };
    const shared = row.mount.includes('-allow_other');
    runSuite({ overhead: row.cipher.overhead, shared, deviations: row.deviations, base: () => mount.root, check, forget });
    if (row.naming.mode !== 'plaintext') {
      it('the longest symbolic link', () => {
        const root = `${mount.root}/link`;
        fs.mkdirSync(root);
        longestLink({ root, overhead: row.cipher.overhead } as Context);
        check();
      });
    }
  });
}
