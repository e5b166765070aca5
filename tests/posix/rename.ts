import assert from 'node:assert/strict';
import fs, { constants as C } from 'node:fs';
import { fails } from '../support/errno.ts';
import { pattern, readAt, withFile } from '../support/files.ts';
import type { Check, Context, Subject } from './context.ts';

const NOREPLACE = 1;
const EXCHANGE = 2;
const WHITEOUT = 4;
const FLAGS = [
  ['plain', 0],
  ['NOREPLACE', NOREPLACE],
  ['EXCHANGE', EXCHANGE],
  ['WHITEOUT', WHITEOUT],
  ['NOREPLACE|WHITEOUT', NOREPLACE | WHITEOUT],
] as const;
const LENGTHS = [
  ['short', 10],
  ['long', 230],
] as const;

function names(root: string): string[] {
  return fs.readdirSync(root).sort();
}

/** One cell of the matrix: a rename with these names, target and flags, and everything that must hold afterwards. */
function cell(t: Context, from: string, to: string, present: boolean, flags: number): void {
  const source = `${t.root}/${from}`;
  const target = `${t.root}/${to}`;
  fs.writeFileSync(source, pattern(5000));
  if (present) fs.writeFileSync(target, 'target');
  const rename = () => t.me.run('x.renameat2', source, target, flags);
  const refused = flags & EXCHANGE ? (present ? '' : 'ENOENT') : flags & NOREPLACE && present ? 'EEXIST' : '';
  if (refused) {
    fails(refused, rename);
    assert.ok(fs.readFileSync(source).equals(pattern(5000)));
    assert.deepEqual(names(t.root), (present ? [from, to] : [from]).sort());
    return;
  }
  rename();
  assert.ok(fs.readFileSync(target).equals(pattern(5000)));
  if (flags & EXCHANGE) assert.equal(fs.readFileSync(source, 'utf8'), 'target');
  else if (flags & WHITEOUT) assert.deepEqual([fs.lstatSync(source).mode & C.S_IFMT, fs.lstatSync(source).rdev], [C.S_IFCHR, 0]);
  else fails('ENOENT', () => fs.lstatSync(source));
  assert.deepEqual(names(t.root), (flags & (EXCHANGE | WHITEOUT) ? [from, to] : [to]).sort());
}

function matrix(): [string, Check][] {
  return FLAGS.flatMap(([flagName, flags]) =>
    LENGTHS.flatMap(([fromName, fromLength]) =>
      LENGTHS.flatMap(([toName, toLength]) =>
        [false, true].map((present): [string, Check] => [
          `${flagName}: ${fromName} to ${toName}, target ${present ? 'present' : 'absent'}`,
          (t) => cell(t, 's'.repeat(fromLength), 't'.repeat(toLength), present, flags),
        ]),
      ),
    ),
  );
}

/** Directories: each pair of name lengths, with an absent, an empty and a full target. */
function directories(): [string, Check][] {
  return LENGTHS.flatMap(([fromName, fromLength]) =>
    LENGTHS.map(([toName, toLength]): [string, Check] => [
      `directories, ${fromName} to ${toName}: absent, empty and full targets`,
      ({ root }) => {
        const [from, to] = [`${root}/${'s'.repeat(fromLength)}`, `${root}/${'t'.repeat(toLength)}`];
        fs.mkdirSync(from);
        fs.writeFileSync(`${from}/f`, 'x');
        fs.renameSync(from, to);
        assert.equal(fs.readFileSync(`${to}/f`, 'utf8'), 'x');
        fs.mkdirSync(from);
        fails('ENOTEMPTY EEXIST', () => fs.renameSync(from, to));
        fs.renameSync(to, from);
        assert.equal(fs.readFileSync(`${from}/f`, 'utf8'), 'x');
        assert.equal(names(root).length, 1);
      },
    ]),
  );
}

/** Renaming. */
export const rename: Subject = {
  ...Object.fromEntries([...matrix(), ...directories()]),
  'files and directories do not replace each other': ({ root }) => {
    fs.mkdirSync(`${root}/d`);
    fs.writeFileSync(`${root}/f`, '');
    fails('EISDIR', () => fs.renameSync(`${root}/f`, `${root}/d`));
    fails('ENOTDIR', () => fs.renameSync(`${root}/d`, `${root}/f`));
    fails('EINVAL', () => fs.renameSync(`${root}/d`, `${root}/d/below`));
    fails('ENOENT', () => fs.renameSync(`${root}/missing`, `${root}/x`));
    fails('ENOENT', () => fs.renameSync(`${root}/f`, `${root}/missing/x`));
    fails('ENAMETOOLONG', () => fs.renameSync(`${root}/f`, `${root}/${'x'.repeat(256)}`));
    assert.deepEqual(names(root), ['d', 'f']);
  },
  'EXCHANGE swaps a file and a full directory': ({ root, me }) => {
    fs.mkdirSync(`${root}/d`);
    fs.writeFileSync(`${root}/d/f`, 'in d');
    fs.writeFileSync(`${root}/${'F'.repeat(200)}`, 'file');
    me.run('x.renameat2', `${root}/d`, `${root}/${'F'.repeat(200)}`, EXCHANGE);
    assert.equal(fs.readFileSync(`${root}/d`, 'utf8'), 'file');
    assert.equal(fs.readFileSync(`${root}/${'F'.repeat(200)}/f`, 'utf8'), 'in d');
  },
  'impossible flags are EINVAL': ({ root, me }) => {
    fs.writeFileSync(`${root}/f`, '');
    for (const flags of [NOREPLACE | EXCHANGE, EXCHANGE | WHITEOUT, 8, 128]) {
      fails('EINVAL', () => me.run('x.renameat2', `${root}/f`, `${root}/g`, flags));
    }
  },
  'a file onto itself and onto another link of itself changes nothing': ({ root }) => {
    fs.writeFileSync(`${root}/f`, 'x');
    fs.linkSync(`${root}/f`, `${root}/g`);
    fs.renameSync(`${root}/f`, `${root}/f`);
    fs.renameSync(`${root}/f`, `${root}/g`);
    assert.deepEqual(names(root), ['f', 'g']);
    assert.equal(fs.readFileSync(`${root}/f`, 'utf8'), 'x');
  },
  'a directory renamed over an empty one resolves its entries at once': ({ root }) => {
    fs.mkdirSync(`${root}/a`);
    fs.mkdirSync(`${root}/b`);
    fs.writeFileSync(`${root}/a/x`, 'x');
    fs.readdirSync(`${root}/b`);
    fails('ENOENT', () => fs.statSync(`${root}/b/y`));
    fs.renameSync(`${root}/a`, `${root}/b`);
    assert.equal(fs.readFileSync(`${root}/b/x`, 'utf8'), 'x');
    fs.writeFileSync(`${root}/b/y`, 'y');
    assert.deepEqual(names(`${root}/b`), ['x', 'y']);
  },
  'moving between directories re-creates the name under the other parent': ({ root }) => {
    for (const dir of ['a', 'b']) fs.mkdirSync(`${root}/${dir}`);
    for (const name of ['n', 'N'.repeat(240)]) {
      fs.mkdirSync(`${root}/a/${name}`);
      fs.writeFileSync(`${root}/a/${name}/f`, 'x');
      fs.renameSync(`${root}/a/${name}`, `${root}/b/${name}`);
      assert.equal(fs.readFileSync(`${root}/b/${name}/f`, 'utf8'), 'x');
    }
    assert.deepEqual(names(`${root}/a`), []);
  },
  'an open file and the working directory follow': ({ root, me }) => {
    fs.mkdirSync(`${root}/d`);
    withFile(`${root}/d/f`, 'w+', (fd) => {
      fs.writeSync(fd, 'before');
      me.run('os.chdir', `${root}/d`);
      fs.renameSync(`${root}/d`, `${root}/e`);
      fs.renameSync(`${root}/e/f`, `${root}/e/${'g'.repeat(200)}`);
      fs.writeSync(fd, ' after');
      fs.fchmodSync(fd, 0o600);
      assert.equal(readAt(fd, 0, 100).toString(), 'before after');
      assert.equal(me.run('os.getcwd'), `${root}/e`);
      assert.equal(me.stat('os.stat', 'g'.repeat(200)).st_mode & 0o777, 0o600);
      me.run('os.chdir', '/');
    });
  },
  'a reader of a file that is being replaced sees a whole one': ({ root, other }) => {
    fs.writeFileSync(`${root}/f`, 'x'.repeat(50));
    other.start('x.watch_replaced', `${root}/f`, 300, 50);
    for (let i = 0; i < 300; i++) {
      fs.writeFileSync(`${root}/g`, 'x'.repeat(50));
      fs.renameSync(`${root}/g`, `${root}/f`);
    }
    assert.equal(other.finish(), 0);
  },
};
