import { Counters } from '../../shared/counters.ts';
import { DerivedIDs } from '../../shared/derived-ids.ts';
import { DirSlots } from '../../shared/dir-slots.ts';
import { Handles } from '../../shared/handles.ts';
import { InodeMap } from '../../shared/inode-map.ts';
import { layoutOf } from '../../shared/layout.ts';
import { Nodes } from '../../shared/nodes.ts';
import { fstat, STAT_FIELDS, Stat } from '../../sys/stat.ts';
import { ContentLayout } from '../../vault/contents/layout.ts';
import { NameCodec } from '../../vault/names/codec.ts';
import { DiskName } from '../../vault/names/disk-name.ts';
import { SymlinkCodec } from '../../vault/names/symlink.ts';
import { XattrCodec } from '../../vault/names/xattr.ts';
import { Derivation } from '../../vault/reverse/derive.ts';
import { Directories } from '../forward/directories.ts';
import { NodePath } from '../forward/node-path.ts';
import type { SlowCalls } from '../forward/slow-calls.ts';
import type { ReverseSetup } from '../options.ts';
import { ReverseAttributes } from './attributes.ts';
import type { ReverseContext } from './context.ts';
import { DirPaths } from './dir-paths.ts';
import { Exclusion } from './exclude/exclusion.ts';
import { LongNames } from './long-names.ts';

/** Attaches this thread to the shared memory of a mount and makes what it needs for itself. Throws if CIPHERDIR cannot be stat'ed. */
export function createReverseContext(setup: ReverseSetup, slowCalls: SlowCalls): ReverseContext {
  const { options, shared, log } = setup;
  // Names that no filesystem can hold must be hashed in any case.
  const parameters = { ...setup.parameters, longNames: true };
  const layout = layoutOf(shared);
  const stat = new Float64Array(STAT_FIELDS);
  const result = fstat(options.rootFd, stat);
  if (result < 0) throw new Error(`CIPHERDIR cannot be stat'ed: error ${-result}`);
  const rootDev = stat[Stat.dev]!;
  const nodes = new Nodes(shared, layout.nodesOffset, layout.nodeCapacity);
  const counters = new Counters(shared, layout.countersOffset);
  const slots = new DirSlots(shared, layout.dirSlotsOffset, layout.dirCapacity);
  const inodes = new InodeMap(shared, layout.inodeMapOffset, rootDev);
  const dirs = new Directories(slots, nodes, false, log);
  const codec = new NameCodec(parameters);
  const symlinks = new SymlinkCodec(parameters);
  const contentLayout = new ContentLayout(parameters.overhead);
  const derivation = new Derivation();
  return {
    parameters,
    options,
    log,
    codec,
    symlinks,
    xattrs: new XattrCodec(parameters),
    layout: contentLayout,
    derivation,
    nodes,
    inodes,
    handles: new Handles(shared, layout.handlesOffset, layout.handleCapacity),
    counters,
    ids: new DerivedIDs(shared, layout.derivedIDsOffset, layout.derivedIDCapacity),
    dirs,
    paths: new DirPaths(nodes, codec, derivation, parameters.dirIV),
    attributes: new ReverseAttributes(log, contentLayout, options, nodes, inodes, symlinks),
    exclusion: new Exclusion(options.exclude),
    longNames: new LongNames(codec),
    path: new NodePath(nodes, dirs, counters, options.rootFd),
    name: new DiskName(),
    rootDev,
    stat,
    slowCalls,
  };
}
