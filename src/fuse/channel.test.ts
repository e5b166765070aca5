import { describe, expect, it } from 'vitest';
import { Errno } from '../base/errno.ts';
import { deviceChannel } from './channel.ts';

/** System calls that answer from a list. */
function scripted(answers: number[]) {
  const calls: string[] = [];
  const next = (name: string) => () => {
    calls.push(name);
    return answers.shift() ?? 0;
  };
  return { calls, sys: { read: next('read'), write: next('write'), pollIn: () => calls.push('poll') } };
}

const buffer = new Uint8Array(16);

describe('reading the device', () => {
  it('retries EINTR and ENOENT, and EAGAIN after a wait', () => {
    const { calls, sys } = scripted([-Errno.EINTR, -Errno.ENOENT, -Errno.EAGAIN, 48]);
    expect(deviceChannel(sys, 3).read(buffer)).toBe(48);
    expect(calls).toEqual(['read', 'read', 'read', 'poll', 'read']);
  });

  it('passes ENODEV and real errors on; end of file is the end of the session', () => {
    expect(deviceChannel(scripted([-Errno.ENODEV]).sys, 3).read(buffer)).toBe(-Errno.ENODEV);
    expect(deviceChannel(scripted([-Errno.EIO]).sys, 3).read(buffer)).toBe(-Errno.EIO);
    expect(deviceChannel(scripted([0]).sys, 3).read(buffer)).toBe(-Errno.ENODEV);
  });
});

describe('writing replies', () => {
  it('retries EINTR and EAGAIN, forgets replies nobody waits for', () => {
    const { calls, sys } = scripted([-Errno.EINTR, -Errno.EAGAIN, 16]);
    expect(deviceChannel(sys, 3).write(buffer, 16)).toBe(0);
    expect(calls.length).toBe(3);
    expect(deviceChannel(scripted([-Errno.ENOENT]).sys, 3).write(buffer, 16)).toBe(0);
    expect(deviceChannel(scripted([-Errno.ENODEV]).sys, 3).write(buffer, 16)).toBe(0);
  });

  it('passes on that the kernel refused a reply', () => {
    expect(deviceChannel(scripted([-Errno.EINVAL]).sys, 3).write(buffer, 16)).toBe(-Errno.EINVAL);
  });
});
