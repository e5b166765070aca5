import type { Logger } from '../base/log.ts';
import type { VaultParameters } from '../vault/parameters.ts';

/** How a vault is shown; structured-clonable, the same for every worker. */
export interface ForwardOptions {
  /** O_PATH descriptor of CIPHERDIR, opened by the main thread and shared by all. */
  readonly rootFd: number;
  /** Create objects as the calling user: root with -allow_other and without -force_owner (behaviour.md 6.3). */
  readonly createAsCaller: boolean;
  /** Shown owner of everything, or null (behaviour.md 5.5). */
  readonly forceOwner: { readonly uid: number; readonly gid: number } | null;
  readonly sharedStorage: boolean;
  /** -noprealloc, or a copy-on-write Btrfs (behaviour.md 6.9). */
  readonly noPrealloc: boolean;
  /** The backing store can report a failed write at close(2), as network and FUSE filesystems do; false saves the FLUSH requests. */
  readonly closeReportsErrors: boolean;
  readonly noXattr: boolean;
  /** -suid: security.capability is readable. */
  readonly suid: boolean;
  readonly kernelCache: boolean;
  /** default_permissions is in force, so ACCESS is answered by the kernel. */
  readonly defaultPermissions: boolean;
  /** -badname patterns (behaviour.md 6.5). */
  readonly badNamePatterns: readonly string[];
}

/** Everything a worker needs to serve a forward view. */
export interface ForwardSetup {
  readonly parameters: VaultParameters;
  readonly options: ForwardOptions;
  /** Made by createForwardShared in the main thread. */
  readonly shared: SharedArrayBuffer;
  readonly log: Logger;
}

/** How a plain folder is shown encrypted; structured-clonable, the same for every worker. */
export interface ReverseOptions extends Pick<ForwardOptions, 'rootFd' | 'forceOwner' | 'sharedStorage' | 'noXattr' | 'kernelCache'> {
  /** `.gocryptfs.reverse.conf` in the root is shown as `gocryptfs.conf`: unless -config was given (behaviour.md 7.3). */
  readonly mapConfig: boolean;
  /** -one-file-system: directories on other devices are shown empty. */
  readonly oneFileSystem: boolean;
  /** Patterns of what is hidden, in the order in which they count (behaviour.md 7.6). */
  readonly exclude: readonly string[];
}

/** Everything a worker needs to serve a reverse view; `shared` is made as for a forward view. */
export interface ReverseSetup {
  readonly parameters: VaultParameters;
  readonly options: ReverseOptions;
  readonly shared: SharedArrayBuffer;
  readonly log: Logger;
}
