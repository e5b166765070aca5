import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Actor } from '../support/actor.ts';
import { NAMINGS } from '../support/matrix.ts';
import { aegisfs, gocryptfs, init, Mount, mustRun, type Program, run } from '../support/program.ts';
import { Sandbox } from '../support/sandbox.ts';
import { populate } from '../support/tree.ts';

let me: Actor;
let sandbox: Sandbox;
let plain: string;
beforeAll(() => {
  me = new Actor();
});
afterAll(() => me.end());
beforeEach(() => {
  sandbox = new Sandbox();
  plain = sandbox.folder('plain');
});
afterEach(() => sandbox.remove());

/** Mounts while `use` runs; the program must have nothing to complain of. */
async function mounted<T>(program: Program, folder: string, options: readonly string[], use: (root: string) => T): Promise<T> {
  const mount = new Mount(sandbox, program, folder, options);
  let result: T;
  try {
    result = use(mount.root);
  } finally {
    expect(await mount.unmount()).toBe(0);
  }
  expect(mount.complaints()).toBe('');
  return result;
}

/** What rsync would still copy, every content compared. */
function differences(from: string, to: string, ...options: string[]): string {
  const args = ['-aHAXn', '--checksum', '--delete', '--itemize-changes', ...options, `${from}/`, `${to}/`];
  return mustRun(sandbox, 'rsync', args);
}

/** gocryptfs before 2.5 does not make virtual files ten seconds younger. */
function withoutVirtualTimes(seen: Record<string, string>): Record<string, string> {
  const isVirtual = (name: string): boolean => /gocryptfs\.(diriv|longname\.[^/]*\.name)$/.test(name);
  return Object.fromEntries(
    Object.entries(seen).map(([name, text]) => [name, isVirtual(name) ? text.replace(/ \d{13}[.\d]* /, ' ') : text]),
  );
}

/** Everything a backup program sees below a folder but inode numbers. */
function look(root: string): Record<string, string> {
  const seen: Record<string, string> = {};
  for (const entry of fs.readdirSync(root, { recursive: true, encoding: 'latin1' })) {
    const at = Buffer.concat([Buffer.from(`${root}/`), Buffer.from(entry, 'latin1')]);
    const stat = fs.lstatSync(at);
    let content = '';
    if (stat.isSymbolicLink()) content = fs.readlinkSync(at);
    else if (stat.isFile()) content = createHash('sha256').update(fs.readFileSync(at)).digest('hex');
    seen[entry] = [stat.mode, stat.nlink, stat.uid, stat.gid, stat.rdev, stat.isDirectory() ? 0 : stat.size, stat.mtimeMs, content].join(
      ' ',
    );
  }
  return seen;
}

for (const naming of NAMINGS) {
  describe(`reverse view with ${naming.name}`, () => {
    beforeEach(() => {
      init(sandbox, aegisfs, plain, ['-reverse', ...naming.options]);
    });

    it('copied elsewhere is a vault with the same tree for aegisfs and gocryptfs', async () => {
      populate(plain, me);
      const copy = sandbox.folder('copy');
      await mounted(aegisfs, plain, ['-reverse'], (root) => {
        mustRun(sandbox, 'rsync', ['-aHAX', `${root}/`, `${copy}/`]);
        expect(differences(root, copy)).toBe('');
      });
      // The view shows the configuration, and the vault hides it.
      const hidden = ['--exclude=/.gocryptfs.reverse.conf', '--omit-dir-times'];
      for (const program of [aegisfs, gocryptfs]) {
        await mounted(program, copy, ['-ro'], (root) => expect(differences(plain, root, ...hidden)).toBe(''));
      }
      await mounted(aegisfs, plain, ['-reverse'], (root) => expect(differences(root, copy)).toBe(''));
    });

    it('is byte for byte that of gocryptfs, and the same at every mount', async () => {
      populate(plain, me);
      // Which name decides for a file with several is not the same for both (case I47); gocryptfs goes by the first one opened.
      for (const name of fs.readdirSync(`${plain}/d`)) if (name.startsWith('H')) fs.unlinkSync(`${plain}/d/${name}`);
      fs.unlinkSync(`${plain}/d/${'n'.repeat(240)}/hard`);
      const mine = await mounted(aegisfs, plain, ['-reverse'], look);
      expect(Object.keys(mine).length).toBeGreaterThan(40);
      expect(await mounted(aegisfs, plain, ['-reverse'], look)).toEqual(mine);
      const theirs = await mounted(gocryptfs, plain, ['-reverse'], look);
      expect(withoutVirtualTimes(mine)).toEqual(withoutVirtualTimes(theirs));
    });
  });
}

describe('reverse mode', () => {
  it('needs AES-SIV', () => {
    init(sandbox, aegisfs, plain, []);
    fs.renameSync(path.join(plain, 'gocryptfs.conf'), path.join(plain, '.gocryptfs.reverse.conf'));
    const password = sandbox.file('password', 'correct horse\n');
    const root = sandbox.folder('root');
    const result = run(sandbox, aegisfs.command, ['-q', '-reverse', '-passfile', password, plain, root]);
    expect(result.code).toBe(1);
    expect(result.stderr).toContain('AES-SIV is required by reverse mode, but not enabled in the config file');
  });
});
