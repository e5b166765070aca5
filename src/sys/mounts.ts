/** Mounting, and descriptors handed over by another process. Source: mount(2), umount2(2), unix(7), linux/fuse.h. */
import { type NativeSys, native } from '../native.ts';

/** Attaches a filesystem; `data` is the comma-separated list of the filesystem itself. */
export const mount: NativeSys['mount'] = native.sys.mount;
/** Detaches a filesystem (MNT_DETACH: as soon as it is no longer in use). */
export const umount2: NativeSys['umount2'] = native.sys.umount2;
/** Two connected sockets, or a negated errno. */
export const socketpair: NativeSys['socketpair'] = native.sys.socketpair;
/** Receives one descriptor over a socket; −EPROTO if the sender ended without one. */
export const recvFd: NativeSys['recvFd'] = native.sys.recvFd;
/** A further descriptor of the FUSE connection behind the given one. */
export const fuseClone: NativeSys['fuseClone'] = native.sys.fuseClone;
