import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { aegisfs, gocryptfs, init, Mount, PASSWORD, type Program, run } from '../support/program.ts';
import { Sandbox } from '../support/sandbox.ts';

/** The tree of behaviour.md appendix B. */
const FILES = [
  ...[
    'a/f.txt',
    'a/b/f.txt',
    'a/b/c/f.txt',
    'foo/bar',
    'x/foo',
    'Documentation/git.html',
    'Documentation/ppc/ppc.html',
    'abc/d/e',
    'q1.txt',
  ],
  ...['q?.txt', '#hash', '!bang', '[ab]', 'aa', 'b', 'p+q', '(x)', 'star*x', 'starAx', 'l'.repeat(200), `a/${'l'.repeat(200)}`],
];
/** Beside the table of behaviour.md, which the unit tests go through: what is most likely to be read in two ways. */
const PATTERNS: readonly (readonly string[])[] = [
  ...['Documentation/*.html', 'a/b/', '[!a]', 'b|aa', 'l*', 'a\\?'].map((one) => [one]),
  ...[['*', '!/foo'], ['a', '!a/b/f.txt'], ['*', '!/foo', '!/a', '!/a/b'], ['a**b'], ['a/**/**/f.txt'], ['/**/f.txt']],
];

let sandbox: Sandbox;
let plain: string;
beforeEach(() => {
  sandbox = new Sandbox();
  plain = sandbox.folder('plain');
  for (const file of FILES) {
    fs.mkdirSync(`${plain}/${file}`.replace(/\/[^/]*$/, ''), { recursive: true });
    fs.writeFileSync(`${plain}/${file}`, 'x');
  }
});
afterEach(() => sandbox.remove());

/** Names that a mount with these options shows. */
async function shown(program: Program, options: readonly string[]): Promise<string[]> {
  const mount = new Mount(sandbox, program, plain, ['-reverse', ...options]);
  try {
    return fs.readdirSync(mount.root, { recursive: true, encoding: 'utf8' }).sort();
  } finally {
    await mount.unmount();
  }
}

describe('exclusion', () => {
  it('hides what gocryptfs hides', async () => {
    init(sandbox, aegisfs, plain, ['-reverse', '-deterministic-names']);
    const all = await shown(aegisfs, []);
    for (const patterns of PATTERNS) {
      const options = patterns.flatMap((pattern) => ['-exclude-wildcard', pattern]);
      const mine = await shown(aegisfs, options);
      // The configuration is never hidden any more.
      const theirs = [...new Set([...(await shown(gocryptfs, options)), 'gocryptfs.conf'])].sort();
      expect([patterns, mine]).toEqual([patterns, theirs]);
      expect(mine.length).toBeLessThanOrEqual(all.length);
    }
  });

  it('makes hidden paths inaccessible, whether they exist or not, and shows the rest', async () => {
    init(sandbox, aegisfs, plain, ['-reverse', '-plaintextnames']);
    const list = sandbox.file('list', '# comment\r\n/a/b\n\n  *.html  \n!Documentation/ppc/ppc.html\n');
    const options = ['-reverse', '-exclude', 'x', '-exclude-wildcard', '[!q]1*', '-exclude-from', list];
    const mount = new Mount(sandbox, aegisfs, plain, options);
    try {
      for (const path of ['a/b', 'x', 'Documentation/git.html', 'a/b/nothing', 'nothing.html']) {
        expect(() => fs.lstatSync(`${mount.root}/${path}`), path).toThrow('EPERM');
      }
      expect(() => fs.lstatSync(`${mount.root}/nothing`)).toThrow('ENOENT');
      expect(fs.readdirSync(`${mount.root}/Documentation`)).toEqual(['ppc']);
      expect(fs.readdirSync(`${mount.root}/Documentation/ppc`)).toEqual(['ppc.html']);
      expect(fs.readdirSync(`${mount.root}/a`).sort()).toEqual(['f.txt', 'l'.repeat(200)].sort());
      expect(fs.existsSync(`${mount.root}/gocryptfs.conf`)).toBe(true);
    } finally {
      expect(await mount.unmount()).toBe(0);
    }
  });

  it('hides the .name file of a hidden long name', async () => {
    init(sandbox, aegisfs, plain, ['-reverse']);
    const visible = await shown(aegisfs, []);
    const hidden = await shown(aegisfs, ['-exclude', 'l'.repeat(200)]);
    const gone = visible.filter((name) => !hidden.includes(name)).sort();
    expect(gone).toHaveLength(2);
    expect(gone[1]).toBe(`${gone[0]}.name`);
    const mount = new Mount(sandbox, aegisfs, plain, ['-reverse', '-exclude', 'l'.repeat(200)]);
    try {
      for (const name of gone) expect(() => fs.lstatSync(`${mount.root}/${name}`), name).toThrow('EPERM');
    } finally {
      expect(await mount.unmount()).toBe(0);
    }
  });

  it('ends with 29 if a file of patterns cannot be read', () => {
    init(sandbox, aegisfs, plain, ['-reverse']);
    const password = sandbox.file('password', `${PASSWORD}\n`);
    const root = sandbox.folder('root');
    const result = run(sandbox, aegisfs.command, ['-q', '-reverse', '-passfile', password, '-exclude-from', '/nothing', plain, root]);
    expect(result.code).toBe(29);
    expect(result.stderr).toContain('Error reading exclusion patterns: "open /nothing: no such file or directory"');
  });
});
