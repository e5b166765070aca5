/** The main thread of a mount: prepares everything, then only supervises (behaviour.md 5). */

import { errnoName } from '../../base/errno.ts';
import { AegisError } from '../../base/errors.ts';
import type { Reporter } from '../../base/reporter.ts';
import { kernel } from '../../crypto/kernel.ts';
import { createForwardShared, ForwardSupervisor } from '../../filesystem/forward/shared-state.ts';
import type { ForwardOptions, ReverseOptions } from '../../filesystem/options.ts';
import { deviceChannel, handshake, type Negotiated } from '../../fuse/index.ts';
import { mountFuse } from '../../fuse/mount/mount.ts';
import { unmountWithRetries } from '../../fuse/mount/unmount.ts';
import { native } from '../../native.ts';
import { exitNow, getNofile, setNofile, setUndumpable } from '../../sys/process.ts';
import { syslog } from '../../sys/syslog.ts';
import type { VaultParameters } from '../../vault/parameters.ts';
import { ForwardPaths } from '../control-socket/forward-paths.ts';
import { ReversePaths } from '../control-socket/reverse-paths.ts';
import type { ControlSocket } from '../control-socket/server.ts';
import { unlockVault } from '../unlock.ts';
import { type Backing, openBacking } from './backing.ts';
import { detach } from './daemonize.ts';
import { readExclusions } from './exclusions.ts';
import { startIdleMonitor } from './idle.ts';
import { mountRequest } from './kernel-options.ts';
import type { ViewChoice } from './messages.ts';
import { checkMountpoint } from './mountpoint.ts';
import type { MountEnd, MountHost, MountOptions } from './options.ts';
import { stopMount } from './stop.ts';
import { WorkerPool } from './worker-pool.ts';

const MIN_OPEN_FILES = 4096;
const TRIM_INTERVAL_MS = 10_000;
/** Together with the interval this is the minute after which nothing may keep a directory busy (behaviour.md 5.10). */
const DIRECTORY_AGE_MS = 50_000;
const ALLOW_OTHER_NOTE = 'The option "-allow_other" is set. Make sure the file permissions protect your data from unwanted access.';

/**
 * Mounts a vault and serves it until it is unmounted or a signal ends it.
 * @returns how it ended; keys are wiped then, but threads may still be blocked, so the process must end without waiting for them
 * @throws AegisError with the code of whatever failed before the mount was there
 */
export async function mountVault(options: MountOptions, host: MountHost): Promise<MountEnd> {
  const { log } = host;
  checkMountpoint(options.cipherdir, options.mountpoint, options.nonempty);
  setUndumpable();
  host.connect({ syslog, exitNow });
  const socket = await openControlSocket(options.controlSocket, log);
  try {
    return await unlockAndServe(options, host, socket);
  } finally {
    socket?.close();
    kernel.keysWipe();
  }
}

/** Made before anybody is asked for a secret; its module is loaded only if it is wanted. @throws AegisError `ctlsock` */
async function openControlSocket(file: string, log: Reporter): Promise<ControlSocket | null> {
  if (file === '') {
    return null;
  }
  const { ControlSocket } = await import('../control-socket/server.ts');
  return ControlSocket.open(file, log);
}

async function unlockAndServe(options: MountOptions, host: MountHost, socket: ControlSocket | null): Promise<MountEnd> {
  const { log } = host;
  const pool = new WorkerPool(host.workerFile, host.control, log);
  const { parameters } = await unlockVault(options.unlock, log);
  if (options.reverse && parameters.cipher !== 'aes-siv') {
    throw new AegisError('usage', 'AES-SIV is required by reverse mode, but not enabled in the config file');
  }
  const backing = openBacking(options, log);
  raiseOpenFileLimit(log);
  if (options.allowOther) {
    log.info(ALLOW_OTHER_NOTE, 'caution');
  }
  const view = chooseView(options, backing);
  socket?.serve(new (options.reverse ? ReversePaths : ForwardPaths)(parameters, backing.rootFd));
  return serve(options, host, pool, parameters, backing, view);
}

async function serve(
  options: MountOptions,
  host: MountHost,
  pool: WorkerPool,
  parameters: VaultParameters,
  backing: Backing,
  view: ViewChoice,
): Promise<MountEnd> {
  const { log } = host;
  const shared = createForwardShared(backing.rootFd);
  const interrupted = onEndingSignal();
  const { fd, negotiated } = connectKernel(options, backing, log);
  await pool.serve({
    fd,
    negotiated,
    parameters,
    view,
    shared,
    fuseDebug: options.fuseDebug,
    profileFiles: options.profileFiles,
  });
  log.info('Filesystem mounted and ready.', 'good');
  if (options.notifyPid > 0) {
    detach(options, host);
  }
  pool.addStandbys();
  const supervisor = new ForwardSupervisor({ parameters, shared, log });
  const stopIdle = watchIdle(options, supervisor, log);
  const trimTimer = setInterval(() => supervisor.trim(DIRECTORY_AGE_MS), TRIM_INTERVAL_MS);
  try {
    const first = await Promise.race([pool.ended, interrupted]);
    if (first === 'interrupted') {
      if (stopMount(options.mountpoint, log)) {
        await pool.ended;
      }
      return 'interrupted';
    }
    if (first !== 0) {
      stopMount(options.mountpoint, log);
      throw new AegisError('fuse', `the FUSE device failed: ${errnoName(first)}`);
    }
    return 'unmounted';
  } finally {
    stopIdle();
    clearInterval(trimTimer);
  }
}

/** Mounts and agrees with the kernel on what the session can do. @throws AegisError `fuse` */
function connectKernel(options: MountOptions, backing: Backing, log: Reporter): { fd: number; negotiated: Negotiated } {
  const mounted = mountFuse(mountRequest(options, backing.readOnly, log));
  if ('error' in mounted) {
    throw new AegisError('fuse', `fs.Mount failed: ${mounted.error}`);
  }
  // The kernel has applied the caller's mask to every mode it sends.
  process.umask(0);
  const { fd } = mounted;
  const negotiated = handshake(deviceChannel(native.sys, fd), { serializeReads: options.serializeReads, posixAcl: options.acl }, log);
  if ('error' in negotiated) {
    stopMount(options.mountpoint, log);
    throw new AegisError('fuse', `fs.Mount failed: ${negotiated.message}`);
  }
  const { minor, flags, flags2 } = negotiated;
  log.debug(`FUSE protocol 7.${minor}, capabilities 0x${flags.toString(16)} 0x${flags2.toString(16)}`);
  return { fd, negotiated };
}

/** From now on SIGINT and SIGTERM unmount. */
function onEndingSignal(): Promise<'interrupted'> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.on(signal, () => resolve('interrupted'));
    }
  });
}

function chooseView(options: MountOptions, backing: Backing): ViewChoice {
  if (options.reverse) {
    return { kind: 'reverse', options: reverseOptions(options, backing) };
  }
  return { kind: 'forward', options: forwardOptions(options, backing) };
}

function reverseOptions(options: MountOptions, backing: Backing): ReverseOptions {
  return {
    rootFd: backing.rootFd,
    forceOwner: options.forceOwner,
    sharedStorage: options.sharedStorage,
    noXattr: options.noXattr,
    kernelCache: options.kernelCache,
    mapConfig: !options.customConfig,
    oneFileSystem: options.oneFileSystem,
    exclude: readExclusions(options.exclusions),
  };
}

function forwardOptions(options: MountOptions, backing: Backing): ForwardOptions {
  return {
    rootFd: backing.rootFd,
    createAsCaller: process.geteuid?.() === 0 && options.allowOther && options.forceOwner === null,
    forceOwner: options.forceOwner,
    sharedStorage: options.sharedStorage,
    noPrealloc: backing.noPrealloc,
    closeReportsErrors: backing.closeReportsErrors,
    noXattr: options.noXattr,
    suid: options.suid,
    kernelCache: options.kernelCache,
    defaultPermissions: options.allowOther || options.acl,
    badNamePatterns: options.badNamePatterns,
  };
}

function raiseOpenFileLimit(log: Reporter): void {
  const [soft] = getNofile();
  if (soft >= MIN_OPEN_FILES) {
    return;
  }
  const result = setNofile(MIN_OPEN_FILES);
  if (result < 0) {
    log.warn(`Setting RLIMIT_NOFILE to ${MIN_OPEN_FILES} failed: ${errnoName(result)}`);
  }
}

function watchIdle(options: MountOptions, supervisor: ForwardSupervisor, log: Reporter): () => void {
  if (options.idleNs === 0 || options.reverse) {
    return () => {};
  }
  const subject = {
    mountpoint: options.mountpoint,
    isBusy: () => supervisor.takeBusy(),
    unmount: () => unmountWithRetries(options.mountpoint),
  };
  return startIdleMonitor(options.idleNs, subject, log);
}
