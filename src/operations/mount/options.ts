/** How a vault is mounted, settled by the command line (behaviour.md 1.6). */

import type { Reporter } from '../../base/reporter.ts';
import type { ProfileFiles } from '../profile/thread-profile.ts';
import type { UnlockOptions } from '../unlock.ts';

/** An owner shown for everything. */
export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** Where the patterns of what a reverse view hides come from (behaviour.md 7.6). */
export interface ExclusionOptions {
  /** -exclude: paths from the root. */
  readonly paths: readonly string[];
  /** -exclude-wildcard. */
  readonly wildcards: readonly string[];
  /** -exclude-from: files with one pattern a line. */
  readonly files: readonly string[];
}

/** Everything that decides a mount. */
export interface MountOptions {
  /** Name for the system log. */
  readonly program: string;
  /** Absolute. */
  readonly cipherdir: string;
  /** Absolute, or `/dev/fd/N`. */
  readonly mountpoint: string;
  readonly unlock: UnlockOptions;
  readonly reverse: boolean;
  /** -config was given. */
  readonly customConfig: boolean;
  /** What a reverse view hides. */
  readonly exclusions: ExclusionOptions;
  readonly oneFileSystem: boolean;
  readonly nonempty: boolean;
  readonly allowOther: boolean;
  readonly forceOwner: Owner | null;
  readonly acl: boolean;
  readonly noXattr: boolean;
  readonly readOnly: boolean;
  readonly readWrite: boolean;
  readonly suid: boolean;
  readonly dev: boolean;
  /** null: neither -exec nor -noexec. */
  readonly exec: boolean | null;
  /** Further items for the kernel. */
  readonly kernelOptions: readonly string[];
  /** Empty: CIPHERDIR. */
  readonly fsName: string;
  /** SELinux context, or empty. */
  readonly context: string;
  readonly kernelCache: boolean;
  readonly sharedStorage: boolean;
  readonly serializeReads: boolean;
  readonly noPrealloc: boolean;
  /** Nanoseconds; 0 = never. */
  readonly idleNs: number;
  readonly badNamePatterns: readonly string[];
  readonly fuseDebug: boolean;
  /** Process that waits for SIGUSR1, or 0. */
  readonly notifyPid: number;
  readonly noSyslog: boolean;
  /** Where the main thread writes its profiles. */
  readonly profileFiles: ProfileFiles;
  /** Absolute path of the control socket, or empty. */
  readonly controlSocket: string;
}

/** What the program around gives to a mount. */
export interface MountHost {
  readonly log: Reporter;
  /** Word of ReportFlag bits, in shared memory. */
  readonly control: Int32Array;
  /** Bundle that worker threads run. */
  readonly workerFile: string;
  /** Takes the calls that the reporter of the main thread needs from now on. */
  connect(calls: { syslog(priority: number, message: string): void; exitNow(code: number): void }): void;
}

/** How a mount ended. */
export type MountEnd = 'unmounted' | 'interrupted';
