import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Arena } from './arena.ts';
import { ChainIndex } from './chain-index.ts';
import { Counters, DirectoryNotice } from './counters.ts';
import { DIR_MAX_AGE, DirSlots, ROOT_SLOT } from './dir-slots.ts';
import { InodeMap } from './inode-map.ts';
import { allocateShared, layoutFor, layoutOf } from './layout.ts';
import { RecordPool } from './records.ts';

describe('ChainIndex', () => {
  it('finds every record it holds and no other, however many come and go', () => {
    const stride = 3;
    const capacity = 300;
    const poolWords = RecordPool.words(stride, capacity);
    fc.assert(
      fc.property(fc.array(fc.record({ hash: fc.integer(), add: fc.boolean() }), { maxLength: 400 }), (steps) => {
        const words = new Int32Array(new SharedArrayBuffer((poolWords + ChainIndex.words(capacity)) * 4));
        const pool = new RecordPool(words, 0, stride, capacity);
        const index = new ChainIndex(words, poolWords, pool, 1, 2);
        const model = new Map<number, number>();
        for (const { hash, add } of steps) {
          if (add) {
            const record = pool.allocate();
            if (record === 0) continue;
            index.insert(record, hash);
            model.set(record, hash);
          } else {
            const record = [...model.keys()][Math.abs(hash) % Math.max(1, model.size)];
            if (record === undefined) continue;
            index.remove(record);
            pool.free(record);
            model.delete(record);
          }
        }
        for (const [record, hash] of model) {
          let at = index.first(hash);
          while (at !== 0 && at !== record) at = index.next(at);
          expect(at).toBe(record);
        }
        expect(pool.used).toBe(model.size);
      }),
    );
  });

  it('refuses to remove what it does not hold', () => {
    const words = new Int32Array(new SharedArrayBuffer(4096));
    const pool = new RecordPool(words, 0, 3, 10);
    const index = new ChainIndex(words, RecordPool.words(3, 10), pool, 1, 2);
    expect(() => index.remove(pool.allocate())).toThrow();
  });
});

describe('Arena', () => {
  it('keeps names apart and uses freed blocks again', () => {
    const arena = new Arena(new SharedArrayBuffer(Arena.bytes(1 << 15)), 0, 1 << 15);
    const live = new Map<number, string>();
    for (let i = 0; i < 2000; i++) {
      const text = `${i}`.repeat(1 + (i % 40)).slice(0, 200);
      const position = arena.store(Buffer.from(text), 0, text.length);
      expect(position).toBeGreaterThan(0);
      live.set(position, text);
      if (live.size > 10) {
        const [oldest, name] = [...live][0]!;
        expect(arena.equals(oldest, Buffer.from(name), 0, name.length)).toBe(true);
        arena.release(oldest, name.length);
        live.delete(oldest);
      }
    }
  });

  it('says 0 when it is full or the name is longer than any can be', () => {
    const arena = new Arena(new SharedArrayBuffer(Arena.bytes(64)), 0, 64);
    expect(arena.store(Buffer.alloc(513), 0, 513)).toBe(0);
    expect(arena.store(Buffer.alloc(50), 0, 50)).toBeGreaterThan(0);
    expect(arena.store(Buffer.alloc(50), 0, 50)).toBe(0);
  });
});

describe('DirSlots', () => {
  const make = (): DirSlots => {
    const slots = new DirSlots(new SharedArrayBuffer(DirSlots.bytes(32)), 0, 32);
    slots.initialiseRoot(1, 1, 100);
    return slots;
  };

  it('keeps sixteen unused directories and gives up the one used least recently', () => {
    const slots = make();
    const closed: number[] = [];
    for (let node = 2; node <= 30; node++) {
      const slot = slots.install(node, 1, 1000 + node, 0);
      if (slots.toClose >= 0) closed.push(slots.toClose);
      slots.unpin(slot);
      expect(slots.toClose).toBe(-1);
      if (node > 2) {
        const second = slots.pin(2, 1, 0);
        expect(slots.fd(second)).toBe(1002);
        slots.unpin(second);
      }
    }
    expect(slots.live()).toBe(16);
    expect(closed).toEqual(Array.from({ length: 13 }, (_, i) => 1003 + i));
  });

  it('lets more be in use at once and shrinks afterwards', () => {
    const slots = make();
    const pinned = Array.from({ length: 25 }, (_, i) => slots.install(i + 2, 1, 1000 + i, 0));
    expect(slots.live()).toBe(25);
    for (const slot of pinned) slots.unpin(slot);
    expect(slots.live()).toBe(16);
  });

  it('uses the slot of a faster thread and hands the surplus descriptor back', () => {
    const slots = make();
    const first = slots.install(2, 1, 1000, 0);
    expect(slots.install(2, 1, 1001, 0)).toBe(first);
    expect(slots.toClose).toBe(1001);
  });

  it('does not find what is too old, dropped or of an earlier object', () => {
    const slots = make();
    slots.unpin(slots.install(2, 1, 1000, 0));
    expect(slots.pin(2, 2, 0)).toBe(-1);
    expect(slots.pin(2, 1, DIR_MAX_AGE)).toBe(-1);
    expect(slots.toClose).toBe(1000);
    const slot = slots.install(3, 1, 1001, 0);
    slots.drop(3);
    expect(slots.toClose).toBe(-1);
    expect(slots.pin(3, 1, 0)).toBe(-1);
    expect(slots.fd(slot)).toBe(1001);
    slots.unpin(slot);
    expect(slots.toClose).toBe(1001);
    expect(slots.live()).toBe(0);
  });

  it('never gives up the root, but reads its IV again after a minute', () => {
    const slots = make();
    expect(slots.pin(1, 1, DIR_MAX_AGE * 10)).toBe(ROOT_SLOT);
    expect(slots.hasIV(ROOT_SLOT, 0)).toBe(false);
    slots.setIV(ROOT_SLOT, new Uint8Array(16).fill(7), 0, 0);
    expect(slots.hasIV(ROOT_SLOT, DIR_MAX_AGE - 1)).toBe(true);
    expect(slots.hasIV(ROOT_SLOT, DIR_MAX_AGE)).toBe(false);
    slots.unpin(ROOT_SLOT);
    expect(slots.trimOne(DIR_MAX_AGE * 10, 0)).toBe(false);
    expect(slots.ivs[slots.ivOffset(ROOT_SLOT) + 15]).toBe(7);
  });
});

describe('InodeMap', () => {
  const make = (): InodeMap => new InodeMap(new SharedArrayBuffer(InodeMap.bytes), 0, 1);
  const shown = (map: InodeMap): bigint => (BigInt(map.hi) << 32n) | BigInt(map.lo);

  it('leaves the numbers of the root device and moves others into spaces of their own', () => {
    const map = make();
    expect(map.translate(1, 5, 0xffff)).toBe(false);
    expect(shown(map)).toBe((0xffffn << 32n) | 5n);
    for (const [dev, space] of [
      [7, 1n],
      [8, 2n],
      [7, 1n],
    ] as const) {
      expect(map.translate(dev, 0xffffffff, 3)).toBe(false);
      expect(shown(map)).toBe(space * 2n ** 48n + 0x3_ffff_ffffn);
    }
  });

  it('counts from 2^63 for numbers of more than 48 bits, the same one each time', () => {
    const map = make();
    expect(map.translate(1, 0xffffffff, 0x10000)).toBe(true);
    expect(shown(map)).toBe(2n ** 63n);
    expect(map.translate(2, 1, 0x10000)).toBe(false);
    expect(shown(map)).toBe(2n ** 63n + 1n);
    expect(map.translate(1, 0xffffffff, 0x10000)).toBe(false);
    expect(shown(map)).toBe(2n ** 63n);
  });

  it('takes numbers from the counter when the spaces are used up', () => {
    const map = make();
    for (let dev = 2; dev < 2 + 32766; dev++) map.translate(dev, 1, 0);
    expect(shown(map)).toBe(32766n * 2n ** 48n + 1n);
    expect(map.translate(99_999, 1, 0)).toBe(true);
    expect(shown(map)).toBe(2n ** 63n);
  });
});

describe('layout', () => {
  it('places everything on its own, aligned, within a gigabyte', () => {
    const layout = layoutFor(1 << 22);
    const offsets = Object.entries(layout).filter(([key]) => key.endsWith('Offset'));
    for (const [, offset] of offsets) expect(offset % 64).toBe(0);
    expect(new Set(offsets.map(([, offset]) => offset)).size).toBe(offsets.length);
    expect(layout.totalBytes).toBeLessThanOrEqual(2 ** 30);
  });

  it('is read back from the memory, and foreign memory is refused', () => {
    expect(layoutOf(allocateShared(1 << 15))).toEqual(layoutFor(1 << 15));
    expect(() => layoutOf(new SharedArrayBuffer(4096))).toThrow();
  });

  it('costs no memory until it is used', () => {
    const before = process.memoryUsage().rss;
    const memory = allocateShared();
    expect(memory.byteLength).toBe(layoutFor(1 << 22).totalBytes);
    expect(process.memoryUsage().rss - before).toBeLessThan(50 * 2 ** 20);
  });
});

describe('Counters', () => {
  it('tells once that something was used or noticed', () => {
    const memory = new SharedArrayBuffer(Counters.bytes);
    const [a, b] = [new Counters(memory, 0), new Counters(memory, 0)];
    expect(a.takeUsed()).toBe(false);
    b.markUsed();
    expect(a.takeUsed()).toBe(true);
    expect(a.takeUsed()).toBe(false);
    expect(a.claimNotice(DirectoryNotice.UnknownTypes)).toBe(true);
    expect(b.claimNotice(DirectoryNotice.UnknownTypes)).toBe(false);
  });
});
