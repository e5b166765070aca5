import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordingReporter } from '../../tests/support/reporter.ts';
import { defaultConfigPath, readConfigFile, writeConfigFile } from './config-file.ts';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'config-file-'));
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true });
});

function code(action: () => unknown): { code?: string; message?: string } {
  try {
    action();
  } catch (error) {
    const { code: thrown, message } = error as Error & { code: string };
    return { code: thrown, message };
  }
  return {};
}

describe('readConfigFile', () => {
  it('reads a pipe that delivers in pieces, once and without seeking', () => {
    const fifo = path.join(folder, 'fifo');
    spawnSync('mkfifo', [fifo]);
    const writer = spawn('sh', ['-c', 'exec > "$0"; printf one; sleep .1; printf two', fifo]);
    expect(readConfigFile(fifo).toString()).toBe('onetwo');
    writer.kill();
  });
  it('tells a missing, an unreadable and an empty file apart', () => {
    const missing = path.join(folder, 'missing');
    expect(code(() => readConfigFile(missing))).toEqual({ code: 'config-open', message: `open ${missing}: no such file or directory` });
    expect(code(() => readConfigFile(folder))).toEqual({ code: 'config-open', message: `read ${folder}: is a directory` });
    fs.writeFileSync(missing, '');
    expect(code(() => readConfigFile(missing))).toEqual({ code: 'config-empty', message: 'config file is empty' });
  });
  it('stops at a device that never ends', () => {
    expect(code(() => readConfigFile('/dev/zero')).code).toBe('config-open');
  });
});

describe('writeConfigFile', () => {
  it('replaces the file, mode 0400, and leaves no temporary file', () => {
    const file = path.join(folder, 'gocryptfs.conf');
    const { lines, ...log } = recordingReporter();
    writeConfigFile(file, 'old', log);
    const before = fs.statSync(file);
    writeConfigFile(file, 'new', log);
    expect(fs.readFileSync(file, 'utf8')).toBe('new');
    expect(fs.statSync(file).mode & 0o7777).toBe(0o400);
    expect(fs.statSync(file).ino).not.toBe(before.ino);
    expect(fs.readdirSync(folder)).toEqual(['gocryptfs.conf']);
    expect(lines).toEqual([]);
  });
  it('leaves no temporary file behind when it cannot be put in place', () => {
    const file = path.join(folder, 'c');
    fs.mkdirSync(file);
    expect(code(() => writeConfigFile(file, 'new', recordingReporter()))).toMatchObject({ code: 'config-write' });
    expect(fs.readdirSync(folder)).toEqual(['c']);
  });

  it('touches nothing if a temporary file is left over', () => {
    const file = path.join(folder, 'c');
    fs.writeFileSync(file, 'old');
    fs.writeFileSync(`${file}.tmp`, 'left');
    expect(code(() => writeConfigFile(file, 'new', recordingReporter()))).toEqual({
      code: 'config-write',
      message: `open ${file}.tmp: file exists`,
    });
    expect(fs.readFileSync(file, 'utf8')).toBe('old');
    expect(fs.readFileSync(`${file}.tmp`, 'utf8')).toBe('left');
  });
});

it('defaultConfigPath depends on the direction', () => {
  expect(defaultConfigPath('/c', false)).toBe('/c/gocryptfs.conf');
  expect(defaultConfigPath('/c', true)).toBe('/c/.gocryptfs.reverse.conf');
});
