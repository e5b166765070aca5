import { Counters } from '../../shared/counters.ts';
import { DirSlots } from '../../shared/dir-slots.ts';
import { Handles } from '../../shared/handles.ts';
import { InodeMap } from '../../shared/inode-map.ts';
import { layoutOf } from '../../shared/layout.ts';
import { Nodes } from '../../shared/nodes.ts';
import { OpenFiles } from '../../shared/open-files.ts';
import { fstat, STAT_FIELDS, Stat } from '../../sys/stat.ts';
import { BadNames } from '../../vault/names/bad-name.ts';
import { NameCodec } from '../../vault/names/codec.ts';
import { DiskName } from '../../vault/names/disk-name.ts';
import { SymlinkCodec } from '../../vault/names/symlink.ts';
import { XattrCodec } from '../../vault/names/xattr.ts';
import type { ForwardSetup } from '../options.ts';
import { Attributes } from './attributes.ts';
import { FileContents } from './contents/file-contents.ts';
import type { ForwardContext } from './context.ts';
import { Directories } from './directories.ts';
import { NodePath } from './node-path.ts';
import type { SlowCalls } from './slow-calls.ts';

/** Attaches this thread to the shared memory of a mount and makes what it needs for itself. Throws if CIPHERDIR cannot be stat'ed. */
export function createContext(setup: ForwardSetup, slowCalls: SlowCalls): ForwardContext {
  const { parameters, options, shared, log } = setup;
  const layout = layoutOf(shared);
  const stat = new Float64Array(STAT_FIELDS);
  const result = fstat(options.rootFd, stat);
  if (result < 0) throw new Error(`CIPHERDIR cannot be stat'ed: error ${-result}`);
  const nodes = new Nodes(shared, layout.nodesOffset, layout.nodeCapacity);
  const openFiles = new OpenFiles(shared, layout.openFilesOffset, layout.openFileCapacity);
  const handles = new Handles(shared, layout.handlesOffset, layout.handleCapacity);
  const counters = new Counters(shared, layout.countersOffset);
  const slots = new DirSlots(shared, layout.dirSlotsOffset, layout.dirCapacity);
  const inodes = new InodeMap(shared, layout.inodeMapOffset, stat[Stat.dev]!);
  const dirs = new Directories(slots, nodes, parameters.dirIV, log);
  const codec = new NameCodec(parameters);
  const symlinks = new SymlinkCodec(parameters);
  return {
    parameters,
    options,
    log,
    codec,
    badNames: new BadNames(codec, options.badNamePatterns),
    symlinks,
    xattrs: new XattrCodec(parameters),
    nodes,
    openFiles,
    handles,
    counters,
    dirs,
    attributes: new Attributes(parameters, options, log, nodes, openFiles, inodes, symlinks),
    path: new NodePath(nodes, dirs, counters, options.rootFd),
    name: new DiskName(),
    newName: new DiskName(),
    contents: new FileContents({ parameters, options, log, openFiles, handles, slowCalls }),
    stat,
    slowCalls,
  };
}
