import fs from 'node:fs';
import { describe, expect, it } from 'vitest';
import { runThreads } from '../../../tests/support/threads.ts';
import { layoutOf } from '../../shared/layout.ts';
import { Nodes } from '../../shared/nodes.ts';
import type { ViewWork } from './concurrency-worker.ts';
import { ViewFixture } from './fixture.ts';

const entry = new URL('./concurrency-worker.ts', import.meta.url);

/** Descriptors of this process below a folder. */
function descriptorsBelow(dir: string): number {
  const targets = fs.readdirSync('/proc/self/fd').map((fd) => {
    try {
      return fs.readlinkSync(`/proc/self/fd/${fd}`);
    } catch {
      return '';
    }
  });
  return targets.filter((target) => target.startsWith(dir)).length;
}

describe('workers side by side', () => {
  it('find every object while directories are renamed, made and removed, and leave nothing behind', async () => {
    const view = new ViewFixture({ base: '/dev/shm' });
    const dirs = Array.from({ length: 40 }, (_, i) => view.mkdir(`d${i}`).entry.node);
    view.supervisor.trim(0);
    const layout = layoutOf(view.setup.shared);
    const nodes = new Nodes(view.setup.shared, layout.nodesOffset, layout.nodeCapacity);
    const before = nodes.used;
    const { parameters, options, shared } = view.setup;
    const roles = ['files', 'files', 'files', 'makeDirectories', 'moveDirectories'] as const;
    const works = roles.map((role, id): ViewWork => ({ setup: { parameters, options, shared }, role, id, rounds: 1000, dirs }));
    const problems = await runThreads<string[]>(entry, works);
    expect(problems.flat()).toEqual([]);
    expect(nodes.used).toBe(before);
    expect(view.supervisor.openHandles()).toBe(0);
    for (let i = 0; i < dirs.length; i++) expect(view.list(`d${i}`)).toEqual([]);
    for (let i = 0; i < dirs.length; i++) expect(view.rmdir(`d${i}`)).toBe(0);
    expect(view.backing()).toEqual(['gocryptfs.conf', 'gocryptfs.diriv']);
    view.supervisor.trim(0);
    expect(descriptorsBelow(view.dir)).toBe(1);
    expect(view.warnings).toEqual([]);
    view.dispose();
  });
});
