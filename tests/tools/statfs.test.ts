import { afterAll, beforeAll, expect, it } from 'vitest';
import { aegisfs, mustRun, run } from '../support/program.ts';
import { Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
beforeAll(() => {
  sandbox = new Sandbox();
});
afterAll(() => sandbox.remove());

it('aegisfs statfs prints what the kernel tells, as JSON with tabs', () => {
  // Figures that do not change by the second: a filesystem of our own.
  mustRun(sandbox, 'mount', ['-t', 'tmpfs', '-o', 'size=1m,nr_inodes=100,ro', 'none', sandbox.folder('small')]);
  const text = mustRun(sandbox, aegisfs.command, ['statfs', `${sandbox.dir}/small`]);
  const format = '%t %s %S %b %f %a %c %d %l %i';
  const [type = '', bsize, frsize, blocks, bfree, bavail, files, ffree, namelen, fsid = ''] = mustRun(sandbox, 'stat', [
    '-f',
    '-c',
    format,
    `${sandbox.dir}/small`,
  ])
    .trim()
    .split(' ');
  const half = (digits: string): number => Number.parseInt(digits, 16) | 0;
  const report = {
    Type: Number.parseInt(type, 16),
    Bsize: Number(bsize),
    Blocks: Number(blocks),
    Bfree: Number(bfree),
    Bavail: Number(bavail),
    Files: Number(files),
    Ffree: Number(ffree),
    Fsid: { Val: [half(fsid.slice(0, -8) || '0'), half(fsid.slice(-8))] },
    Namelen: Number(namelen),
    Frsize: Number(frsize),
    // ST_RDONLY, ST_VALID and ST_RELATIME: include/linux/statfs.h.
    Flags: 0x1 | 0x20 | 0x1000,
    Spare: [0, 0, 0, 0],
  };
  expect(text).toBe(`${JSON.stringify(report, null, '\t')}\n`);
});

it('aegisfs statfs says what went wrong', () => {
  expect(run(sandbox, aegisfs.command, ['statfs', `${sandbox.dir}/absent`])).toEqual({
    code: 2,
    stdout: '',
    stderr: 'statfs syscall returned error: no such file or directory\n',
  });
  expect(run(sandbox, aegisfs.command, ['statfs'])).toEqual({ code: 1, stdout: '', stderr: 'Usage: aegisfs statfs PATH\n' });
  expect(run(sandbox, aegisfs.command, ['statfs', '/', '/']).code).toBe(1);
});
