import type { Logger } from '../../base/log.ts';
import type { Counters } from '../../shared/counters.ts';
import type { DerivedIDs } from '../../shared/derived-ids.ts';
import type { Handles } from '../../shared/handles.ts';
import type { InodeMap } from '../../shared/inode-map.ts';
import type { Nodes } from '../../shared/nodes.ts';
import type { ContentLayout } from '../../vault/contents/layout.ts';
import type { NameCodec } from '../../vault/names/codec.ts';
import type { DiskName } from '../../vault/names/disk-name.ts';
import type { SymlinkCodec } from '../../vault/names/symlink.ts';
import type { XattrCodec } from '../../vault/names/xattr.ts';
import type { VaultParameters } from '../../vault/parameters.ts';
import type { Derivation } from '../../vault/reverse/derive.ts';
import type { Directories } from '../forward/directories.ts';
import type { NodePath } from '../forward/node-path.ts';
import type { SlowCalls } from '../forward/slow-calls.ts';
import type { ReverseOptions } from '../options.ts';
import type { ReverseAttributes } from './attributes.ts';
import type { DirPaths } from './dir-paths.ts';
import type { Exclusion } from './exclude/exclusion.ts';
import type { LongNames } from './long-names.ts';

/**
 * What every module of the reverse view works with; one per worker thread. The node table is that of the forward view, with one node per
 * name: hard links never share one. Nodes carry plain names.
 */
export interface ReverseContext {
  readonly parameters: VaultParameters;
  readonly options: ReverseOptions;
  readonly log: Logger;
  readonly codec: NameCodec;
  readonly symlinks: SymlinkCodec;
  readonly xattrs: XattrCodec;
  readonly layout: ContentLayout;
  readonly derivation: Derivation;
  readonly nodes: Nodes;
  readonly inodes: InodeMap;
  readonly handles: Handles;
  readonly counters: Counters;
  readonly ids: DerivedIDs;
  readonly dirs: Directories;
  readonly paths: DirPaths;
  readonly attributes: ReverseAttributes;
  readonly exclusion: Exclusion;
  readonly longNames: LongNames;
  /** Place of the node a request is about; the name is a key of view-names.ts. */
  readonly path: NodePath;
  /** Name in the view of the object a request is about. */
  readonly name: DiskName;
  /** Device of CIPHERDIR. */
  readonly rootDev: number;
  /** STAT_FIELDS numbers. */
  readonly stat: Float64Array;
  readonly slowCalls: SlowCalls;
}
