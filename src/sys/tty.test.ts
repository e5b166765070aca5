import { spawnSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { Errno } from '../base/errno.ts';
import { O_NOCTTY, O_RDONLY, O_RDWR } from './constants.ts';
import { close } from './files.ts';
import { open, testFolder } from './test-folder.ts';
import { isatty, setEcho } from './tty.ts';

const { dir } = testFolder();

/** The words of stty(1) that are about echo, such as `-echo`. */
function sttyEcho(fd: number): string[] {
  const { stdout } = spawnSync('stty', ['-a'], { stdio: [fd, 'pipe', 'inherit'], encoding: 'utf8' });
  return stdout.split(/\s+/).filter((word) => /^-?(echo|icanon)$/.test(word));
}

describe('a pseudo terminal', () => {
  it('setEcho switches echo and nothing else, and returns the old state', () => {
    const fd = open('/dev/ptmx', O_RDWR | O_NOCTTY);
    expect(isatty(fd)).toBe(true);
    expect(setEcho(fd, true)).toBe(1);
    expect(sttyEcho(fd)).toEqual(['icanon', 'echo']);
    expect(setEcho(fd, false)).toBe(1);
    expect(sttyEcho(fd)).toEqual(['icanon', '-echo']);
    expect(setEcho(fd, false)).toBe(0);
    expect(setEcho(fd, true)).toBe(0);
    expect(sttyEcho(fd)).toEqual(['icanon', 'echo']);
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
