import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Errno } from '../base/errno.ts';
import { Handles } from './handles.ts';

const CAPACITY = 20;
const O_WRONLY = 1;
const O_RDWR = 2;
const O_APPEND = 0o2000;

function table(): Handles {
  return new Handles(new SharedArrayBuffer(Handles.bytes(CAPACITY) + 64), 64, CAPACITY);
}

describe('Handles', () => {
  it('keep their fields and are found by node, like a plain list', () => {
    const step = fc.oneof(
      {
        arbitrary: fc.record({ op: fc.constant('add' as const), node: fc.nat(3), flags: fc.constantFrom(0, O_WRONLY, O_RDWR) }),
        weight: 3,
      },
      { arbitrary: fc.record({ op: fc.constant('remove' as const), pick: fc.nat() }), weight: 2 },
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 150 }), (steps) => {
        const handles = table();
        const open = new Map<number, { fd: number; node: number; flags: number }>();
        const closed: number[] = [];
        let fd = 10;
        for (const s of steps) {
          if (s.op === 'add') {
            const node = s.node * 2 ** 40 + 1;
            const handle = handles.add(++fd, fd + 1, node, s.flags);
            if (open.size === CAPACITY) {
              expect(handle).toBe(-Errno.EMFILE);
            } else {
              expect(handle).toBeGreaterThan(0);
              expect(open.has(handle)).toBe(false);
              open.set(handle, { fd, node, flags: s.flags });
            }
          } else if (open.size > 0) {
            const handle = [...open.keys()][s.pick % open.size]!;
            expect(handles.remove(handle)).toBe(true);
            open.delete(handle);
            closed.push(handle);
          }
          expect(handles.count()).toBe(open.size);
          for (const [handle, entry] of open) {
            expect(handles.isValid(handle)).toBe(true);
            expect([handles.fd(handle), handles.file(handle), handles.node(handle), handles.flags(handle)]).toEqual([
              entry.fd,
              entry.fd + 1,
              entry.node,
              entry.flags,
            ]);
          }
          for (const handle of closed) expect(handles.isValid(handle)).toBe(false);
          for (let n = 0; n <= 3; n++) {
            const node = n * 2 ** 40 + 1;
            const ofNode = [...open].filter(([, entry]) => entry.node === node).map(([handle]) => handle);
            const found = handles.anyOfNode(node);
            expect(ofNode.length === 0 ? found === -1 : ofNode.includes(found)).toBe(true);
            const writable = ofNode.filter((handle) => open.get(handle)!.flags !== 0);
            const pinned = handles.pinAnyOfNode(node, true);
            expect(writable.length === 0 ? pinned === -1 : writable.includes(pinned)).toBe(true);
            if (pinned > 0) handles.unpin(pinned);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  it('know numbers that never were handles', () => {
    const handles = table();
    const handle = handles.add(5, -1, 1, 0);
    for (const other of [0, -1, handle + 1, handle + 32, 2 ** 31, 2 ** 40, Number.NaN]) expect(handles.isValid(other)).toBe(false);
    expect(handles.remove(handle + 32)).toBe(false);
    expect(handles.remove(handle)).toBe(true);
    expect(handles.remove(handle)).toBe(false);
  });

  it('tell apart many lives of one slot', () => {
    const handles = table();
    const seen = new Set<number>();
    for (let i = 0; i < 10_000; i++) {
      const handle = handles.add(i, -1, 1, 0);
      expect(seen.has(handle)).toBe(false);
      seen.add(handle);
      handles.remove(handle);
    }
  });

  it('start directories at position 0 and keep 64 bits of it', () => {
    const handles = table();
    const handle = handles.add(5, -1, 1, 0);
    handles.setPosition(handle, 0xfffffffe, 0x7fffffff);
    expect([handles.positionLo(handle), handles.positionHi(handle)]).toEqual([0xfffffffe, 0x7fffffff]);
    handles.remove(handle);
    const next = handles.add(6, -1, 1, O_RDWR | O_APPEND);
    expect([handles.positionLo(next), handles.positionHi(next), handles.isWritable(next)]).toEqual([0, 0, true]);
  });
});
