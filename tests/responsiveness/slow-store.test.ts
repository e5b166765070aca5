import fs, { constants as C } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Actor } from '../support/actor.ts';
import { pattern } from '../support/files.ts';
import { SlowFolder } from '../support/passthrough.ts';
import { aegisfs, init, Mount } from '../support/program.ts';
import { Sandbox, sleep } from '../support/sandbox.ts';

/** How long the store holds up one request, milliseconds. */
const HANG = 4000;
/** Generous bounds for the other answers meanwhile, milliseconds: the goal is 50, but the tests run on busy machines. */
const MOST_WITHIN = 500;
const ALL_WITHIN = HANG / 2;
const SMALL = 25;

/** Milliseconds that each call takes. */
function timed(calls: readonly (() => void)[]): number[] {
  return calls.map((call) => {
    const start = performance.now();
    call();
    return performance.now() - start;
  });
}

function expectQuick(what: string, times: readonly number[]): void {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
  const [median, most, all] = [at(0.5), at(0.95), at(1)];
  console.log(`${what}: ${times.length} answers, median ${median.toFixed(1)} ms, 95 % ${most.toFixed(1)} ms, longest ${all.toFixed(1)} ms`);
  expect(most).toBeLessThan(MOST_WITHIN);
  expect(all).toBeLessThan(ALL_WITHIN);
}

/** Each test hangs a request of `actors` and looks at everything else; the files are new to every cache. */
describe('while the store holds a request up, the mount answers all others', () => {
  let sandbox: Sandbox;
  let slow: SlowFolder;
  let mount: Mount;
  let actors: Actor[];

  beforeEach(async () => {
    sandbox = new Sandbox();
    const store = sandbox.folder('store');
    init(sandbox, aegisfs, store, ['-aegis']);
    const before = new Mount(sandbox, aegisfs, store);
    for (let i = 0; i < 8; i++) fs.writeFileSync(`${before.root}/big${i}`, pattern(200_000, i));
    for (let i = 0; i < SMALL; i++) {
      fs.mkdirSync(`${before.root}/d${i}`);
      fs.writeFileSync(`${before.root}/d${i}/f`, pattern(5000, i));
    }
    expect(await before.unmount()).toBe(0);
    slow = new SlowFolder(sandbox, store, `read=${HANG}`, `fsync=${HANG}`);
    mount = new Mount(sandbox, aegisfs, slow.root);
    actors = Array.from({ length: 4 }, () => new Actor());
  });
  afterEach(async () => {
    for (const actor of actors) actor.end();
    expect(await mount.unmount()).toBe(0);
    await slow.unmount();
    sandbox.remove();
  });

  /** Lists, looks at and reads what no cache holds yet. */
  function others(): (() => void)[] {
    return Array.from({ length: SMALL }, (_, i) => [
      () => expect(fs.readdirSync(`${mount.root}/d${i}`)).toEqual(['f']),
      () => expect(fs.statSync(`${mount.root}/d${i}/f`).size).toBe(5000),
      () => expect(fs.readFileSync(`${mount.root}/d${i}/f`).equals(pattern(5000, i))).toBe(true),
      () => fs.writeFileSync(`${mount.root}/d${i}/new`, pattern(3000)),
      () => fs.renameSync(`${mount.root}/d${i}/new`, `${mount.root}/d${i}/old`),
    ]).flat();
  }

  /** @param hang starts calls that hang; @param finish waits for them and checks their results */
  function whileHanging(what: string, hang: () => void, finish: () => void): void {
    slow.toggle();
    sleep(50);
    const start = performance.now();
    hang();
    sleep(300);
    slow.toggle();
    sleep(50);
    const times = timed(others());
    expect(performance.now() - start, 'the measurement must end before the hanging request').toBeLessThan(HANG);
    finish();
    expect(performance.now() - start).toBeGreaterThanOrEqual(HANG);
    expectQuick(what, times);
  }

  const openAll = (flags: number) => actors.map((actor, i) => actor.number('os.open', `${mount.root}/big${i}`, flags));

  it('one read', () => {
    const [fd = -1] = openAll(C.O_RDONLY);
    whileHanging(
      'one hanging read',
      () => actors[0]?.start('os.pread', fd, 1000, 50_000),
      () => expect(actors[0]?.finishBytes().equals(pattern(200_000, 0).subarray(50_000, 51_000))).toBe(true),
    );
  });

  it('one fsync', () => {
    const [fd = -1] = openAll(C.O_RDWR);
    whileHanging(
      'one hanging fsync',
      () => actors[0]?.start('os.fsync', fd),
      () => actors[0]?.finish(),
    );
  });

  it('four reads at once', () => {
    const fds = openAll(C.O_RDONLY);
    whileHanging(
      'four hanging reads',
      () => {
        for (const [i, actor] of actors.entries()) actor.start('os.pread', fds[i] ?? -1, 1000, 0);
      },
      () => {
        for (const actor of actors) actor.finish();
      },
    );
  });

  it('a read and an fsync of one file do not keep others from it for longer than they take', () => {
    const [first = -1, second = -1] = [0, 1].map((i) => actors[i]?.number('os.open', `${mount.root}/big0`, C.O_RDWR));
    whileHanging(
      'a hanging read and fsync of one file',
      () => {
        actors[0]?.start('os.pread', first, 1000, 0);
        actors[1]?.start('os.fsync', second);
      },
      () => {
        actors[0]?.finish();
        actors[1]?.finish();
      },
    );
    fs.appendFileSync(`${mount.root}/big0`, 'tail');
    expect(fs.statSync(`${mount.root}/big0`).size).toBe(200_004);
  });
});
