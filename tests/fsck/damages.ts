/** Kinds of damage, and what a check has to say about each. */
import fs from 'node:fs';
import { type DamagedVault, LONG_DIR, LONG_FILE, listXattrs, setXattr } from './damaged-vault.ts';

/**
 * How the verdict compares to that of gocryptfs 2.3:
 * same - exit code and findings are equal;
 * code - the exit code is equal, the findings are worded differently (the reason stands beside it);
 * stricter - gocryptfs finds nothing, though its own documents call it corrupt.
 */
export type Comparison = 'same' | 'code' | 'stricter';

export interface Damage {
  readonly kind: string;
  readonly comparison: Comparison;
  /** Findings in all, 0 for a healthy vault; 'some' where it depends on the random key. */
  readonly findings: number | 'some';
  apply(vault: DamagedVault): void;
}

const NAME_FILE = '.name';

function nextBase64Char(char: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  return alphabet[(alphabet.indexOf(char) + 1) % 64] ?? '';
}

const CONTENTS: Damage[] = [
  { kind: 'none', comparison: 'same', findings: 0, apply: () => {} },
  { kind: 'a bit of a block', comparison: 'same', findings: 1, apply: (v) => v.flip('a', v.block(2) + 100) },
  { kind: 'a bit of a nonce', comparison: 'same', findings: 1, apply: (v) => v.flip('a', v.block(1)) },
  { kind: 'a bit of the last tag', comparison: 'same', findings: 1, apply: (v) => v.flip('big', fs.statSync(v.at('big')).size - 1) },
  {
    kind: 'two blocks of one file',
    comparison: 'same',
    findings: 1,
    apply: (v) => {
      v.flip('a', v.block(0) + 50);
      v.flip('a', v.block(3) + 50);
    },
  },
  {
    kind: 'files all over the tree',
    comparison: 'same',
    findings: 6,
    apply: (v) => {
      for (const name of ['a', 'm', 'dir/x', 'dir/sub/deep', 'zdir/z', 'umläut']) v.flip(name, v.block(0) + 50);
    },
  },
  { kind: 'a file with a line break in its name', comparison: 'same', findings: 1, apply: (v) => v.flip('new\nline', v.block(0) + 50) },
  { kind: 'a file with three names', comparison: 'same', findings: 1, apply: (v) => v.flip('b', v.block(0) + 50) },
  {
    kind: 'two blocks exchanged',
    comparison: 'same',
    findings: 1,
    apply: (v) =>
      v.rewrite('a', (data) => {
        const [start, middle, end] = [v.block(0), v.block(1), v.block(2)];
        return Buffer.concat([data.subarray(0, start), data.subarray(middle, end), data.subarray(start, middle), data.subarray(end)]);
      }),
  },
  {
    kind: 'a block of another file',
    comparison: 'same',
    findings: 1,
    apply: (v) => {
      const other = fs.readFileSync(v.at('m'));
      v.rewrite('a', (data) => Buffer.concat([data.subarray(0, 18), other.subarray(18)]));
    },
  },
  { kind: 'the version in the header', comparison: 'same', findings: 1, apply: (v) => v.flip('a', 1) },
  { kind: 'the file ID in the header', comparison: 'same', findings: 1, apply: (v) => v.flip('a', 10) },
  { kind: 'an all-zero header', comparison: 'same', findings: 1, apply: (v) => v.rewrite('a', (data) => data.fill(0, 0, 18)) },
  { kind: 'an all-zero file ID', comparison: 'same', findings: 1, apply: (v) => v.rewrite('a', (data) => data.fill(0, 2, 18)) },
  {
    kind: 'a block of zeros, which is a hole',
    comparison: 'same',
    findings: 0,
    apply: (v) => v.rewrite('a', (d) => d.fill(0, v.block(1), v.block(2))),
  },
  { kind: 'a partial block of zeros', comparison: 'same', findings: 1, apply: (v) => v.rewrite('a', (data) => data.fill(0, v.block(4))) },
  { kind: 'a hole that ends within a block', comparison: 'same', findings: 1, apply: (v) => v.cut('hole', v.block(4096) + 2000) },
  { kind: 'the data behind a hole', comparison: 'same', findings: 1, apply: (v) => v.flip('sparse', fs.statSync(v.at('sparse')).size - 1) },
  { kind: 'a file cut at a block border', comparison: 'same', findings: 0, apply: (v) => v.cut('a', v.block(3)) },
  { kind: 'bytes behind the last block', comparison: 'same', findings: 1, apply: (v) => fs.appendFileSync(v.at('a'), 'garbage') },
  ...[19, 34, 50, 51].map(
    (length): Damage => ({ kind: `a file cut to ${length} bytes`, comparison: 'same', findings: 1, apply: (v) => v.cut('a', length) }),
  ),
  { kind: 'a cut within the second block', comparison: 'same', findings: 1, apply: (v) => v.cut('a', v.block(1) + 4) },
  // The kernel takes such files for empty and never reads them, so the original cannot notice.
  ...[1, 17, 18].map(
    (length): Damage => ({ kind: `a file cut to ${length} bytes`, comparison: 'stricter', findings: 1, apply: (v) => v.cut('a', length) }),
  ),
];

const NAMES: Damage[] = [
  {
    kind: 'names that are no encrypted names',
    comparison: 'same',
    findings: 4,
    apply: (v) => {
      fs.writeFileSync(`${v.dir}/notbase64!`, '');
      fs.writeFileSync(`${v.dir}/AAAA`, '');
      fs.writeFileSync(`${v.at('dir')}/gocryptfs.conf`, '');
      fs.writeFileSync(`${v.at('dir')}/q\n"x`, '');
    },
  },
  { kind: 'a conflict copy', comparison: 'same', findings: 1, apply: (v) => fs.copyFileSync(v.at('a'), `${v.at('a')} (conflicted copy)`) },
  {
    kind: 'leftovers of a crash',
    comparison: 'same',
    findings: 2,
    apply: (v) => {
      fs.writeFileSync(`${v.dir}/gocryptfs.conf.tmp`, '');
      fs.writeFileSync(`${v.dir}/gocryptfs.diriv.rmdir.123`, '');
    },
  },
  {
    // Such a name is listed by 2.3, then not found; later versions call it a corrupt entry.
    kind: 'a name in non-canonical base64',
    comparison: 'code',
    findings: 1,
    apply: (v) => {
      const file = v.at('a');
      fs.renameSync(file, file.slice(0, -1) + nextBase64Char(file.slice(-1)));
    },
  },
  { kind: 'a long name without .name file', comparison: 'same', findings: 1, apply: (v) => fs.rmSync(v.at(LONG_FILE) + NAME_FILE) },
  { kind: 'an empty .name file', comparison: 'same', findings: 1, apply: (v) => v.writeHelper(v.at(LONG_FILE) + NAME_FILE, '') },
  {
    kind: 'a .name file that is too long',
    comparison: 'same',
    findings: 1,
    apply: (v) => v.writeHelper(v.at(LONG_FILE) + NAME_FILE, 'A'.repeat(345)),
  },
  // 2.3 names what it found in the file; the entry that has to be repaired is the backing one.
  {
    kind: 'a .name file with something else',
    comparison: 'code',
    findings: 1,
    apply: (v) => v.writeHelper(v.at(LONG_FILE) + NAME_FILE, 'no name'),
  },
  {
    // Two entries then claim one name, and one of them is out of reach (format.md 8.5).
    kind: 'the .name file of another entry',
    comparison: 'stricter',
    findings: 1,
    apply: (v) => v.writeHelper(v.at(LONG_FILE) + NAME_FILE, fs.readFileSync(v.at(LONG_DIR) + NAME_FILE)),
  },
  { kind: 'a .name file on its own', comparison: 'same', findings: 0, apply: (v) => fs.rmSync(v.at(LONG_FILE)) },
];

const DIRECTORIES: Damage[] = [
  { kind: 'a missing diriv', comparison: 'same', findings: 1, apply: (v) => fs.rmSync(`${v.at('dir')}/gocryptfs.diriv`) },
  { kind: 'a short diriv', comparison: 'same', findings: 1, apply: (v) => v.writeHelper(`${v.at('dir')}/gocryptfs.diriv`, 'short') },
  {
    kind: 'a long diriv',
    comparison: 'same',
    findings: 1,
    apply: (v) => v.writeHelper(`${v.at('dir')}/gocryptfs.diriv`, 'longer than sixteen'),
  },
  {
    kind: 'an all-zero diriv',
    comparison: 'same',
    findings: 1,
    apply: (v) => v.writeHelper(`${v.at('dir')}/gocryptfs.diriv`, Buffer.alloc(16)),
  },
  {
    kind: 'the diriv of another directory',
    comparison: 'same',
    // A name of one block survives a wrong IV with a probability of 1 in 256.
    findings: 'some',
    apply: (v) => v.writeHelper(`${v.at('dir')}/gocryptfs.diriv`, Buffer.from('0123456789abcdef')),
  },
  { kind: 'a missing diriv of the root', comparison: 'same', findings: 1, apply: (v) => fs.rmSync(`${v.dir}/gocryptfs.diriv`) },
  {
    kind: 'a directory in place of a file',
    comparison: 'same',
    findings: 1,
    apply: (v) => {
      fs.rmSync(v.at('a'));
      fs.mkdirSync(v.at('a'));
    },
  },
];

const LINKS_AND_ATTRIBUTES: Damage[] = [
  {
    kind: 'a symlink to somewhere',
    comparison: 'same',
    findings: 1,
    apply: (v) => {
      fs.rmSync(v.at('link'));
      fs.symlinkSync('/etc/passwd', v.at('link'));
    },
  },
  {
    kind: 'a symlink with a changed target',
    comparison: 'same',
    findings: 1,
    apply: (v) => {
      const target = fs.readlinkSync(v.at('link'));
      fs.rmSync(v.at('link'));
      fs.symlinkSync(nextBase64Char(target.slice(0, 1)) + target.slice(1), v.at('link'));
    },
  },
  {
    kind: 'names of attributes',
    comparison: 'same',
    findings: 3,
    apply: (v) => {
      setXattr(v.dir, 'user.gocryptfs.XX', 'x');
      setXattr(v.at('a'), 'user.gocryptfs.Nq93Q523rNC93cvsqaUDfg', 'x');
      setXattr(v.at('dir'), 'user.gocryptfs.XX', 'x');
    },
  },
  {
    kind: 'values of attributes',
    comparison: 'same',
    findings: 3,
    apply: (v) => {
      for (const file of [v.dir, v.at('a'), v.at('dir')]) {
        const [name] = listXattrs(file);
        setXattr(file, name ?? '', 'neither encrypted nor empty');
      }
    },
  },
  {
    kind: 'attributes and contents of one file',
    comparison: 'same',
    findings: 3,
    apply: (v) => {
      setXattr(v.at('a'), 'user.gocryptfs.XX', 'x');
      setXattr(v.at('a'), 'user.gocryptfs.YY', 'x');
      v.flip('a', v.block(0) + 50);
    },
  },
  {
    kind: 'attributes of a file with three names',
    comparison: 'same',
    findings: 1,
    apply: (v) => setXattr(v.at('b'), listXattrs(v.at('b'))[0] ?? '', 'neither encrypted nor empty'),
  },
  { kind: 'attributes that belong to nobody', comparison: 'same', findings: 0, apply: (v) => setXattr(v.at('a'), 'user.foreign', 'x') },
];

export const DAMAGES: readonly Damage[] = [...CONTENTS, ...NAMES, ...DIRECTORIES, ...LINKS_AND_ATTRIBUTES];

/** Damages that can be done to a vault whose names are not encrypted. */
export const DAMAGES_WITHOUT_NAMES: readonly Damage[] = CONTENTS;
