import assert from 'node:assert/strict';
import fs, { constants as C } from 'node:fs';
import { fails } from '../support/errno.ts';
import { pattern } from '../support/files.ts';
import type { Check, Context, Subject } from './context.ts';

/** Bytes allocated to a file. */
function allocated(file: string): number {
  return fs.statSync(file).blocks * 512;
}

function allocate({ root, me }: Context, mode: number, length: number, then?: number): void {
  const fd = me.number('os.open', `${root}/f`, C.O_CREAT | C.O_RDWR | C.O_TRUNC, 0o600);
  me.run('x.fallocate', fd, mode, 0, length);
  if (then !== undefined) me.run('os.ftruncate', fd, then);
  me.run('os.close', fd);
}

/** What only an overlay of encrypted blocks promises: none of it holds on a bare folder. Source: behaviour.md 6.11, 6.12, 6.16. */
export const overlay: Subject = {
  'fallocate takes the space of the encrypted blocks': (t) => {
    allocate(t, 1, 30);
    assert.deepEqual([allocated(`${t.root}/f`), fs.statSync(`${t.root}/f`).size], [4096, 0]);
    allocate(t, 1, 30, 9000);
    assert.deepEqual([allocated(`${t.root}/f`), fs.statSync(`${t.root}/f`).size], [8192, 9000]);
    allocate(t, 0, 9000);
    assert.deepEqual([allocated(`${t.root}/f`), fs.statSync(`${t.root}/f`).size], [12288, 9000]);
    // The longest allocation that needs two blocks on disk: header and two sealed blocks.
    allocate(t, 0, 8192 - 18 - 2 * t.overhead);
    assert.equal(allocated(`${t.root}/f`), 8192);
  },
  'other modes of fallocate are not supported and change nothing': ({ root, me }) => {
    fs.writeFileSync(`${root}/f`, pattern(20_000));
    const fd = me.number('os.open', `${root}/f`, C.O_RDWR);
    for (const mode of [2 | 1, 8, 16, 16 | 1, 32]) fails('EOPNOTSUPP ENOTSUP', () => me.run('x.fallocate', fd, mode, 4096, 4096));
    me.run('os.close', fd);
    assert.ok(fs.readFileSync(`${root}/f`).equals(pattern(20_000)));
  },
  'there are no nameless temporary files and no reflinks': ({ root, me }) => {
    fails('EOPNOTSUPP ENOTSUP', () => me.run('os.open', root, 0x410000 | C.O_RDWR, 0o600));
    fs.writeFileSync(`${root}/f`, 'x');
    fails('ENOTSUP EOPNOTSUPP ENOTTY EINVAL', () => fs.copyFileSync(`${root}/f`, `${root}/g`, C.COPYFILE_FICLONE_FORCE));
  },
  'device nodes cannot be used': ({ root, me }) => {
    me.run('x.mknod', `${root}/null`, C.S_IFCHR | 0o666, 0x103);
    fails('EACCES', () => fs.openSync(`${root}/null`, 'r+'));
  },
};

/** The longest symbolic link whose encrypted form fits the 4095 bytes of the backing filesystem; only where names are encrypted. */
export const longestLink: Check = ({ root, overhead }) => {
  const longest = Math.floor((4095 * 3) / 4) - overhead;
  fs.symlinkSync('t'.repeat(longest), `${root}/fits`);
  assert.equal(fs.readlinkSync(`${root}/fits`).length, longest);
  assert.equal(fs.lstatSync(`${root}/fits`).size, longest);
  fails('ENAMETOOLONG', () => fs.symlinkSync('t'.repeat(longest + 1), `${root}/over`));
};
