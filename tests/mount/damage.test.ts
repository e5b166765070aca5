import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { fails } from '../support/errno.ts';
import { pattern, readAt, withFile } from '../support/files.ts';
import { CIPHERS } from '../support/matrix.ts';
import { aegisfs, init, Mount } from '../support/program.ts';
import { Sandbox } from '../support/sandbox.ts';

const BLOCK = 4096;
const HEADER = 18;
const PLAIN = pattern(5 * BLOCK + 100);

function flip(data: Buffer, at: number): void {
  data[at] = (data[at] ?? 0) ^ 1;
}

describe.each(CIPHERS)('damaged files, $name', ({ options, overhead }) => {
  const sealed = BLOCK + overhead;
  const start = (block: number) => HEADER + block * sealed;
  const cuts = [1, 17, 18, 19, HEADER + overhead, HEADER + overhead + 1, sealed, sealed + HEADER, sealed + HEADER + 1, 2 * sealed];
  /** What is done to the ciphertext of a file of this name; `other` is the ciphertext of an undamaged file with the same content. */
  const damages: Record<string, (data: Buffer, other: Buffer) => Buffer | undefined> = {
    untouched: () => undefined,
    nonce: (data) => void flip(data, start(2) + 3),
    content: (data) => void flip(data, start(2) + 1000),
    end: (data) => void flip(data, start(3) - 1),
    exchanged: (data) => {
      const block = Buffer.from(data.subarray(start(1), start(2)));
      data.copy(data, start(1), start(3), start(4));
      block.copy(data, start(3));
      return data;
    },
    foreign: (data, other) => void other.copy(data, start(1), start(1), start(2)),
    zeroed: (data) => data.fill(0, start(1), start(2)),
    header: (data) => void flip(data, 1),
    identity: (data) => data.fill(0, 2, HEADER),
    ...Object.fromEntries(cuts.map((length) => [`cut${length}`, (data: Buffer) => data.subarray(0, length)])),
  };

  const sandbox = new Sandbox();
  let mount: Mount;

  beforeAll(async () => {
    const vault = sandbox.folder('vault');
    init(sandbox, aegisfs, vault, [...options, '-plaintextnames']);
    const before = new Mount(sandbox, aegisfs, vault);
    for (const name of Object.keys(damages)) fs.writeFileSync(`${before.root}/${name}`, PLAIN);
    expect(await before.unmount()).toBe(0);
    const other = fs.readFileSync(path.join(vault, 'untouched'));
    for (const [name, damage] of Object.entries(damages)) {
      const file = path.join(vault, name);
      const data = fs.readFileSync(file);
      fs.writeFileSync(file, damage(data, other) ?? data);
    }
    mount = new Mount(sandbox, aegisfs, vault);
  });
  afterAll(async () => {
    expect(fs.readFileSync(`${mount.root}/untouched`).equals(PLAIN), 'the undamaged file').toBe(true);
    expect(await mount.unmount()).toBe(0);
    sandbox.remove();
  });

  const readBlock = (name: string, block: number) => withFile(`${mount.root}/${name}`, 'r', (fd) => readAt(fd, block * BLOCK, BLOCK));
  const overwrite = (name: string, data: string | Buffer, at: number) =>
    withFile(`${mount.root}/${name}`, 'r+', (fd) => fs.writeSync(fd, Buffer.from(data), 0, data.length, at));

  /** Exactly these blocks cannot be read, and the log names them; all others are right. */
  function expectBad(name: string, bad: readonly number[]): void {
    mount.forgetComplaints();
    for (let block = 0; block < 6; block++) {
      if (bad.includes(block)) fails('EIO', () => readBlock(name, block));
      else expect(readBlock(name, block).equals(PLAIN.subarray(block * BLOCK, (block + 1) * BLOCK)), `block ${block}`).toBe(true);
    }
    for (const block of bad) expect(mount.complaints()).toContain(`corrupt block #${block}`);
  }

  it.each(['nonce', 'content', 'end'])('a bit flipped in a block (%s) spoils that block only, until it is overwritten', (name) => {
    expectBad(name, [2]);
    fails('EIO', () => overwrite(name, 'x', 2 * BLOCK + 10));
    overwrite(name, PLAIN.subarray(2 * BLOCK, 3 * BLOCK), 2 * BLOCK);
    expect(fs.readFileSync(`${mount.root}/${name}`).equals(PLAIN)).toBe(true);
  });

  it('exchanged blocks are noticed', () => expectBad('exchanged', [1, 3]));
  it('a block of another file is noticed', () => expectBad('foreign', [1]));

  it('a block of zeros is a hole', () => {
    mount.forgetComplaints();
    expect(readBlock('zeroed', 1).equals(Buffer.alloc(BLOCK))).toBe(true);
    expect(readBlock('zeroed', 2).equals(PLAIN.subarray(2 * BLOCK, 3 * BLOCK))).toBe(true);
    expect(mount.complaints()).toBe('');
  });

  it.each(['header', 'identity'])('a damaged header (%s) makes the file unreadable until it is written anew', (name) => {
    fails('EIO', () => readBlock(name, 0));
    fails('EIO', () => overwrite(name, 'x', 0));
    fs.writeFileSync(`${mount.root}/${name}`, 'new');
    expect(fs.readFileSync(`${mount.root}/${name}`, 'utf8')).toBe('new');
  });

  it.each(cuts)('a file cut to %i bytes has a possible size and shows no wrong byte', (length) => {
    const file = `${mount.root}/cut${length}`;
    const blocks = Math.ceil((length - HEADER) / sealed);
    const { size } = fs.statSync(file);
    expect(size).toBeLessThanOrEqual(Math.max(0, blocks) * BLOCK);
    let data = Buffer.alloc(0);
    try {
      data = fs.readFileSync(file);
    } catch (error) {
      expect((error as NodeJS.ErrnoException).code).toBe('EIO');
    }
    expect(data.equals(PLAIN.subarray(0, data.length))).toBe(true);
    expect(mount.isAlive()).toBe(true);
  });
});
