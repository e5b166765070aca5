import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Actor } from '../support/actor.ts';
import { fails } from '../support/errno.ts';
import { pattern } from '../support/files.ts';
import { aegisfs, init, Mount } from '../support/program.ts';
import { Sandbox, sleep } from '../support/sandbox.ts';

/** How long the kernel may believe what it has been told, milliseconds, with a margin. Source: behaviour.md 6.2. */
const BELIEF = 1300;

describe.each([
  { how: 'with -sharedstorage: at once', options: ['-sharedstorage'], settle: () => undefined },
  { how: 'without: after a second', options: [], settle: () => sleep(BELIEF) },
])('two mounts of one vault see each other’s changes, $how', ({ options, settle }) => {
  let sandbox: Sandbox;
  let one: Mount;
  let two: Mount;

  beforeEach(() => {
    sandbox = new Sandbox();
    const vault = sandbox.folder('vault');
    init(sandbox, aegisfs, vault, ['-aegis']);
    one = new Mount(sandbox, aegisfs, vault, options);
    two = new Mount(sandbox, aegisfs, vault, options);
  });
  afterEach(async () => {
    expect([await one.unmount(), await two.unmount()]).toEqual([0, 0]);
    sandbox.remove();
  });

  it('a new file, its content, a change of its size, and its end', () => {
    fails('ENOENT', () => fs.statSync(`${two.root}/f`));
    fs.writeFileSync(`${one.root}/f`, pattern(5000));
    settle();
    expect(fs.readFileSync(`${two.root}/f`).equals(pattern(5000))).toBe(true);
    fs.appendFileSync(`${two.root}/f`, 'more');
    settle();
    expect(fs.statSync(`${one.root}/f`).size).toBe(5004);
    expect(fs.readFileSync(`${one.root}/f`).subarray(5000).toString()).toBe('more');
    fs.unlinkSync(`${one.root}/f`);
    settle();
    fails('ENOENT', () => fs.statSync(`${two.root}/f`));
  });

  it('a directory that becomes a file can be unlinked', () => {
    for (const name of ['x', 'y'.repeat(220)]) {
      fs.mkdirSync(`${one.root}/${name}`);
      expect(fs.statSync(`${one.root}/${name}`).isDirectory()).toBe(true);
      settle();
      fs.rmdirSync(`${two.root}/${name}`);
      fs.writeFileSync(`${two.root}/${name}`, 'file');
      settle();
      fs.unlinkSync(`${one.root}/${name}`);
      settle();
      expect(fs.readdirSync(two.root)).toEqual([]);
    }
  });

  it('a hard link that goes away leaves the other one', () => {
    fs.writeFileSync(`${one.root}/a`, 'content');
    fs.linkSync(`${one.root}/a`, `${one.root}/b`);
    expect(fs.statSync(`${one.root}/a`).ino).toBe(fs.statSync(`${one.root}/b`).ino);
    settle();
    fs.unlinkSync(`${two.root}/a`);
    settle();
    expect(fs.readFileSync(`${one.root}/b`, 'utf8')).toBe('content');
    fs.appendFileSync(`${two.root}/b`, ' grown');
    settle();
    expect(fs.statSync(`${one.root}/b`).size).toBe(13);
  });

  it('a renamed directory is found under its new name only', () => {
    fs.mkdirSync(`${one.root}/d`);
    fs.writeFileSync(`${one.root}/d/f`, 'x');
    settle();
    fs.renameSync(`${two.root}/d`, `${two.root}/e`);
    settle();
    expect(fs.readFileSync(`${one.root}/e/f`, 'utf8')).toBe('x');
    fails('ENOENT', () => fs.statSync(`${one.root}/d`));
    expect(fs.readdirSync(one.root)).toEqual(['e']);
  });

  it('both make and remove the same names, and neither hangs or breaks', () => {
    const actors = [new Actor(), new Actor()];
    try {
      actors[0]?.start('x.create_remove', `${one.root}/x`, 200, 0);
      actors[1]?.start('x.create_remove', `${two.root}/x`, 200, 1);
      for (const actor of actors) actor.finish();
    } finally {
      for (const actor of actors) actor.end();
    }
    sleep(BELIEF);
    fs.rmSync(`${one.root}/x`, { recursive: true, force: true });
    sleep(BELIEF);
    fs.writeFileSync(`${two.root}/x`, 'fine');
    settle();
    expect(fs.readFileSync(`${one.root}/x`, 'utf8')).toBe('fine');
  });
});
