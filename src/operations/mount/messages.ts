/** What the main thread and its workers tell each other. */
import type { ForwardOptions, ReverseOptions } from '../../filesystem/options.ts';
import type { Negotiated } from '../../fuse/index.ts';
import type { VaultParameters } from '../../vault/parameters.ts';
import type { ProfileFiles } from '../profile/thread-profile.ts';

/** What is served, with the options that decide how. */
export type ViewChoice =
  | { readonly kind: 'forward'; readonly options: ForwardOptions }
  | { readonly kind: 'reverse'; readonly options: ReverseOptions };

/** To a worker: serve. Everything here is shared or can be cloned. */
export interface ServeCommand {
  readonly fd: number;
  readonly negotiated: Negotiated;
  /** Number of this worker, from 0. */
  readonly index: number;
  readonly parameters: VaultParameters;
  readonly view: ViewChoice;
  readonly shared: SharedArrayBuffer;
  readonly fuseDebug: boolean;
  /** Of the main thread. */
  readonly profileFiles: ProfileFiles;
}

/** Given to a worker when it starts. */
export interface WorkerStart {
  /** Shared word of ReportFlag bits. */
  readonly control: Int32Array;
}

/** From a worker. */
export type WorkerReport =
  /** It is about to take requests. */
  | { readonly kind: 'ready' }
  /** Every worker is held up by a slow request. */
  | { readonly kind: 'exhausted' }
  /** The session is over for this worker; `result` is 0 or a negated errno of the device. */
  | { readonly kind: 'ended'; readonly result: number };
