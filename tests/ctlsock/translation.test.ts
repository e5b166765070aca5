import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { NAMINGS } from '../support/matrix.ts';
import { aegisfs, gocryptfs, init, Mount, type Program } from '../support/program.ts';
import { Sandbox } from '../support/sandbox.ts';
import { askRaw, decrypt, encrypt } from './client.ts';

const LONG = 'l'.repeat(200);
const PATHS = ['a', 'a/b', 'a/b/f', LONG, `${LONG}/${'m'.repeat(255)}`, 'a/ü"\\', 'link'];

let sandbox: Sandbox;
let vault: string;
let mounts: number;
beforeEach(() => {
  sandbox = new Sandbox();
  vault = sandbox.folder('vault');
  mounts = 0;
});
afterEach(() => sandbox.remove());

/** Mounts with a control socket while `use` runs. */
async function served<T>(program: Program, use: (root: string, socket: string, mount: Mount) => Promise<T>): Promise<T> {
  const socket = path.join(sandbox.dir, `socket${mounts++}`);
  const mount = new Mount(sandbox, program, vault, ['-ctlsock', socket]);
  try {
    return await use(mount.root, socket, mount);
  } finally {
    expect(await mount.unmount()).toBe(0);
  }
}

function populate(root: string): void {
  fs.mkdirSync(`${root}/a/b`, { recursive: true });
  fs.mkdirSync(`${root}/${LONG}`);
  for (const file of ['a/b/f', 'a/ü"\\', `${LONG}/${'m'.repeat(255)}`]) fs.writeFileSync(`${root}/${file}`, 'x');
  fs.symlinkSync('a', `${root}/link`);
}

for (const naming of NAMINGS) {
  describe(`paths with ${naming.name}`, () => {
    beforeEach(() => init(sandbox, aegisfs, vault, ['-aegis', ...naming.options]));

    it('are those of the objects in the encrypted folder, and come back', async () => {
      await served(aegisfs, async (root, socket, mount) => {
        populate(root);
        for (const plain of PATHS) {
          const { Result, ...rest } = await encrypt(socket, plain);
          expect(rest).toEqual({ ErrNo: 0, ErrText: '', WarnText: '' });
          expect(fs.lstatSync(`${vault}/${Result}`).ino).toBe(fs.lstatSync(`${root}/${plain}`).ino);
          expect(await decrypt(socket, Result)).toEqual({ Result: plain, ErrNo: 0, ErrText: '', WarnText: '' });
        }
        expect(mount.complaints()).toBe('');
      });
    });
  });
}

it('answers are those of gocryptfs, but for the first letter of two texts', async () => {
  init(sandbox, gocryptfs, vault);
  const requests = (cipherPath: string) => [
    ...PATHS.map((plain) => JSON.stringify({ EncryptPath: plain })),
    ...['absent', 'absent/x', 'a/b/f/x', 'link/b', 'link/b/f', 'x'.repeat(256), '/a//b/', '.', '../x', 'a<&>\u2028', 'a/../link'].map(
      (plain) => JSON.stringify({ EncryptPath: plain }),
    ),
    ...[cipherPath, `/${cipherPath}/`, `${cipherPath}/x`, 'gocryptfs.conf', 'gocryptfs.longname.x', 'AAAAAAAAAAAAAAAAAAAAAA'].map(
      (cipher) => JSON.stringify({ DecryptPath: cipher }),
    ),
    '{}',
    'null',
    '{"EncryptPath":"a","DecryptPath":"b"}',
    '{"encryptpath":"a","other":[]}',
    `{"EncryptPath":"${'x'.repeat(4982)}"}`,
  ];
  const answers = async (socket: string) => {
    const { Result } = await encrypt(socket, 'a/b/f');
    const texts: string[] = [];
    for (const request of requests(Result)) texts.push(await askRaw(socket, request));
    return texts;
  };
  const theirs = await served(gocryptfs, (root, socket) => {
    populate(root);
    return answers(socket);
  });
  const ours = await served(aegisfs, (_, socket) => answers(socket));
  expect(ours).toEqual(theirs.map((text) => text.replace('"Empty input', '"empty input')));
  expect(ours.at(-1)).toBe('');
});
