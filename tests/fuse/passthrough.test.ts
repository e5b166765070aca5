import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bundle } from './build.mjs';

let script = '';
beforeAll(() => {
  script = bundle('passthrough');
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** A mount in a namespace of its own, looked into through /proc: whatever happens here, it ends with its process. */
class Mounted {
  readonly source: string;
  readonly point: string;
  readonly process: ChildProcess;
  errors = '';
  private readonly dir: string;
  private readonly exit: Promise<unknown[]>;

  constructor(args: string[]) {
    this.dir = fs.mkdtempSync(path.join(tmpdir(), 'passthrough-'));
    this.source = path.join(this.dir, 'source');
    const mountpoint = path.join(this.dir, 'mnt');
    fs.mkdirSync(this.source);
    fs.mkdirSync(mountpoint);
    this.process = spawn('unshare', ['-m', process.execPath, script, this.source, mountpoint, ...args], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.process.stderr?.on('data', (data: Buffer) => {
      this.errors += data.toString();
    });
    this.exit = once(this.process, 'exit');
    this.point = `/proc/${this.process.pid}/root${mountpoint}`;
  }

  async ready(): Promise<void> {
    const [line] = await Promise.race([once(this.process.stdout as NodeJS.ReadableStream, 'data'), this.exit]);
    expect(String(line), this.errors).toBe('ready\n');
  }

  /** Descriptors of files in the folder, deleted ones too; threads that join later bring pipes and event descriptors of their own. */
  descriptors(): number {
    const folder = `/proc/${this.process.pid}/fd`;
    return fs.readdirSync(folder).filter((fd) => {
      try {
        return fs.readlinkSync(`${folder}/${fd}`).startsWith(this.dir);
      } catch {
        return false; // closed in between
      }
    }).length;
  }

  /** @returns exit code */
  async end(): Promise<unknown> {
    this.process.kill('SIGTERM');
    const [code] = await this.exit;
    fs.rmSync(this.dir, { recursive: true, force: true });
    return code;
  }
}

let mounted: Mounted | undefined;

async function mount(...args: string[]): Promise<Mounted> {
  mounted = new Mounted(args);
  await mounted.ready();
  return mounted;
}

afterEach(async () => {
  await mounted?.end();
  mounted = undefined;
});

/** Bytes that differ from block to block. */
function pattern(size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let i = 0; i < size; i++) bytes[i] = (i * 31 + (i >>> 12)) & 0xff;
  return bytes;
}

describe('a folder served over FUSE', () => {
  it('reads and writes files of several requests, at odd offsets', async () => {
    const { point, source } = await mount();
    const data = pattern(3 * 1048576 + 777);
    fs.writeFileSync(`${point}/big`, data);
    expect(fs.readFileSync(`${source}/big`).equals(data)).toBe(true);
    expect(fs.readFileSync(`${point}/big`).equals(data)).toBe(true);
    const fd = fs.openSync(`${point}/big`, 'r+');
    fs.writeSync(fd, 'patch', 1048575);
    fs.fsyncSync(fd);
    const part = Buffer.alloc(9);
    expect(fs.readSync(fd, part, 0, 9, 1048573)).toBe(9);
    data.write('patch', 1048575);
    expect(part.equals(data.subarray(1048573, 1048582))).toBe(true);
    fs.ftruncateSync(fd, 1000);
    expect(fs.fstatSync(fd).size).toBe(1000);
    fs.closeSync(fd);
    fs.appendFileSync(`${point}/big`, 'end');
    expect(fs.readFileSync(`${source}/big`).equals(Buffer.concat([data.subarray(0, 1000), Buffer.from('end')]))).toBe(true);
  });

  it('makes, lists, renames, links and removes', async () => {
    const { point, source } = await mount();
    expect(() => fs.statSync(`${point}/none`)).toThrow(/ENOENT/);
    fs.mkdirSync(`${point}/dir`, 0o750);
    const names = Array.from({ length: 1500 }, (_, i) => `entry-${i}-${'x'.repeat(i % 60)}`);
    for (const name of names) fs.writeFileSync(`${point}/dir/${name}`, '');
    expect(fs.readdirSync(`${point}/dir`).sort()).toEqual([...names].sort());
    fs.renameSync(`${point}/dir/entry-1-x`, `${point}/moved`);
    expect(fs.existsSync(`${point}/dir/entry-1-x`)).toBe(false);
    fs.linkSync(`${point}/moved`, `${point}/hard`);
    expect(fs.statSync(`${point}/moved`).nlink).toBe(2);
    expect(fs.statSync(`${point}/hard`).ino).toBe(fs.statSync(`${source}/moved`).ino);
    fs.symlinkSync('../target/of/it', `${point}/soft`);
    expect(fs.readlinkSync(`${point}/soft`)).toBe('../target/of/it');
    expect(() => fs.rmdirSync(`${point}/dir`)).toThrow(/ENOTEMPTY/);
    fs.rmSync(`${point}/dir`, { recursive: true });
    expect(fs.readdirSync(source).sort()).toEqual(['hard', 'moved', 'soft']);
  });

  it('changes attributes', async () => {
    const { point, source } = await mount();
    fs.writeFileSync(`${point}/file`, 'x');
    fs.chmodSync(`${point}/file`, 0o4751);
    fs.chownSync(`${point}/file`, 1234, 2345);
    fs.chmodSync(`${point}/file`, 0o640);
    // Before 1970 (Node takes a negative number for "now", but not a date), and with a fraction.
    fs.utimesSync(`${point}/file`, new Date(-1500), 1700000000.25);
    for (const where of [point, source]) {
      const stat = fs.statSync(`${where}/file`);
      expect([stat.mode, stat.uid, stat.gid, stat.atimeMs, stat.mtimeMs]).toEqual([0o100640, 1234, 2345, -1500, 1700000000250]);
    }
    fs.symlinkSync('nowhere', `${point}/soft`);
    fs.lchownSync(`${point}/soft`, 1234, 2345);
    expect(fs.lstatSync(`${source}/soft`).uid).toBe(1234);
    expect(fs.statfsSync(point).blocks).toBe(fs.statfsSync(source).blocks);
  });

  it('closes what it has opened once files are gone', async () => {
    const { point, descriptors } = await mount().then((it) => ({ point: it.point, descriptors: () => it.descriptors() }));
    fs.mkdirSync(`${point}/dir`);
    const before = descriptors();
    for (let i = 0; i < 200; i++) fs.writeFileSync(`${point}/dir/${i}`, 'x');
    expect(descriptors()).toBeGreaterThanOrEqual(before + 200);
    fs.rmSync(`${point}/dir`, { recursive: true });
    // FORGET follows the removal, it does not come with it.
    while (descriptors() > before) await pause(5);
  });

  it('logs requests and replies with --debug', async () => {
    const session = await mount('--debug');
    expect(() => fs.statSync(`${session.point}/no "such" name`)).toThrow(/ENOENT/);
    while (!session.errors.includes('such')) await pause(5);
    expect(session.errors).toMatch(/^rx \d+: LOOKUP node 1 uid 0 pid \d+, \d+ bytes "no \\"such\\" name"$/m);
    expect(session.errors).toMatch(/^tx \d+: LOOKUP OK, 128 bytes$/m);
  });

  it('ends with exit code 0 when it is unmounted', async () => {
    const session = await mount();
    fs.writeFileSync(`${session.point}/file`, 'x');
    mounted = undefined;
    expect(await session.end()).toBe(0);
    expect(session.errors).toBe('');
  });
});

describe('slow requests', () => {
  it.each([
    ['one', 1],
    ['more than there are workers', 4],
  ])('%s at a time do not stop the others', async (_name, count) => {
    const { point, source } = await mount('--delay', 'read=1500', '--timeout', '0');
    for (let i = 0; i < count; i++) fs.writeFileSync(`${source}/slow-${i}`, 'content');
    let finished = 0;
    const reads = Array.from({ length: count }, async (_, i) => {
      const content = await fs.promises.readFile(`${point}/slow-${i}`, 'utf8');
      finished++;
      return content;
    });
    // Let all of them get into the server: every one is open before its read is sent.
    await pause(300);
    for (let i = 0; i < 50; i++) {
      fs.writeFileSync(`${point}/quick-${i}`, '');
      fs.renameSync(`${point}/quick-${i}`, `${point}/renamed-${i}`);
      fs.statSync(`${point}/renamed-${i}`);
    }
    expect(finished).toBe(0);
    expect(await Promise.all(reads)).toEqual(new Array(count).fill('content'));
  });

  it('many clients and random slow requests', async () => {
    const { point, source } = await mount('--delay', 'fsync=15,mkdir=3,readdir=2', '--timeout', '0');
    const client = async (id: number) => {
      const dir = `${point}/${id}`;
      await fs.promises.mkdir(dir);
      for (let i = 0; i < 25; i++) {
        const file = await fs.promises.open(`${dir}/${i}`, 'w+');
        await file.writeFile(`content ${id} ${i}`);
        if (i % 5 === 0) await file.sync();
        await file.close();
        if (i % 7 === 0) expect((await fs.promises.readdir(dir)).length).toBe(i + 1);
        expect(await fs.promises.readFile(`${dir}/${i}`, 'utf8')).toBe(`content ${id} ${i}`);
      }
    };
    await Promise.all(Array.from({ length: 8 }, (_, id) => client(id)));
    for (let id = 0; id < 8; id++) {
      for (let i = 0; i < 25; i++) expect(fs.readFileSync(`${source}/${id}/${i}`, 'utf8')).toBe(`content ${id} ${i}`);
    }
  });
});
