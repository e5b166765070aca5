import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Actor } from '../support/actor.ts';
import { leftovers } from '../support/cipherdir.ts';
import { fails } from '../support/errno.ts';
import { pattern } from '../support/files.ts';
import { aegisfs, init, Mount, mustRun } from '../support/program.ts';
import { Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
let vault: string;

beforeEach(() => {
  sandbox = new Sandbox();
  vault = sandbox.folder('vault');
});
afterEach(() => sandbox.remove());

/** Mounts, lets `use` work, and unmounts. */
async function mounted<T>(options: readonly string[], use: (mount: Mount) => T): Promise<T> {
  const mount = new Mount(sandbox, aegisfs, vault, options);
  try {
    return use(mount);
  } finally {
    expect(await mount.unmount()).toBe(0);
  }
}

function withActor<T>(use: (actor: Actor) => T): T {
  const actor = new Actor();
  try {
    return use(actor);
  } finally {
    actor.end();
  }
}

it('the mount tells the figures of the filesystem under the vault', async () => {
  init(sandbox, aegisfs, vault, ['-aegis']);
  await mounted([], ({ root }) => {
    const figures = (dir: string) => {
      const { bsize, blocks, files } = fs.statfsSync(dir);
      return { bsize, blocks, files };
    };
    expect(figures(root)).toEqual(figures(vault));
    expect(withActor((me) => me.run('os.pathconf', root, 'PC_NAME_MAX'))).toBe(255);
    expect(fs.statSync(root).ino).toBe(fs.statSync(vault).ino);
    expect(fs.statSync(root).size).toBe(fs.statSync(vault).size);
  });
});

it('-force_owner shows one owner for everything, and that owner may create', async () => {
  init(sandbox, aegisfs, vault, ['-aegis']);
  await mounted(['-force_owner', '1234:5678'], ({ root }) => {
    const owner = (name: string) => {
      const { uid, gid } = fs.lstatSync(`${root}/${name}`);
      return [uid, gid];
    };
    withActor((user) => {
      user.run('x.become', 1234, 5678, []);
      user.run('x.make_files', root, 'f', 3);
      user.run('os.mkdir', `${root}/d`);
      user.run('os.symlink', 'x', `${root}/l`);
      user.run('os.mkfifo', `${root}/p`);
      user.run('os.link', `${root}/f0-renamed`, `${root}/h`);
      for (const name of ['.', ...fs.readdirSync(root)]) expect(owner(name), name).toEqual([1234, 5678]);
      const [first] = fs.readdirSync(vault).filter((name) => !name.startsWith('gocryptfs.'));
      expect(fs.lstatSync(`${vault}/${first}`).uid).toBe(0);
    });
  });
});

it('-ko hands options to the kernel', async () => {
  init(sandbox, aegisfs, vault);
  await mounted(['-ko', 'ro,noexec'], ({ root }) => {
    fails('EROFS', () => fs.writeFileSync(`${root}/f`, ''));
  });
});

describe('names that cannot be decrypted', () => {
  beforeEach(async () => {
    init(sandbox, aegisfs, vault, ['-aegis']);
    await mounted([], ({ root }) => fs.writeFileSync(`${root}/doc`, 'v1'));
    const [name = ''] = fs.readdirSync(vault).filter((entry) => !entry.startsWith('gocryptfs.'));
    fs.copyFileSync(path.join(vault, name), path.join(vault, `${name} (conflicted copy)`));
    fs.writeFileSync(path.join(vault, 'foreign'), 'not ours');
  });

  it('are hidden and logged, and do not disturb the others', async () => {
    await mounted([], (mount) => {
      expect(fs.readdirSync(mount.root)).toEqual(['doc']);
      expect(mount.complaints()).toContain('could not decrypt entry "foreign"');
      fails('ENOENT', () => fs.statSync(`${mount.root}/foreign`));
      fails('EBUSY', () => fs.rmdirSync(mount.root));
    });
  });

  it('are shown, readable, renamed and removed with -badname', async () => {
    await mounted(['-badname', '*'], ({ root }) => {
      const listed = fs.readdirSync(root).sort();
      expect(listed).toEqual(['doc', 'doc (conflicted copy) GOCRYPTFS_BAD_NAME', 'foreign GOCRYPTFS_BAD_NAME']);
      expect(fs.readFileSync(`${root}/doc (conflicted copy) GOCRYPTFS_BAD_NAME`, 'utf8')).toBe('v1');
      fs.renameSync(`${root}/doc (conflicted copy) GOCRYPTFS_BAD_NAME`, `${root}/saved`);
      fs.unlinkSync(`${root}/foreign GOCRYPTFS_BAD_NAME`);
      fails('ENOENT', () => fs.writeFileSync(`${root}/new GOCRYPTFS_BAD_NAME`, ''));
      expect(fs.readdirSync(root).sort()).toEqual(['doc', 'saved']);
    });
    expect(leftovers(vault, 'default')).toEqual([]);
  });
});

describe.each([
  { how: 'with the default settings', options: [] },
  { how: 'with -noprealloc', options: ['-noprealloc'] },
])('a full disk, $how,', ({ options }) => {
  it.each([4096, 10_000, 131_072])('keeps exactly the bytes that were reported as written, in pieces of %i', async (size) => {
    mustRun(sandbox, 'mount', ['-t', 'tmpfs', '-o', 'size=6m', 'tmpfs', vault]);
    init(sandbox, aegisfs, vault, ['-aegis']);
    await mounted(options, (mount) => {
      const actors = [new Actor(), new Actor()];
      for (const [i, actor] of actors.entries()) actor.start('x.fill_disk', `${mount.root}/f${i}`, size);
      for (const [i, actor] of actors.entries()) {
        const written = Number(actor.finish());
        const data = fs.readFileSync(`${mount.root}/f${i}`);
        expect(data.length).toBe(written);
        const wanted = Buffer.concat(Array.from({ length: Math.ceil(written / size) }, (_, k) => Buffer.alloc(size, k % 251)));
        expect(data.equals(wanted.subarray(0, written))).toBe(true);
        actor.end();
      }
      fs.unlinkSync(`${mount.root}/f0`);
      fs.writeFileSync(`${mount.root}/after`, pattern(5000));
      expect(fs.readFileSync(`${mount.root}/after`).equals(pattern(5000))).toBe(true);
      expect(mount.complaints()).toBe('');
    });
  });
});
