import type { Logger } from '../../base/log.ts';
import type { Counters } from '../../shared/counters.ts';
import type { DirSlots } from '../../shared/dir-slots.ts';
import type { Handles } from '../../shared/handles.ts';
import type { Nodes } from '../../shared/nodes.ts';
import type { OpenFiles } from '../../shared/open-files.ts';
import type { NameCodec } from '../../vault/names/codec.ts';
import type { VaultParameters } from '../../vault/parameters.ts';
import type { ForwardOptions } from '../options.ts';
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
  /** On-disk form of the name at hand. */
  readonly codec: NameCodec;
  /** The second name of rename and link. */
  readonly otherCodec: NameCodec;
  readonly nodes: Nodes;
  readonly dirs: DirSlots;
  readonly openFiles: OpenFiles;
  readonly handles: Handles;
  readonly counters: Counters;
  /** STAT_FIELDS numbers. */
  readonly stat: Float64Array;
  readonly slowCalls: SlowCalls;
}
