import { Counters } from '../../shared/counters.ts';
import { DirSlots } from '../../shared/dir-slots.ts';
import { Handles } from '../../shared/handles.ts';
import { allocateShared, layoutOf } from '../../shared/layout.ts';
import { Nodes, ROOT } from '../../shared/nodes.ts';
import { fstat, STAT_FIELDS, Stat } from '../../sys/stat.ts';
import type { ForwardSetup } from '../options.ts';
import { Directories } from './directories.ts';

/**
 * Makes the memory that all workers of a mount share and puts the root into it; in the main thread, before any worker starts.
 * @param rootFd - O_PATH descriptor of CIPHERDIR, which must stay open as long as the memory is used
 * @param maxNodes - for tests; otherwise as many as fit
 */
export function createForwardShared(rootFd: number, maxNodes?: number): SharedArrayBuffer {
  const shared = maxNodes === undefined ? allocateShared() : allocateShared(maxNodes);
  const layout = layoutOf(shared);
  const stat = new Float64Array(STAT_FIELDS);
  const result = fstat(rootFd, stat);
  if (result < 0) throw new Error(`CIPHERDIR cannot be stat'ed: error ${-result}`);
  const nodes = new Nodes(shared, layout.nodesOffset, layout.nodeCapacity);
  nodes.initialiseRoot(stat[Stat.dev]!, stat[Stat.inoLo]!, stat[Stat.inoHi]!);
  new DirSlots(shared, layout.dirSlotsOffset, layout.dirCapacity).initialiseRoot(ROOT, nodes.serial(ROOT), rootFd);
  return shared;
}

/** What the main thread asks of a mounted view of either kind, and does for it, while the workers serve. */
export class ForwardSupervisor {
  readonly #counters: Counters;
  readonly #handles: Handles;
  readonly #dirs: Directories;

  constructor(setup: Pick<ForwardSetup, 'parameters' | 'shared' | 'log'>) {
    const { shared } = setup;
    const layout = layoutOf(shared);
    this.#counters = new Counters(shared, layout.countersOffset);
    this.#handles = new Handles(shared, layout.handlesOffset, layout.handleCapacity);
    const nodes = new Nodes(shared, layout.nodesOffset, layout.nodeCapacity);
    const slots = new DirSlots(shared, layout.dirSlotsOffset, layout.dirCapacity);
    this.#dirs = new Directories(slots, nodes, setup.parameters.dirIV, setup.log);
  }

  /** True if the view was used since the last call, or a handle is open now: the sample of behaviour.md 5.7. */
  takeBusy(): boolean {
    return this.#counters.takeUsed() || this.#handles.count() > 0;
  }

  /** Files and directories open through the mount. */
  openHandles(): number {
    return this.#handles.count();
  }

  /** Closes cached directories that were opened more than `maxAge` ms ago; to be called every few seconds (behaviour.md 5.10). */
  trim(maxAge?: number): void {
    this.#dirs.trim(maxAge);
  }
}
