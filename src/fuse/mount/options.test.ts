import { describe, expect, it } from 'vitest';
import { MS_NODEV, MS_NOEXEC, MS_NOSUID, MS_RDONLY } from '../../sys/constants.ts';
import { directOptions, helperOptions, type MountRequest } from './options.ts';

function request(...options: string[]): MountRequest {
  return { mountpoint: '/m', fsType: 'fuse.aegisfs', source: '/vault', options };
}

describe('for mount(2)', () => {
  it('nosuid and nodev hold unless lifted', () => {
    expect(directOptions(request())).toEqual({ source: '/vault', fsType: 'fuse.aegisfs', flags: MS_NOSUID | MS_NODEV, data: [] });
    expect(directOptions(request('suid')).flags).toBe(MS_NODEV);
    expect(directOptions(request('dev', 'suid')).flags).toBe(0);
    expect(directOptions(request('dev', 'nodev', 'suid', 'nosuid')).flags).toBe(MS_NOSUID | MS_NODEV);
  });

  it('the last of two opposite words wins', () => {
    expect(directOptions(request('ro', 'rw')).flags & MS_RDONLY).toBe(0);
    expect(directOptions(request('rw', 'ro')).flags & MS_RDONLY).toBe(MS_RDONLY);
    expect(directOptions(request('noexec')).flags & MS_NOEXEC).toBe(MS_NOEXEC);
    expect(directOptions(request('noexec', 'exec')).flags & MS_NOEXEC).toBe(0);
  });

  it('the rest goes to the filesystem, in order; words for the helper do not', () => {
    const items = ['allow_other', 'default_permissions', '', 'nonempty', 'max_read=131072', 'ro', 'max_read=4096', 'unknown'];
    expect(directOptions(request(...items)).data).toEqual([
      'allow_other',
      'default_permissions',
      'max_read=131072',
      'max_read=4096',
      'unknown',
    ]);
  });

  it('names and contexts', () => {
    const result = directOptions(request('fsname=other', 'subtype=x', 'context=a:s0:c1,c2', 'fscontext="b,c"', 'defcontext=d'));
    expect(result).toMatchObject({ source: 'other', fsType: 'fuse.x' });
    expect(result.data).toEqual(['context="a:s0:c1,c2"', 'fscontext="b,c"', 'defcontext=d']);
  });
});

describe('for the helper', () => {
  it('is one list, special characters escaped', () => {
    const list = helperOptions({ ...request('ro', 'max_read=5', '', 'context=a,b'), source: 'C:\\x' }, true);
    expect(list).toBe('fsname=C:\\\\x,subtype=aegisfs,nosuid,nodev,ro,max_read=5,context=a\\,b');
  });

  it('suid and dev are for root', () => {
    expect(helperOptions(request('suid', 'dev', 'rw'), true)).toBe('fsname=/vault,subtype=aegisfs,nosuid,nodev,suid,dev,rw');
    expect(helperOptions(request('suid', 'dev', 'rw'), false)).toBe('fsname=/vault,subtype=aegisfs,nosuid,nodev,rw');
  });
});
