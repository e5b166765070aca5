/** What may be mounted where (behaviour.md 5.1). */

import fs from 'node:fs';
import path from 'node:path';
import { fsPath } from '../../base/byte-text.ts';
import { AegisError } from '../../base/errors.ts';
import { directoryObjection } from '../directories.ts';
import { errnoText } from '../errno-text.ts';

const INHERITED_DEVICE = '/dev/fd/';

/** True if the mountpoint names an inherited descriptor of a filesystem that somebody else has mounted. */
export function isInheritedDevice(mountpoint: string): boolean {
  return mountpoint.startsWith(INHERITED_DEVICE);
}

/** Number of the inherited descriptor. @throws AegisError `mountpoint` */
export function inheritedDeviceFd(mountpoint: string): number {
  const fd = mountpoint.slice(INHERITED_DEVICE.length);
  if (!/^[0-9]+$/.test(fd)) {
    throw new AegisError('mountpoint', `Invalid mountpoint: ${mountpoint} is not a file descriptor`);
  }
  return Number(fd);
}

/**
 * Checks an absolute mountpoint against an absolute CIPHERDIR.
 * @throws AegisError `mountpoint`
 */
export function checkMountpoint(cipherdir: string, mountpoint: string, nonempty: boolean): void {
  if (isSameOrBelow(cipherdir, mountpoint)) {
    throw new AegisError('mountpoint', `Mountpoint "${mountpoint}" would shadow cipherdir "${cipherdir}", this is not supported`);
  }
  if (isSameOrBelow(mountpoint, cipherdir)) {
    throw new AegisError('mountpoint', `Mountpoint "${mountpoint}" is contained in cipherdir "${cipherdir}", this is not supported`);
  }
  if (!nonempty && isInheritedDevice(mountpoint)) {
    return;
  }
  const objection = nonempty ? directoryObjection(mountpoint) : emptyDirectoryObjection(mountpoint);
  if (objection !== undefined) {
    throw new AegisError('mountpoint', `Invalid mountpoint: ${objection}`);
  }
}

/** True if `inner` is `outer` or lies below it; both absolute and clean. */
function isSameOrBelow(inner: string, outer: string): boolean {
  return inner === outer || inner.startsWith(outer.endsWith(path.sep) ? outer : `${outer}${path.sep}`);
}

function emptyDirectoryObjection(directory: string): string | undefined {
  const objection = directoryObjection(directory);
  if (objection !== undefined) {
    return objection;
  }
  try {
    return fs.readdirSync(fsPath(directory)).length === 0 ? undefined : `directory ${directory} not empty`;
  } catch (error) {
    return `open ${directory}: ${errnoText(error)}`;
  }
}
