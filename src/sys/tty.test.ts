import { describe, expect, it } from 'vitest';
import { Errno } from '../base/errno.ts';
import { O_NOCTTY, O_RDONLY, O_RDWR } from './constants.ts';
import { close, pollIn, read, write } from './files.ts';
import { open, testFolder } from './test-folder.ts';
import { isatty, setEcho } from './tty.ts';

const { dir } = testFolder();

describe('a pseudo terminal', () => {
  it('echoes only while echo is on', () => {
    const fd = open('/dev/ptmx', O_RDWR | O_NOCTTY);
    expect(isatty(fd)).toBe(true);
    const echoed = (): string => {
      const buffer = Buffer.alloc(16);
      write(fd, Buffer.from('ab'), 0, 2);
      return pollIn(fd, 50) === 1 ? buffer.toString('latin1', 0, read(fd, buffer, 0, 16)) : '';
    };
    expect(setEcho(fd, true)).toBe(1);
    expect(echoed()).toBe('ab');
    expect(setEcho(fd, false)).toBe(1);
    expect(echoed()).toBe('');
    expect(setEcho(fd, true)).toBe(0);
    expect(echoed()).toBe('ab');
    close(fd);
  });

  it('a folder is none', () => {
    const fd = open(dir, O_RDONLY);
    expect(isatty(fd)).toBe(false);
    expect(setEcho(fd, false)).toBe(-Errno.ENOTTY);
    close(fd);
    expect(isatty(-1)).toBe(false);
    expect(() => setEcho(0, 1 as unknown as boolean)).toThrow(TypeError);
  });
});
