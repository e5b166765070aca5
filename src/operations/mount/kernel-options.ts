/** The mount request for kernel or fusermount (behaviour.md 5.2). */
import type { Reporter } from '../../base/reporter.ts';
import { MAX_IO } from '../../fuse/index.ts';
import { isHelperVersion2 } from '../../fuse/mount/helper.ts';
import type { MountRequest } from '../../fuse/mount/options.ts';
import type { MountOptions } from './options.ts';

/** Type in the mount table. It names the vault format, so that fstab entries and tools for gocryptfs find the mount. */
const FS_TYPE = 'fuse.gocryptfs';

/** What the mount needs from the mounter. `readOnly` counts in what the backing filesystem demands. */
export function mountRequest(options: MountOptions, readOnly: boolean, log: Reporter): MountRequest {
  return {
    mountpoint: options.mountpoint,
    fsType: options.reverse ? `${FS_TYPE}-reverse` : FS_TYPE,
    source: sourceName(options, log),
    options: [...accessItems(options), ...flagItems(options, readOnly), ...nonemptyItem(options, log), ...options.kernelOptions],
  };
}

function sourceName(options: MountOptions, log: Reporter): string {
  const wanted = options.fsName === '' ? options.cipherdir : options.fsName;
  const shown = wanted.replaceAll(',', '_');
  if (shown !== wanted) {
    log.warn(`Warning: "${wanted}" will be displayed as "${shown}" in "df -T"`);
  }
  return shown;
}

function accessItems(options: MountOptions): string[] {
  const items = [`max_read=${MAX_IO}`];
  if (options.allowOther) {
    items.push('allow_other', 'default_permissions');
  }
  if (options.context !== '') {
    items.push(`context=${options.context}`);
  }
  return items;
}

function flagItems(options: MountOptions, readOnly: boolean): string[] {
  const items: string[] = [];
  if (readOnly || options.readWrite) {
    items.push(readOnly ? 'ro' : 'rw');
  }
  if (options.suid) {
    items.push('suid');
  }
  if (options.dev) {
    items.push('dev');
  }
  if (options.exec !== null) {
    items.push(options.exec ? 'exec' : 'noexec');
  }
  return items;
}

/** Only the helper of libfuse 2 wants to be told; the others do not mind. */
function nonemptyItem(options: MountOptions, log: Reporter): string[] {
  if (!options.nonempty || process.geteuid?.() === 0) {
    return [];
  }
  const isOld = isHelperVersion2();
  if (typeof isOld === 'object') {
    log.warn(`warning: haveFusermount2: ${isOld.error}`);
    return [];
  }
  return isOld ? ['nonempty'] : [];
}
