import { constants as C } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Actor } from '../support/actor.ts';
import { fails } from '../support/errno.ts';
import { pattern } from '../support/files.ts';
import { aegisfs, PASSWORD } from '../support/program.ts';
import { Sandbox } from '../support/sandbox.ts';

/** Everything here is done by user 65534, through fusermount3, in a namespace whose /dev/fuse that user may open. */
describe('a vault served by an ordinary user', () => {
  const sandbox = new Sandbox();
  let user: Actor;
  let root: string;

  /** @returns what the program wrote to standard error */
  function mustRun(...args: string[]): string {
    const [code, stdout, stderr] = user.run('x.command', args, `${PASSWORD}\n`) as [number, string, string];
    expect({ code, stdout, stderr }).toMatchObject({ code: 0 });
    return stderr;
  }

  beforeAll(() => {
    const vault = sandbox.folder('vault', 0o777);
    root = sandbox.folder('mountpoint', 0o777);
    const device = `${sandbox.dir}/fuse`;
    user = new Actor(`mknod -m 666 '${device}' c 10 229 && mount --bind '${device}' /dev/fuse`);
    user.run('x.become', 65534, 65534, []);
    mustRun(aegisfs.command, '-init', '-q', '-aegis', '-scryptn', '10', vault);
    mustRun(aegisfs.command, '-q', vault, root);
  });
  afterAll(() => {
    mustRun('fusermount3', '-u', root);
    user.end();
    sandbox.remove();
  });

  const write = (name: string, flags: number, data: Uint8Array) => {
    const fd = user.number('os.open', `${root}/${name}`, flags, 0o600);
    user.run('os.write', fd, data);
    user.run('os.close', fd);
  };
  const mode = (name: string) => user.stat('os.stat', `${root}/${name}`).st_mode & 0o7777;

  it('writes files of mode 0200, and keeps that mode', () => {
    write('f', C.O_CREAT | C.O_WRONLY, pattern(5000));
    user.run('os.chmod', `${root}/f`, 0o200);
    write('f', C.O_WRONLY | C.O_APPEND, pattern(100, 2));
    expect(mode('f')).toBe(0o200);
    write('f', C.O_WRONLY | C.O_TRUNC, Buffer.from('new'));
    expect(mode('f')).toBe(0o200);
    fails('EACCES', () => user.run('os.open', `${root}/f`, C.O_RDONLY));
    user.run('os.chmod', `${root}/f`, 0o400);
    fails('EACCES', () => user.run('os.open', `${root}/f`, C.O_WRONLY));
    const fd = user.number('os.open', `${root}/f`, C.O_RDONLY);
    expect(user.bytes('os.read', fd, 100).toString()).toBe('new');
    user.run('os.close', fd);
  });

  it('makes and removes directories of every mode', () => {
    for (const name of ['d', 'D'.repeat(200)]) {
      for (const bits of [0o000, 0o100, 0o200, 0o300, 0o400, 0o500, 0o555, 0o600, 0o700]) {
        user.run('os.mkdir', `${root}/${name}`, bits);
        expect(mode(name)).toBe(bits);
        user.run('os.rmdir', `${root}/${name}`);
      }
    }
  });

  it('leaves a full directory and its mode alone', () => {
    user.run('os.mkdir', `${root}/full`);
    write('full/f', C.O_CREAT | C.O_WRONLY, Buffer.from('x'));
    user.run('os.chmod', `${root}/full`, 0o500);
    fails('ENOTEMPTY', () => user.run('os.rmdir', `${root}/full`));
    expect(mode('full')).toBe(0o500);
    user.run('os.chmod', `${root}/full`, 0o700);
  });

  it('says EACCES for what the modes forbid', () => {
    user.run('os.mkdir', `${root}/list`, 0o700);
    write('list/f', C.O_CREAT | C.O_WRONLY, Buffer.from('x'));
    user.run('os.chmod', `${root}/list`, 0o444);
    fails('EACCES', () => user.run('os.stat', `${root}/list/f`));
    user.run('os.chmod', `${root}/list`, 0o111);
    fails('EACCES', () => user.run('os.listdir', `${root}/list`));
    user.run('os.chmod', `${root}/list`, 0o700);
    fails('EPERM', () => user.run('os.chown', `${root}/list`, 0, 0));
  });
});
