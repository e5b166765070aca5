import type { Actor } from '../support/actor.ts';

/** What a function of the suite works on. */
export interface Context {
  /** An empty folder of its own inside the filesystem, mode 0755, owned by root. */
  readonly root: string;
  /** Two processes of root, for calls that Node lacks and for what needs two processes. */
  readonly me: Actor;
  readonly other: Actor;
  /** Bytes a block of content grows by (0 on a bare folder). */
  readonly overhead: number;
}

/** A context on a filesystem that other users may enter. */
export interface SharedContext extends Context {
  /** A process of uid and gid 65534 without supplementary groups. */
  readonly user: Actor;
  /** A process of uid and gid 4001 that is also in group 4002. */
  readonly member: Actor;
}

/** One POSIX promise; throws if it is broken. The name says what is promised. */
export type Check = (t: Context) => void;
export type SharedCheck = (t: SharedContext) => void;
export type Subject = Record<string, Check>;
export type SharedSubject = Record<string, SharedCheck>;
