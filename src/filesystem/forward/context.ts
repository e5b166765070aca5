import type { Logger } from '../../base/log.ts';
import type { Counters } from '../../shared/counters.ts';
import type { Handles } from '../../shared/handles.ts';
import type { Nodes } from '../../shared/nodes.ts';
import type { OpenFiles } from '../../shared/open-files.ts';
import type { BadNames } from '../../vault/names/bad-name.ts';
import type { NameCodec } from '../../vault/names/codec.ts';
import type { DiskName } from '../../vault/names/disk-name.ts';
import type { SymlinkCodec } from '../../vault/names/symlink.ts';
import type { XattrCodec } from '../../vault/names/xattr.ts';
import type { VaultParameters } from '../../vault/parameters.ts';
import type { ForwardOptions } from '../options.ts';
import type { Attributes } from './attributes.ts';
import type { FileContents } from './contents/file-contents.ts';
import type { Directories } from './directories.ts';
import type { NodePath } from './node-path.ts';
import type { SlowCalls } from './slow-calls.ts';

/**
 * What every module of the forward view works with; one per worker thread. The tables are views of the memory that all
 * workers share; everything else belongs to this thread. A module keeps its own scratch buffers, so that no call into
 * another module can overwrite them; `stat` is the exception: it holds until the next call out of the module that filled it.
 */
export interface ForwardContext {
  readonly parameters: VaultParameters;
  readonly options: ForwardOptions;
  readonly log: Logger;
  readonly codec: NameCodec;
  readonly badNames: BadNames;
  readonly symlinks: SymlinkCodec;
  readonly xattrs: XattrCodec;
  readonly nodes: Nodes;
  readonly openFiles: OpenFiles;
  readonly handles: Handles;
  readonly counters: Counters;
  readonly dirs: Directories;
  readonly attributes: Attributes;
  /** Place of the node a request is about. */
  readonly path: NodePath;
  /** On-disk form of the name a request is about. */
  readonly name: DiskName;
  /** The target's, of rename. */
  readonly newName: DiskName;
  readonly contents: FileContents;
  /** STAT_FIELDS numbers. */
  readonly stat: Float64Array;
  readonly slowCalls: SlowCalls;
}
