import { Counters } from './counters.ts';
import { DerivedIDs } from './derived-ids.ts';
import { DirSlots } from './dir-slots.ts';
import { Handles } from './handles.ts';
import { InodeMap } from './inode-map.ts';
import { Nodes } from './nodes.ts';
import { OpenFiles } from './open-files.ts';

/** Nodes (and names) the largest layout holds; about 1 GiB of addresses, of which only touched pages cost memory. */
export const MAX_NODES = 1 << 22;
/** Below this there is no point in mounting. */
const MIN_NODES = 1 << 14;
const OPEN_FILES = 1 << 16;
const HANDLES = 1 << 16;
/** Open files and hard-linked files of a reverse view. */
const DERIVED_IDS = 1 << 18;
/** Directories that all workers together can have in use at once: 16 workers with at most 4 each, and the cache. */
const DIRS = 96;
/** Room for the hand-over of the FUSE device between workers, bytes. */
export const BATON_BYTES = 8192;

/* Header, words. */
const MAGIC = 0;
const NODES = 1;
const HEADER_BYTES = 64;
/** "AFSM" and the layout's version. */
const MAGIC_VALUE = 0x4146_5302;

/** Where each table lies in the shared memory, byte offsets (all multiples of 64). */
export interface SharedLayout {
  readonly nodeCapacity: number;
  readonly openFileCapacity: number;
  readonly handleCapacity: number;
  readonly dirCapacity: number;
  readonly derivedIDCapacity: number;
  readonly batonOffset: number;
  readonly countersOffset: number;
  readonly dirSlotsOffset: number;
  readonly inodeMapOffset: number;
  readonly handlesOffset: number;
  readonly openFilesOffset: number;
  readonly derivedIDsOffset: number;
  readonly nodesOffset: number;
  readonly totalBytes: number;
}

/** The layout for a node capacity. */
export function layoutFor(nodeCapacity: number): SharedLayout {
  let end = HEADER_BYTES;
  const place = (bytes: number): number => {
    const at = end;
    end = Math.ceil((at + bytes) / 64) * 64;
    return at;
  };
  return {
    nodeCapacity,
    openFileCapacity: OPEN_FILES,
    handleCapacity: HANDLES,
    dirCapacity: DIRS,
    derivedIDCapacity: DERIVED_IDS,
    batonOffset: place(BATON_BYTES),
    countersOffset: place(Counters.bytes),
    dirSlotsOffset: place(DirSlots.bytes(DIRS)),
    inodeMapOffset: place(InodeMap.bytes),
    handlesOffset: place(Handles.bytes(HANDLES)),
    openFilesOffset: place(OpenFiles.bytes(OPEN_FILES)),
    derivedIDsOffset: place(DerivedIDs.bytes(DERIVED_IDS)),
    nodesOffset: place(Nodes.bytes(nodeCapacity)),
    totalBytes: end,
  };
}

/** Layout of memory made by `allocateShared`. */
export function layoutOf(memory: SharedArrayBuffer): SharedLayout {
  const header = new Int32Array(memory, 0, HEADER_BYTES / 4);
  if (header[MAGIC] !== MAGIC_VALUE) throw new Error('this shared memory was not laid out by this version of the program');
  return layoutFor(header[NODES]!);
}

/** Allocates zeroed shared memory, smaller than asked for where the system does not give that much address space. */
export function allocateShared(maxNodes: number = MAX_NODES): SharedArrayBuffer {
  for (let nodes = maxNodes; ; nodes /= 2) {
    try {
      const memory = new SharedArrayBuffer(layoutFor(nodes).totalBytes);
      const header = new Int32Array(memory, 0, HEADER_BYTES / 4);
      header[MAGIC] = MAGIC_VALUE;
      header[NODES] = nodes;
      return memory;
    } catch (error) {
      if (!(error instanceof RangeError) || nodes / 2 < MIN_NODES) throw error;
    }
  }
}
