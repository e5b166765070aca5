/** Mounting. */

import { fileURLToPath } from 'node:url';
import { mountVault } from '../../operations/mount/mount.ts';
import type { MountOptions } from '../../operations/mount/options.ts';
import { Exit } from '../exit-codes.ts';
import { absolutePath } from '../raw-words.ts';
import { unlockOptions } from './options.ts';
import type { VaultActionInput } from './vault.ts';

const INHERITED_DEVICE = '/dev/fd/';

/** Mounts a vault and serves it until the end. */
export async function mountAction(input: VaultActionInput): Promise<number> {
  const { output } = input;
  const end = await mountVault(mountOptions(input), {
    log: output.log,
    control: output.control,
    // Beside this bundle; an installed command starts from another folder.
    workerFile: fileURLToPath(new URL('worker.cjs', import.meta.url)),
    connect: output.connect,
  });
  return end === 'interrupted' ? Exit.Interrupted : Exit.Success;
}

function mountOptions(input: VaultActionInput): MountOptions {
  const { program, cipherdir, configPath, forceOwner } = input;
  const { values, positional } = input.line;
  const mountpoint = positional[1] ?? '';
  return {
    program,
    cipherdir,
    mountpoint: mountpoint.startsWith(INHERITED_DEVICE) ? mountpoint : absolutePath(mountpoint),
    unlock: unlockOptions(values, configPath),
    reverse: values.reverse,
    customConfig: values.config !== '',
    exclusions: { paths: values.exclude, wildcards: values['exclude-wildcard'], files: values['exclude-from'] },
    oneFileSystem: values['one-file-system'],
    nonempty: values.nonempty,
    allowOther: values.allow_other || forceOwner !== null,
    forceOwner,
    acl: values.acl,
    noXattr: values.noxattr,
    readOnly: values.ro,
    readWrite: values.rw,
    suid: values.suid && !values.nosuid,
    dev: values.dev && !values.nodev,
    exec: execChoice(values.exec, values.noexec),
    kernelOptions: values.ko.split(',').filter((item) => item !== ''),
    fsName: values.fsname,
    context: values.context,
    kernelCache: values.kernel_cache,
    sharedStorage: values.sharedstorage,
    serializeReads: values.serialize_reads,
    noPrealloc: values.noprealloc,
    idleNs: values.idle,
    badNamePatterns: values.badname,
    fuseDebug: values.fusedebug,
    notifyPid: values.notifypid,
    noSyslog: values.nosyslog,
    profileFiles: input.profileFiles,
    controlSocket: values.ctlsock === '' ? '' : absolutePath(values.ctlsock),
  };
}

function execChoice(exec: boolean, noexec: boolean): boolean | null {
  if (noexec) {
    return false;
  }
  return exec ? true : null;
}
