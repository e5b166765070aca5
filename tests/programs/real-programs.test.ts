import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Actor } from '../support/actor.ts';
import { pattern } from '../support/files.ts';
import { aegisfs, init, Mount, mustRun, run } from '../support/program.ts';
import { Sandbox } from '../support/sandbox.ts';
import { populate, snapshot } from '../support/tree.ts';

/** Fixed names and dates: commits are the same wherever they are made. */
const GIT_ENV = {
  GIT_AUTHOR_NAME: 'A',
  GIT_AUTHOR_EMAIL: 'a@example.org',
  GIT_AUTHOR_DATE: '2026-01-01T00:00:00Z',
  GIT_COMMITTER_NAME: 'C',
  GIT_COMMITTER_EMAIL: 'c@example.org',
  GIT_COMMITTER_DATE: '2026-01-01T00:00:00Z',
  GIT_CONFIG_GLOBAL: '/dev/null',
  HOME: '/nonexistent',
};

/** What a program does in a folder, compared between a bare folder and a mount. */
describe('programs work in a mount as in a bare folder', () => {
  const sandbox = new Sandbox();
  let mount: Mount;
  let bare: string;
  let me: Actor;

  beforeAll(() => {
    const vault = sandbox.folder('vault');
    bare = sandbox.folder('bare');
    init(sandbox, aegisfs, vault, ['-aegis']);
    mount = new Mount(sandbox, aegisfs, vault, ['-allow_other']);
    me = new Actor();
  });
  afterAll(async () => {
    me.end();
    expect(mount.complaints()).toBe('');
    expect(await mount.unmount()).toBe(0);
    sandbox.remove();
  });

  /** Runs a shell script (with -e) in a new folder of both places. @returns its output, which must be the same, with the two folders */
  function inBoth(
    name: string,
    script: string,
    env: Record<string, string> = {},
    prepare: (dir: string) => void = () => undefined,
  ): { output: string; folders: [string, string] } {
    const folders = [bare, mount.root].map((place) => `${place}/${name}`) as [string, string];
    const outputs = folders.map((cwd) => {
      fs.mkdirSync(cwd);
      prepare(cwd);
      return run(sandbox, 'sh', ['-e', '-c', script], { cwd, env });
    });
    expect(outputs[1]).toEqual(outputs[0]);
    expect(outputs[0]).toMatchObject({ code: 0 });
    return { output: outputs[0]?.stdout ?? '', folders };
  }

  it('git: init, commit, clone, gc and fsck', () => {
    const script = `
      git init -q -b main source && cd source
      for i in $(seq 150); do mkdir -p d$((i % 7)); seq $i $((i * 13)) > d$((i % 7))/f$i; done
      ln -s d1/f1 link; ln -s missing dangling; touch exec; chmod +x exec
      git add . && git commit -qm first
      git rm -qr d2; git mv d3 moved; echo changed >> d1/f1; rm link; git checkout -q -- link
      git commit -qam second; git tag v1; git checkout -qb side HEAD~1; echo side > side; git add side; git commit -qm side
      git checkout -q main; git merge -q -m merge side
      git gc -q; git fsck --full 2>&1 | grep -v '^notice' || true
      cd ..; git clone -q source clone; cd clone
      git status --porcelain; git log --format='%H %s'; git ls-files -s | sha1sum; git diff v1 | sha1sum`;
    const { output, folders } = inBoth('git', script, GIT_ENV);
    expect(output).toContain('merge');
    const content = folders.map((folder) =>
      mustRun(sandbox, 'sh', ['-c', 'cd "$0/clone" && find . -path ./.git -prune -o -print | sort', folder]),
    );
    expect(content[1]).toBe(content[0]);
  });

  it('a compiler and make', () => {
    const functions = Array.from({ length: 12 }, (_, i) => `f${i}`);
    const sources: Record<string, string> = {
      'common.h': `#define BASE 7\n${functions.map((name) => `int ${name}(int);\n`).join('')}`,
      'main.c': `#include <stdio.h>\n#include "common.h"\nint main(void) { int s = 0; ${functions
        .map((name) => `s += ${name}(s);`)
        .join(' ')} printf("%d\\n", s); return 0; }\n`,
      Makefile: `program: libf.a main.o
\t$(CC) -o $@ main.o -L. -lf
libf.a: ${functions.map((name) => `${name}.o`).join(' ')}
\tar rcsD $@ $^
%.o: %.c common.h
\t$(CC) -O1 -c -o $@ $<
`,
    };
    for (const [i, name] of functions.entries())
      sources[`${name}.c`] = `#include "common.h"\nint ${name}(int x) { return x * ${i} + BASE; }\n`;
    const prepare = (dir: string) => {
      for (const [name, text] of Object.entries(sources)) fs.writeFileSync(`${dir}/${name}`, text);
    };
    const script = `make -s -j2 && ./program && make -q program
      touch -d '1 minute' common.h && make -s -j2 && ./program
      sha256sum *.o libf.a program`;
    const { output } = inBoth('compile', script, {}, prepare);
    expect(output.split('\n')).toHaveLength(2 + functions.length + 3 + 1);
  });

  it('SQLite in WAL mode', () => {
    const results = [bare, mount.root].map((place) => me.run('x.sqlite_workout', `${place}/database`));
    expect(results[1]).toEqual(results[0]);
    expect(results[0]).toEqual(['ok', 'wal', expect.stringMatching(/^[0-9a-f]{64}$/), ['database']]);
  });

  // Without the window of −1 rsync takes times within the same second for equal.
  it('rsync -aHAX, there and back, finds no difference', () => {
    const source = `${bare}/source`;
    fs.mkdirSync(source);
    populate(source, me);
    // With -S written zeros become holes too.
    fs.unlinkSync(`${source}/zeros`);
    // user::rw-, user:1000:r--, group::r--, mask::rw-, other::r--
    const acl = Buffer.from(
      '02000000' + '01000600ffffffff' + '02000400e8030000' + '04000400ffffffff' + '10000600ffffffff' + '20000400ffffffff',
      'hex',
    );
    me.run('os.setxattr', `${source}/size8192`, 'system.posix_acl_access', acl);
    const rsync = (...args: string[]) => mustRun(sandbox, 'rsync', ['-aHAX', '--numeric-ids', '--modify-window=-1', ...args]);
    const target = `${mount.root}/target`;
    rsync('-S', `${source}/`, target);
    expect(snapshot(target, me)).toEqual(snapshot(source, me));
    expect(rsync('-n', '--checksum', '--itemize-changes', '--delete', `${source}/`, target)).toBe('');
    fs.appendFileSync(`${source}/size4097`, 'more');
    fs.unlinkSync(`${source}/size1`);
    rsync('--inplace', '--delete', `${source}/`, target);
    rsync('-S', `${target}/`, `${bare}/back`);
    expect(snapshot(`${bare}/back`, me)).toEqual(snapshot(source, me));
  });

  it('tar, cp -a and mv keep everything and say nothing', () => {
    const source = `${bare}/kept`;
    fs.mkdirSync(source);
    populate(source, me);
    const script = `
      mkdir "$1/tar" && tar --xattrs --acls -S -C "$0" -cf - . | tar --xattrs --xattrs-include='*' --acls -C "$1/tar" -xpf -
      cp -a "$0" "$1/cp" && mv "$1/cp" "$2/moved" && mv "$2/moved" "$1/again"`;
    expect(run(sandbox, 'sh', ['-e', '-c', script, source, mount.root, bare])).toEqual({ code: 0, stdout: '', stderr: '' });
    for (const copy of ['tar', 'again']) expect(snapshot(`${mount.root}/${copy}`, me), copy).toEqual(snapshot(source, me));
  });

  it('sparse-aware and whole copies of a sparse file', () => {
    const script = `
      truncate -s 3000000 s; printf DATA | dd of=s bs=1 seek=1234567 conv=notrunc status=none
      for how in always never auto; do cp --sparse=$how s $how; cmp s $how; done
      dd if=s of=direct bs=65536 oflag=direct status=none; cmp s direct
      split -b 777777 s part. && cat part.* | cmp - s; sha1sum *`;
    inBoth('sparse', script);
  });

  it('a program run from the mount, with a library of its own', () => {
    fs.writeFileSync(`${mount.root}/answer.c`, 'int answer(void) { return 42; }\n');
    fs.writeFileSync(`${mount.root}/ask.c`, 'int answer(void);\nint main(void) { return answer(); }\n');
    const script = `gcc -shared -fPIC -o libanswer.so answer.c && gcc -o ask ask.c -L. -lanswer -Wl,-rpath,'$ORIGIN' && ./ask`;
    expect(run(sandbox, 'sh', ['-c', script], { cwd: mount.root }).code).toBe(42);
  });

  it('an archive of many small files, unpacked, compared and removed', () => {
    const many = `${bare}/many`;
    for (let i = 0; i < 1500; i++) {
      fs.mkdirSync(`${many}/${i % 40}`, { recursive: true });
      fs.writeFileSync(`${many}/${i % 40}/${'n'.repeat(i % 200)}${i}`, pattern((i * 37) % 9000, i));
    }
    const script = 'tar -C "$0" -cf - . | tar -xf - -C "$1" && diff -r "$0" "$1" && rm -r "$1"/*';
    fs.mkdirSync(`${mount.root}/many`);
    expect(run(sandbox, 'sh', ['-e', '-c', script, many, `${mount.root}/many`])).toEqual({ code: 0, stdout: '', stderr: '' });
    expect(fs.readdirSync(`${mount.root}/many`)).toEqual([]);
  });
});
