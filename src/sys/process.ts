/** The process as a whole. */
import { type NativeSys, native } from '../native.ts';

/** Sets the file mode mask and returns the old one. */
export const umask: NativeSys['umask'] = native.sys.umask;
/** Starts a session of its own; −EPERM for the leader of a process group. */
export const setsid: NativeSys['setsid'] = native.sys.setsid;
/** Process id of the parent. */
export const getppid: NativeSys['getppid'] = native.sys.getppid;
/** Sends a signal; signal 0 only asks whether the process exists. */
export const kill: NativeSys['kill'] = native.sys.kill;
/** Soft and hard limit of open files. */
export const getNofile: NativeSys['getNofile'] = native.sys.getNofile;
/** Sets the soft limit of open files; −EPERM or −EINVAL above the hard one. */
export const setNofile: NativeSys['setNofile'] = native.sys.setNofile;
/** No core dump and no tracing by other processes of the same user. */
export const setUndumpable: NativeSys['setUndumpable'] = native.sys.setUndumpable;
/** Ends the process at once, even while other threads block; nothing is flushed. */
export const exitNow: NativeSys['exitNow'] = native.sys.exitNow;
/** Becomes another program, with default signal handling; returns only on failure. */
export const execve: NativeSys['execve'] = native.sys.execve;
