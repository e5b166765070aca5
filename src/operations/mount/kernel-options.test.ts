import { describe, expect, it } from 'vitest';
import { recordingReporter } from '../../../tests/support/reporter.ts';
import { mountRequest } from './kernel-options.ts';
import type { MountOptions } from './options.ts';

const PLAIN: MountOptions = {
  program: 'aegisfs',
  cipherdir: '/c',
  mountpoint: '/m',
  unlock: {
    configPath: '/c/gocryptfs.conf',
    secrets: { extpass: [], passfile: [], masterkey: '', zerokey: false, fido2: '' },
    vault: {
      cipherOptions: [],
      reverse: false,
      plaintextNames: false,
      deterministicNames: false,
      longNameMax: 255,
      longNames: true,
      raw64: true,
      hkdf: true,
    },
  },
  reverse: false,
  customConfig: false,
  exclusions: { paths: [], wildcards: [], files: [] },
  oneFileSystem: false,
  nonempty: false,
  allowOther: false,
  forceOwner: null,
  acl: false,
  noXattr: false,
  readOnly: false,
  readWrite: false,
  suid: false,
  dev: false,
  exec: null,
  kernelOptions: [],
  fsName: '',
  context: '',
  kernelCache: false,
  sharedStorage: false,
  serializeReads: false,
  noPrealloc: false,
  idleNs: 0,
  badNamePatterns: [],
  fuseDebug: false,
  notifyPid: 0,
  noSyslog: false,
  profileFiles: { cpu: '', memory: '' },
  controlSocket: '',
};

function items(changes: Partial<MountOptions>, readOnly = false): readonly string[] {
  return mountRequest({ ...PLAIN, ...changes }, readOnly, recordingReporter()).options;
}

describe('mountRequest (behaviour.md 5.2)', () => {
  it('names type and source', () => {
    const log = recordingReporter();
    expect(mountRequest(PLAIN, false, log)).toMatchObject({ mountpoint: '/m', fsType: 'fuse.gocryptfs', source: '/c' });
    expect(mountRequest({ ...PLAIN, reverse: true, fsName: 'x' }, true, log)).toMatchObject({
      fsType: 'fuse.gocryptfs-reverse',
      source: 'x',
    });
    expect(log.lines).toEqual([]);
    expect(mountRequest({ ...PLAIN, fsName: 'a,b,c' }, false, log).source).toBe('a_b_c');
    expect(log.lines).toEqual(['warn: Warning: "a,b,c" will be displayed as "a_b_c" in "df -T"']);
  });
  it.each<[Partial<MountOptions>, boolean, string[]]>([
    [{}, false, []],
    [{ allowOther: true }, false, ['allow_other', 'default_permissions']],
    [{ readWrite: true }, false, ['rw']],
    [{ readWrite: true }, true, ['ro']],
    [{ suid: true, dev: true, exec: true }, false, ['suid', 'dev', 'exec']],
    [{ exec: false }, true, ['ro', 'noexec']],
    [{ context: 'a:b:c0,c1' }, false, ['context=a:b:c0,c1']],
    [{ kernelOptions: ['ro', 'x=1'], readWrite: true }, false, ['rw', 'ro', 'x=1']],
  ])('%j, read-only %j', (changes, readOnly, expected) => {
    expect(items(changes, readOnly)).toEqual(['max_read=1048576', ...expected]);
  });
});
