import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { NodeChoice, Nodes, ROOT } from './nodes.ts';

const DIR = 0o040000;
const FILE = 0o100000;

function table(capacity: number): Nodes {
  const nodes = new Nodes(new SharedArrayBuffer(Nodes.bytes(capacity)), 0, capacity);
  nodes.initialiseRoot(1, 2, 0);
  return nodes;
}

const bytes = (text: string): Uint8Array => Buffer.from(text);

function reference(nodes: Nodes, parent: number, name: string, ino: number, type = FILE, choice: NodeChoice = NodeChoice.Known): number {
  const buf = bytes(name);
  return nodes.reference(parent, buf, 0, buf.length, 1, ino, 0, type, choice);
}

function nameOf(nodes: Nodes, node: number): string | null {
  const buf = Buffer.alloc(600);
  const len = nodes.copyName(node, buf, 0);
  return len === 0 ? null : `${nodes.parentOfName}/${buf.subarray(0, len).toString()}`;
}

function find(nodes: Nodes, parent: number, name: string): number {
  return nodes.find(parent, bytes(name), 0, name.length);
}

describe('Nodes', () => {
  it('gives hard links one node and remembers the name seen last', () => {
    const nodes = table(100);
    const a = reference(nodes, ROOT, 'a', 10);
    expect(reference(nodes, ROOT, 'b', 10)).toBe(a);
    expect(nameOf(nodes, a)).toBe('1/b');
    reference(nodes, ROOT, 'a', 10);
    expect(nameOf(nodes, a)).toBe('1/a');
    nodes.dropName(ROOT, bytes('a'), 0, 1);
    expect(nameOf(nodes, a)).toBe('1/b');
    nodes.dropName(ROOT, bytes('b'), 0, 1);
    expect(nameOf(nodes, a)).toBeNull();
    nodes.forget(a, 3);
    expect(nodes.used).toBe(1);
    expect(nodes.namesUsed).toBe(0);
  });

  it('tells files, directories and devices with one number apart', () => {
    const nodes = table(100);
    const a = reference(nodes, ROOT, 'a', 10, FILE);
    expect(reference(nodes, ROOT, 'b', 10, DIR)).not.toBe(a);
    expect(nodes.reference(ROOT, bytes('c'), 0, 1, 2, 10, 0, FILE, NodeChoice.Known)).not.toBe(a);
    expect(nodes.reference(ROOT, bytes('d'), 0, 1, 1, 10, 1, FILE, NodeChoice.Known)).not.toBe(a);
  });

  it('makes a fresh node although the number is known, and finds that one from then on', () => {
    const nodes = table(100);
    const old = reference(nodes, ROOT, 'a', 10);
    const fresh = reference(nodes, ROOT, 'b', 10, FILE, NodeChoice.Fresh);
    expect(fresh).not.toBe(old);
    expect(reference(nodes, ROOT, 'c', 10)).toBe(fresh);
    nodes.forget(old, 1);
    expect(reference(nodes, ROOT, 'd', 10)).toBe(fresh);
  });

  it('keeps one node per entry on shared storage while name and object match', () => {
    const nodes = table(100);
    const a = reference(nodes, ROOT, 'a', 10, FILE, NodeChoice.PerEntry);
    const b = reference(nodes, ROOT, 'b', 10, FILE, NodeChoice.PerEntry);
    expect(b).not.toBe(a);
    expect(nodes.generation(b)).toBe(nodes.generation(a) + 1);
    expect(reference(nodes, ROOT, 'a', 10, FILE, NodeChoice.PerEntry)).toBe(a);
    expect(reference(nodes, ROOT, 'a', 11, FILE, NodeChoice.PerEntry)).not.toBe(a);
    expect(nameOf(nodes, a)).toBeNull();
  });

  it('exchanges names, also of one known and one unknown entry', () => {
    const nodes = table(100);
    const d = reference(nodes, ROOT, 'd', 5, DIR);
    const a = reference(nodes, ROOT, 'a', 10);
    const b = reference(nodes, d, 'b', 11);
    nodes.exchangeNames(ROOT, bytes('a'), 0, 1, d, bytes('b'), 0, 1);
    expect([nameOf(nodes, a), nameOf(nodes, b)]).toEqual([`${d}/b`, '1/a']);
    nodes.exchangeNames(ROOT, bytes('a'), 0, 1, ROOT, bytes('z'), 0, 1);
    expect(nameOf(nodes, b)).toBe('1/z');
    expect(find(nodes, ROOT, 'a')).toBe(0);
  });

  it('keeps directories as long as something lies in them, and frees a whole chain at once', () => {
    const nodes = table(20_000);
    const chain = [ROOT];
    for (let i = 0; i < 10_000; i++) chain.push(reference(nodes, chain.at(-1)!, 'd', 100 + i, DIR));
    for (const node of chain.slice(1, -1)) nodes.forget(node, 1);
    expect(nodes.used).toBe(10_001);
    nodes.forget(chain.at(-1)!, 1);
    expect(nodes.used).toBe(1);
    expect(nodes.namesUsed).toBe(0);
  });

  it('counts another object in a reused record', () => {
    const nodes = table(10);
    const a = reference(nodes, ROOT, 'a', 10);
    const serial = nodes.serial(a);
    nodes.forget(a, 1);
    expect(nodes.isNode(a)).toBe(false);
    expect(reference(nodes, ROOT, 'b', 11)).toBe(a);
    expect(nodes.serial(a)).toBe(serial + 1);
  });

  it('says 0 when it is full and goes on after something was forgotten', () => {
    const nodes = table(4);
    const made = [2, 3, 4, 5].map((ino) => reference(nodes, ROOT, `n${ino}`, ino + 100));
    expect(made.at(-1)).toBe(0);
    nodes.forget(made[0]!, 1);
    expect(reference(nodes, ROOT, 'again', 200)).toBe(made[0]);
  });

  it('turns to all names of a node in turn', () => {
    const nodes = table(100);
    const a = reference(nodes, ROOT, 'a', 10);
    for (const name of ['b', 'c']) reference(nodes, ROOT, name, 10);
    const seen: (string | null)[] = [];
    const start = nodes.frontName(a);
    let front = start;
    do {
      seen.push(nameOf(nodes, a));
      front = nodes.rotateNames(a, front);
    } while (front !== start);
    expect(seen.sort()).toEqual(['1/a', '1/b', '1/c']);
  });

  it('agrees with a simple model under random operations', () => {
    const name = fc.constantFrom('a', 'bb', 'ccc', 'd'.repeat(40), 'e'.repeat(255));
    const ino = fc.integer({ min: 100, max: 104 });
    const operation = fc.oneof(
      fc.record({ kind: fc.constant('lookup' as const), name, ino }),
      fc.record({ kind: fc.constant('create' as const), name, ino }),
      fc.record({ kind: fc.constant('drop' as const), name }),
      fc.record({ kind: fc.constant('move' as const), name, to: name }),
      fc.record({ kind: fc.constant('exchange' as const), name, to: name }),
      fc.record({ kind: fc.constant('forget' as const), index: fc.nat(20), part: fc.boolean() }),
    );
    fc.assert(
      fc.property(fc.array(operation, { maxLength: 60 }), (operations) => {
        const nodes = table(64);
        // Model: node -> lookups; name -> node; identity -> node; names of a node, the last one in front.
        const lookups = new Map<number, number>();
        const entries = new Map<string, number>();
        const identities = new Map<number, number>();
        const names = new Map<number, string[]>();
        const drop = (entry: string): void => {
          const node = entries.get(entry);
          if (node === undefined) return;
          entries.delete(entry);
          names.set(
            node,
            names.get(node)!.filter((other) => other !== entry),
          );
        };
        for (const op of operations) {
          if (op.kind === 'lookup' || op.kind === 'create') {
            const node = reference(nodes, ROOT, op.name, op.ino, FILE, op.kind === 'create' ? NodeChoice.Fresh : NodeChoice.Known);
            const known = op.kind === 'lookup' ? identities.get(op.ino) : undefined;
            if (known !== undefined) expect(node).toBe(known);
            else expect(lookups.has(node)).toBe(false);
            identities.set(op.ino, node);
            lookups.set(node, (lookups.get(node) ?? 0) + 1);
            if (entries.get(op.name) !== node) drop(op.name);
            entries.set(op.name, node);
            names.set(node, [op.name, ...(names.get(node) ?? []).filter((other) => other !== op.name)]);
          } else if (op.kind === 'drop') {
            nodes.dropName(ROOT, bytes(op.name), 0, op.name.length);
            drop(op.name);
          } else if (op.kind === 'move' || op.kind === 'exchange') {
            const method = op.kind === 'move' ? nodes.moveName : nodes.exchangeNames;
            method.call(nodes, ROOT, bytes(op.name), 0, op.name.length, ROOT, bytes(op.to), 0, op.to.length);
            const [from, to] = [entries.get(op.name), entries.get(op.to)];
            if (op.name === op.to) continue;
            const rename = (node: number, before: string, after: string): void => {
              entries.set(after, node);
              names.set(
                node,
                names.get(node)!.map((other) => (other === before ? after : other)),
              );
            };
            if (op.kind === 'exchange' && from !== undefined && to !== undefined) {
              rename(from, op.name, '(moving)');
              rename(to, op.to, op.name);
              rename(from, '(moving)', op.to);
              entries.delete('(moving)');
            } else if (op.kind === 'exchange' && from === undefined) {
              if (to !== undefined) {
                rename(to, op.to, op.name);
                entries.delete(op.to);
              }
            } else {
              drop(op.to);
              if (from !== undefined) {
                rename(from, op.name, op.to);
                entries.delete(op.name);
              }
            }
          } else {
            const node = [...lookups.keys()][op.index];
            if (node === undefined) continue;
            const count = op.part ? 1 : lookups.get(node)!;
            nodes.forget(node, count);
            lookups.set(node, lookups.get(node)! - count);
            if (lookups.get(node) === 0) {
              for (const entry of [...(names.get(node) ?? [])]) drop(entry);
              names.delete(node);
              lookups.delete(node);
              for (const [number, other] of identities) if (other === node) identities.delete(number);
            }
          }
          expect(nodes.used).toBe(lookups.size + 1);
          expect(nodes.namesUsed).toBe(entries.size);
          for (const [entry, node] of entries) expect(find(nodes, ROOT, entry)).toBe(node);
          for (const node of lookups.keys()) {
            const front = names.get(node)?.[0];
            expect(nameOf(nodes, node)).toBe(front === undefined ? null : `1/${front}`);
          }
        }
      }),
      { numRuns: 300 },
    );
  });

  it('holds a million nodes in at most 300 bytes each, without slowing down', () => {
    const count = 1_000_000;
    const memory = new SharedArrayBuffer(Nodes.bytes(1 << 20));
    const nodes = new Nodes(memory, 0, 1 << 20);
    nodes.initialiseRoot(1, 2, 0);
    const dirs = [ROOT];
    const buf = Buffer.alloc(64, 'x');
    const parents = new Int32Array(count + 2);
    for (let i = 0; i < count - 1; i++) {
      const isDir = i % 100 === 0;
      buf.write(i.toString(36).padStart(8, '0'));
      const node = nodes.reference(dirs.at(-1)!, buf, 0, 43, 1, 1000 + i, 0, isDir ? DIR : FILE, NodeChoice.Known);
      parents[node] = dirs.at(-1)!;
      if (isDir && dirs.length < 50) dirs.push(node);
    }
    expect(nodes.used).toBe(count);
    let touched = 0;
    const pages = new Float64Array(memory, 0, memory.byteLength >>> 3);
    for (let page = 0; page < pages.length; page += 512) if (pages.subarray(page, page + 512).some((word) => word !== 0)) touched += 4096;
    expect(touched / count).toBeLessThanOrEqual(300);
    for (let node = 2; node <= count; node++) nodes.forget(node, 1);
    expect(nodes.used).toBe(1);
    expect(nodes.namesUsed).toBe(0);
  }, 60_000);
});
