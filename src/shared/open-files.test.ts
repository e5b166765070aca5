import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Errno } from '../base/errno.ts';
import { Notice, OpenFiles } from './open-files.ts';

const CAPACITY = 20;

function table(capacity = CAPACITY): OpenFiles {
  return new OpenFiles(new SharedArrayBuffer(OpenFiles.bytes(capacity) + 64), 64, capacity);
}

describe('OpenFiles', () => {
  it('keeps references like a map of counters', () => {
    const key = fc.tuple(fc.nat(2), fc.constantFrom(1, 2, 3, 0x80000001, 0xffffffff), fc.constantFrom(0, 1, 0xffffffff));
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), key), { maxLength: 120 }), (steps) => {
        const files = table();
        const model = new Map<string, { file: number; refs: number }>();
        for (const [isAcquire, [dev, lo, hi]] of steps) {
          const name = `${dev}/${lo}/${hi}`;
          const known = model.get(name);
          expect(files.find(dev, lo, hi)).toBe(known?.file ?? -1);
          if (isAcquire) {
            const file = files.acquire(dev, lo, hi);
            if (known !== undefined) {
              expect(file).toBe(known.file);
              known.refs++;
            } else if (model.size === CAPACITY) {
              expect(file).toBe(-Errno.ENFILE);
            } else {
              expect([...model.values()].some((entry) => entry.file === file)).toBe(false);
              expect([files.cipherSize(file), files.fileIDValid(file)]).toEqual([-1, false]);
              expect([files.inoLo(file), files.inoHi(file)]).toEqual([lo, hi]);
              model.set(name, { file, refs: 1 });
              files.setCipherSize(file, 5);
              files.setFileID(file, new Uint8Array(16).fill(1), 0);
            }
          } else if (known !== undefined) {
            files.release(known.file);
            if (--known.refs === 0) model.delete(name);
          }
          expect(files.count()).toBe(model.size);
        }
      }),
    );
  });

  it('throws when a reference is dropped twice', () => {
    const files = table();
    const file = files.acquire(1, 2, 3);
    files.release(file);
    expect(() => files.release(file)).toThrow(/more often/);
  });

  it('stores a file ID once, until it is forgotten', () => {
    const files = table();
    const file = files.acquire(1, 2, 3);
    const first = Uint8Array.from({ length: 20 }, (_, i) => i);
    const second = new Uint8Array(16).fill(9);
    const out = new Uint8Array(18);
    expect(files.copyFileID(file, out, 1)).toBe(false);
    files.setFileID(file, first, 2);
    files.setFileID(file, second, 0);
    expect(files.copyFileID(file, out, 1)).toBe(true);
    expect([...out.subarray(1, 17)]).toEqual([...first.subarray(2, 18)]);
    expect(files.ids[files.fileIDOffset(file)]).toBe(2);
    files.setCipherSize(file, 2 ** 40);
    files.forgetFileID(file);
    expect([files.fileIDValid(file), files.cipherSize(file)]).toEqual([false, 2 ** 40]);
    files.setFileID(file, second, 0);
    files.forgetCipherSize(file);
    expect([files.fileIDValid(file), files.cipherSize(file)]).toEqual([true, -1]);
  });

  it('believes no size that it was only told of', () => {
    const files = table();
    const file = files.acquire(1, 2, 3);
    files.noteCipherSize(file, 100);
    expect(files.cipherSize(file)).toBe(-1);
    files.setCipherSize(file, 100);
    files.noteCipherSize(file, 100);
    expect(files.cipherSize(file)).toBe(100);
    files.noteCipherSize(file, 50);
    expect(files.cipherSize(file)).toBe(-1);
  });

  it('is one table for everybody who attaches', () => {
    const memory = new SharedArrayBuffer(OpenFiles.bytes(CAPACITY));
    const [a, b] = [new OpenFiles(memory, 0, CAPACITY), new OpenFiles(memory, 0, CAPACITY)];
    const file = a.acquire(1, 2, 3);
    a.setCipherSize(file, 7);
    expect([b.find(1, 2, 3), b.cipherSize(file)]).toEqual([file, 7]);
    expect([a.claimNotice(Notice.FallocateMode), b.claimNotice(Notice.FallocateMode)]).toEqual([true, false]);
    expect([b.noticed(Notice.FallocateMode), b.noticed(Notice.NoPreallocation)]).toEqual([true, false]);
  });
});
