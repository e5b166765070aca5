/** Mounting a FUSE filesystem. The handshake (INIT) is the caller's business. Source: behaviour.md 5.2, linux/fuse.h. */

import { statSync } from 'node:fs';
import { fsPath } from '../../base/byte-text.ts';
import { Errno, errnoName } from '../../base/errno.ts';
import { openat } from '../../sys/at.ts';
import { AT_FDCWD, O_RDWR, S_IFCHR, S_IFMT } from '../../sys/constants.ts';
import { close, setCloexec } from '../../sys/files.ts';
import { mount } from '../../sys/mounts.ts';
import { fstat, STAT_FIELDS, Stat } from '../../sys/stat.ts';
import { findHelper, mountByHelper, NO_HELPER } from './helper.ts';
import { directOptions, type MountRequest } from './options.ts';

/** An open connection to the kernel, or one line that says why there is none. */
export type MountResult =
  | {
      /** Descriptor of /dev/fuse, close-on-exec. */
      fd: number;
      /** False for the `/dev/fd/N` form: somebody else has mounted and will unmount. */
      mounted: boolean;
    }
  | { error: string };

/** Device number of /dev/fuse, 10:229, in the encoding of stat. Source: Documentation/admin-guide/devices.txt. */
const FUSE_RDEV = (10 << 8) | 229;

const NO_DEVICE =
  '/dev/fuse does not exist: load the module with "modprobe fuse", or give a container the device (docker run --device /dev/fuse --cap-add SYS_ADMIN)';

/** The descriptor number of a mount point of the form `/dev/fd/N`, or −1. */
export function inheritedDescriptor(mountpoint: string): number {
  const match = /^\/dev\/fd\/(\d{1,9})$/.exec(mountpoint);
  return match === null ? -1 : Number(match[1]);
}

function takeInherited(fd: number): MountResult {
  const stat = new Float64Array(STAT_FIELDS);
  const error = fstat(fd, stat);
  if (error < 0) return { error: `/dev/fd/${fd} is not an inherited descriptor: ${errnoName(error)}` };
  if ((stat[Stat.mode]! & S_IFMT) !== S_IFCHR || stat[Stat.rdev] !== FUSE_RDEV) {
    return { error: `/dev/fd/${fd} is not a descriptor of /dev/fuse` };
  }
  setCloexec(fd, true);
  return { fd, mounted: false };
}

function openDevice(): number {
  return openat(AT_FDCWD, Buffer.from('/dev/fuse\0'), 0, O_RDWR, 0);
}

function isMissingDevice(errno: number): boolean {
  return errno === -Errno.ENOENT || errno === -Errno.ENODEV || errno === -Errno.ENXIO;
}

/** mount(2) without a helper. `isFinal`: the helper would fail for the same reason. */
function mountDirectly(request: MountRequest): { fd: number } | { error: string; isFinal: boolean } {
  let rootMode: number;
  try {
    rootMode = statSync(fsPath(request.mountpoint)).mode & S_IFMT;
  } catch (error) {
    return { error: (error as Error).message, isFinal: true };
  }
  const fd = openDevice();
  if (fd < 0) {
    return isMissingDevice(fd) ? { error: NO_DEVICE, isFinal: true } : { error: `cannot open /dev/fuse: ${errnoName(fd)}`, isFinal: false };
  }
  const { source, fsType, flags, data } = directOptions(request);
  const own = [`fd=${fd}`, `rootmode=${rootMode.toString(8)}`, `user_id=${process.getuid?.() ?? 0}`, `group_id=${process.getgid?.() ?? 0}`];
  const error = mount(source, request.mountpoint, fsType, flags, [...own, ...data].join(','));
  if (error === 0) return { fd };
  close(fd);
  const reason = error === -Errno.ENODEV ? 'the kernel has no FUSE: load the module with "modprobe fuse"' : errnoName(error);
  return { error: `mount(2): ${reason}`, isFinal: false };
}

function isDeviceMissing(): boolean {
  try {
    statSync('/dev/fuse');
    return false;
  } catch {
    return true;
  }
}

/**
 * Mounts as root with mount(2), else through fusermount3 or fusermount. A mount point `/dev/fd/N` is taken as it is: mount(2) on it
 * would cover the device node itself.
 */
export function mountFuse(request: MountRequest): MountResult {
  const inherited = inheritedDescriptor(request.mountpoint);
  if (inherited >= 0) return takeInherited(inherited);
  let directError = '';
  if (process.geteuid?.() === 0) {
    const direct = mountDirectly(request);
    if ('fd' in direct) return { fd: direct.fd, mounted: true };
    if (direct.isFinal) return { error: direct.error };
    directError = direct.error;
  } else if (isDeviceMissing()) {
    return { error: NO_DEVICE };
  }
  const helper = findHelper();
  // As root the helper could do no more than mount(2): its absence is not the news.
  if (helper === null) return { error: directError === '' ? NO_HELPER : directError };
  const result = mountByHelper(request, helper);
  if ('fd' in result) return { fd: result.fd, mounted: true };
  return { error: directError === '' ? result.error : `${directError}; ${result.error}` };
}
