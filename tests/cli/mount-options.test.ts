/** Mount options whose effect shows in the mount table, in what the kernel does, or in what the program says. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Actor } from '../support/actor.ts';
import { fails } from '../support/errno.ts';
import { aegisfs, init, Mount, mustRun, PASSWORD, run } from '../support/program.ts';
import { mountsBelow, Sandbox } from '../support/sandbox.ts';

let sandbox: Sandbox;
let vault: string;
beforeEach(() => {
  sandbox = new Sandbox();
  vault = sandbox.folder('vault');
  init(sandbox, aegisfs, vault);
});
afterEach(() => sandbox.remove());

async function mounted(options: readonly string[], use: (mount: Mount, shown: string[]) => void): Promise<void> {
  const mount = new Mount(sandbox, aegisfs, vault, options);
  try {
    use(mount, mountsBelow(mount.root)[0]?.options.split(',') ?? []);
  } finally {
    expect(await mount.unmount()).toBe(0);
  }
}

const script = (root: string) => fs.writeFileSync(`${root}/script`, '#!/bin/sh\nexit 7\n', { mode: 0o755 });

describe('the mount table', () => {
  it.each([
    { options: [], has: ['rw', 'nosuid', 'nodev'], hasNot: ['noexec', 'default_permissions', 'allow_other'] },
    { options: ['-suid'], has: ['nodev'], hasNot: ['nosuid'] },
    { options: ['-dev'], has: ['nosuid'], hasNot: ['nodev'] },
    { options: ['-exec'], has: [], hasNot: ['noexec'] },
    { options: ['-suid', '-nosuid'], has: ['nosuid'], hasNot: [] },
    { options: ['-nodev', '-dev'], has: ['nodev'], hasNot: [] },
    { options: ['-exec', '-noexec'], has: ['noexec'], hasNot: [] },
    { options: ['-ro', '-rw'], has: ['ro'], hasNot: ['rw'] },
    { options: ['-rw'], has: ['rw'], hasNot: ['ro'] },
    { options: ['-acl'], has: ['default_permissions'], hasNot: ['allow_other'] },
    { options: ['-ko', 'noatime,noexec'], has: ['noatime', 'noexec'], hasNot: ['relatime'] },
    { options: ['-allow_other'], has: ['allow_other', 'default_permissions'], hasNot: [] },
    { options: ['-force_owner', '1:2'], has: ['allow_other', 'default_permissions'], hasNot: [] },
    { options: ['-nofail', '-devrandom', '-forcedecode', '-openssl=false'], has: ['rw', 'nosuid', 'nodev'], hasNot: [] },
    { options: ['-o', 'ro,noexec,-nofail'], has: ['ro', 'noexec'], hasNot: [] },
    { options: ['-o=ro', '-o', 'noexec'], has: ['ro', 'noexec'], hasNot: [] },
  ])('with $options', ({ options, has, hasNot }) =>
    mounted(options, (_, shown) => {
      expect(shown).toEqual(expect.arrayContaining(has));
      for (const word of hasNot) expect(shown).not.toContain(word);
    }),
  );

  it('names the vault, or what -fsname says', async () => {
    await mounted([], ({ root }) => expect(mountsBelow(root)[0]?.source).toBe(vault));
    await mounted(['-fsname', 'a,b c'], (mount) => {
      expect(mountsBelow(mount.root)[0]?.source).toBe('a_b c');
      expect(mount.complaints()).toBe('Warning: "a,b c" will be displayed as "a_b c" in "df -T"\n');
    });
  });
});

it('-context reaches the kernel, which refuses it where there is no SELinux', async () => {
  if (fs.readFileSync('/proc/filesystems', 'utf8').includes('selinuxfs')) {
    await mounted(['-context', 'system_u:object_r:tmp_t:s0'], (_, shown) =>
      expect(shown.join()).toContain('context=system_u:object_r:tmp_t:s0'),
    );
    return;
  }
  const args = ['-q', '-extpass', `echo ${PASSWORD}`, '-context', 'system_u:object_r:tmp_t:s0', vault, sandbox.folder('m')];
  const result = run(sandbox, aegisfs.command, args);
  expect(result.code).toBe(19);
  expect(result.stderr).toMatch(/fs\.Mount failed: .*EINVAL/);
});

it('-dev and -suid let devices and setuid programs work, -exec lets scripts run', async () => {
  await mounted(['-dev', '-suid', '-exec'], ({ root }) => {
    mustRun(sandbox, 'mknod', [`${root}/null`, 'c', '1', '3']);
    expect(fs.readFileSync(`${root}/null`, 'utf8')).toBe('');
    script(root);
    expect(spawnSync(`${root}/script`).status).toBe(7);
  });
  await mounted(['-noexec'], ({ root }) => {
    fails('EACCES', () => fs.readFileSync(`${root}/null`));
    expect(spawnSync(`${root}/script`).error).toMatchObject({ code: 'EACCES' });
  });
});

it('-noxattr finds none and sets none', async () => {
  const actor = new Actor();
  try {
    await mounted([], ({ root }) => {
      fs.writeFileSync(`${root}/f`, '');
      actor.run('os.setxattr', `${root}/f`, 'user.a', Buffer.from('b'));
      expect(actor.run('os.listxattr', `${root}/f`)).toEqual(['user.a']);
    });
    await mounted(['-noxattr'], ({ root }) => {
      expect(actor.run('os.listxattr', `${root}/f`)).toEqual([]);
      fails('EOPNOTSUPP ENOTSUP', () => actor.run('os.setxattr', `${root}/f`, 'user.c', Buffer.from('d')));
      fails('ENODATA', () => actor.run('os.getxattr', `${root}/f`, 'user.a'));
    });
  } finally {
    actor.end();
  }
});

it('-longnames=false makes no hashes and finds none, with a configuration too', async () => {
  const long = 'x'.repeat(200);
  await mounted(['-longnames=false'], ({ root }) => {
    fails('ENAMETOOLONG', () => fs.writeFileSync(`${root}/${long}`, ''));
    fs.writeFileSync(`${root}/short`, '');
  });
  await mounted([], ({ root }) => fs.writeFileSync(`${root}/${long}`, ''));
  await mounted(['-longnames=false'], ({ root }) => expect(fs.readdirSync(root)).toEqual(['short']));
});

it('-kernel_cache keeps what was read when a file is opened again', async () => {
  const backing = () => {
    const [name = ''] = fs.readdirSync(vault).filter((entry) => !entry.startsWith('gocryptfs.'));
    return `${vault}/${name}`;
  };
  const old = { text: 'a'.repeat(5000), stored: Buffer.alloc(0) };
  await mounted([], ({ root }) => fs.writeFileSync(`${root}/f`, old.text));
  old.stored = fs.readFileSync(backing());
  await mounted([], ({ root }) => fs.writeFileSync(`${root}/f`, 'b'.repeat(5000)));
  const stored = fs.readFileSync(backing());
  for (const { options, seen } of [
    { options: ['-kernel_cache'], seen: old.text },
    { options: [], seen: 'b'.repeat(5000) },
  ]) {
    fs.writeFileSync(backing(), old.stored);
    const { atime, mtime } = fs.statSync(backing());
    await mounted(options, ({ root }) => {
      expect(fs.readFileSync(`${root}/f`, 'utf8')).toBe(old.text);
      // Behind the back of the mount, with the same size and times.
      const fd = fs.openSync(backing(), 'r+');
      fs.writeSync(fd, stored);
      fs.closeSync(fd);
      fs.utimesSync(backing(), atime, mtime);
      expect(fs.readFileSync(`${root}/f`, 'utf8')).toBe(seen);
    });
  }
});

it('-debug tells what was agreed on with the kernel, -serialize_reads leaves out asynchronous reads', async () => {
  /** FUSE_ASYNC_READ of linux/fuse.h. */
  const isAsync = (mount: Mount) => (Number(/capabilities (0x[0-9a-f]+) /.exec(mount.output())?.[1]) & 1) === 1;
  await mounted([], (mount) => expect(mount.output()).not.toContain('capabilities'));
  await mounted(['-d'], (mount) => expect(isAsync(mount)).toBe(true));
  await mounted(['-debug', '-serialize_reads'], (mount) => {
    expect(mount.output()).toMatch(/^FUSE protocol 7\.\d+, capabilities 0x/m);
    expect(isAsync(mount)).toBe(false);
  });
});

it('-fusedebug prints requests and replies on standard error', async () => {
  await mounted(['-fusedebug'], (mount) => {
    fs.mkdirSync(`${mount.root}/d`);
    expect(mount.complaints()).toMatch(/MKDIR/);
    mount.forgetComplaints();
  });
  await mounted([], (mount) => {
    fs.readdirSync(mount.root);
    expect(mount.complaints()).toBe('');
  });
});

it('-speed prints a row for each cipher and ends with 0', () => {
  const lines = mustRun(sandbox, aegisfs.command, ['-speed']).split('\n');
  expect(lines[1]).toMatch(/^cpu: .+; (with|no) AES-GCM acceleration$/);
  for (const name of ['AES-GCM-256', 'AES-SIV-512', 'XChaCha20-Poly1305', 'Aegis128X2', 'Aegis256X2']) {
    expect(
      lines.filter((line) => line.startsWith(`${name}-`)).every((line) => /\t *[\d.]+ MB\/s(\t\(selected in auto mode\))?$/.test(line)),
    ).toBe(true);
    expect(lines.filter((line) => line.startsWith(`${name}-`) && line.endsWith('(selected in auto mode)'))).toHaveLength(1);
  }
}, 120_000);

it('-hkdf=false and -raw64=false count with a master key', () => {
  const key = '11'.repeat(32);
  const other = sandbox.folder('other');
  init(sandbox, aegisfs, other, ['-masterkey', key]);
  const check = (...options: string[]) => run(sandbox, aegisfs.command, ['-fsck', '-q', '-masterkey', key, ...options, other]);
  const point = sandbox.folder('point');
  mustRun(sandbox, aegisfs.command, ['-q', '-masterkey', key, other, point]);
  fs.writeFileSync(`${point}/${'n'.repeat(20)}`, 'x');
  mustRun(sandbox, 'fusermount3', ['-u', point]);
  expect(check().code).toBe(0);
  expect(check('-hkdf=false').code).toBe(26);
  expect(check('-raw64=false').code).toBe(26);
});

describe('a supervisor that is told with -notifypid', () => {
  it('gets SIGUSR1 when the mount works', () => {
    const point = sandbox.folder('point');
    const line = `trap 'mountpoint -q "$3" && echo mounted' USR1; "$0" -fg -q -notifypid=$$ -nosyslog -passfile "$1" "$2" "$3" & wait $!; fusermount3 -u "$3"; wait`;
    expect(mustRun(sandbox, 'sh', ['-c', line, aegisfs.command, sandbox.file('password', PASSWORD), vault, point])).toBe('mounted\n');
  });

  it('gets no signal but the exit code when it does not', () => {
    const line = `trap 'echo mounted' USR1; "$0" -fg -q -notifypid=$$ -nosyslog -extpass 'echo wrong' "$1" "$2" & wait $!; echo $?`;
    expect(run(sandbox, 'sh', ['-c', line, aegisfs.command, vault, sandbox.folder('point')]).stdout).toBe('12\n');
  });

  it('may be gone: the mount stays', async () => {
    await mounted(['-notifypid=4194303'], (mount) => {
      expect(mount.complaints()).toMatch(/^(Setsid: .*\n)?sendUsr1: Signal: ESRCH\n$/);
      fs.writeFileSync(`${mount.root}/f`, '');
    });
  });
});

describe('profiles', () => {
  const json = (file: string) => JSON.parse(fs.readFileSync(file, 'utf8')) as Record<string, unknown[]>;

  it.each([
    { option: '-cpuprofile', key: 'nodes', threads: ['', '.worker0'] },
    { option: '-memprofile', key: 'samples', threads: ['', '.worker0'] },
    { option: '-trace', key: 'traceEvents', threads: [''] },
  ])('$option is written when the filesystem is unmounted', async ({ option, key, threads }) => {
    const file = `${sandbox.dir}/profile`;
    await mounted(['-fg', option, file], (mount) => {
      for (let i = 0; i < 50; i++) fs.writeFileSync(`${mount.root}/f${i}`, Buffer.alloc(100_000));
      expect(mount.output()).toContain('You must unmount gracefully');
    });
    for (const thread of threads) expect(json(`${file}${thread}`)[key]).toBeInstanceOf(Array);
    expect(json(file)[key]?.length).toBeGreaterThan(0);
  });
});
