import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { recordingReporter } from '../../../tests/support/reporter.ts';
import { runExtpass } from './extpass.ts';
import { takeMasterKey } from './masterkey.ts';
import { readPassfiles } from './passfile.ts';
import { readSecretLine } from './read-line.ts';

let folder: string;
beforeEach(() => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), 'secrets-'));
});
afterEach(() => {
  fs.rmSync(folder, { recursive: true });
});

function file(content: string | Uint8Array, name = 'f'): string {
  const full = path.join(folder, name);
  fs.writeFileSync(full, content);
  return full;
}

function text(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('latin1');
}

const LONGEST = 'x'.repeat(2048);

describe('readSecretLine (behaviour.md 3.2)', () => {
  it('takes nothing behind the line feed', () => {
    const fd = fs.openSync(file('one\r\n\ntwo'), 'r');
    expect(text(readSecretLine(fd))).toBe('one\r');
    expect(text(readSecretLine(fd))).toBe('');
    expect(fs.readFileSync(fd, 'latin1')).toBe('two');
    fs.closeSync(fd);
  });
  it('takes any bytes, up to 2048', () => {
    const fd = fs.openSync(file(Buffer.concat([Buffer.from([0, 255, 32, 10]), Buffer.from(`${LONGEST}\n${LONGEST}y`)])), 'r');
    expect(Array.from(readSecretLine(fd))).toEqual([0, 255, 32]);
    expect(text(readSecretLine(fd))).toBe(LONGEST);
    expect(() => readSecretLine(fd)).toThrow('fatal: maximum password length of 2048 bytes exceeded');
    fs.closeSync(fd);
  });
});

describe('readPassfiles (behaviour.md 3.4)', () => {
  it('joins the first lines', () => {
    const log = recordingReporter();
    const files = [file('one\n', 'a'), file('two', 'b')];
    expect(text(readPassfiles(files, log))).toBe('onetwo');
    expect(log.lines).toEqual(files.map((name) => `info: passfile: reading from file "${name}"`));
  });
  it('warns about more than one line', () => {
    const log = recordingReporter();
    expect(text(readPassfiles([file('one\ntwo')], log))).toBe('one');
    expect(log.lines).toContain('warn: warning: passfile: ignoring trailing garbage after first line');
  });
  it('reads a pipe until the line feed', () => {
    const fifo = path.join(folder, 'fifo');
    spawnSync('mkfifo', [fifo]);
    const writer = spawn('sh', ['-c', 'exec > "$0"; printf on; sleep .1; printf "e\\n"; sleep .1', fifo]);
    expect(text(readPassfiles([fifo], recordingReporter()))).toBe('one');
    writer.kill();
  });
  it.each([
    ['', /^fatal: passfile: could not read from ".*": EOF$/],
    ['\n', /^fatal: passfile: empty first line in ".*"$/],
    [`${LONGEST}x`, /^fatal: passfile: max password length \(2048 bytes\) exceeded$/],
    [`${LONGEST}x\n`, /^fatal: passfile: max password length \(2048 bytes\) exceeded$/],
  ])('refuses %j', (content, message) => {
    expect(() => readPassfiles([file(content)], recordingReporter())).toThrow(message);
  });
  it('takes exactly 2048 bytes', () => {
    expect(text(readPassfiles([file(`${LONGEST}\n`)], recordingReporter()))).toBe(LONGEST);
  });
  it('names a file that is missing', () => {
    expect(() => readPassfiles(['/nonexistent'], recordingReporter())).toThrow('fatal: passfile: could not open "/nonexistent": ');
  });
});

describe('runExtpass (behaviour.md 3.3)', () => {
  it('splits a single word at every blank, several not at all', () => {
    const log = recordingReporter();
    expect(text(runExtpass(['echo a  b'], log))).toBe('a  b');
    expect(text(runExtpass(['echo', 'a b', 'c'], log))).toBe('a b c');
    expect(log.lines[1]).toBe('info: Reading password from extpass program "echo", arguments: ["a b" "c"]');
  });
  it('takes the first line, with stdin closed and without a shell', () => {
    expect(text(runExtpass(['sh', '-c', 'cat; printf "one\\r\\ntwo"'], recordingReporter()))).toBe('one\r');
    expect(text(runExtpass(['echo $HOME'], recordingReporter()))).toBe('$HOME');
  });
  it.each([
    [['/nonexistent'], /^extpass cmd start failed: /],
    [['sh', '-c', 'echo a; exit 3'], /^extpass program returned an error: exit status 3$/],
    [['false'], /^extpass program returned an error: exit status 1$/],
    [['sh', '-c', 'kill -9 $$'], /^extpass program returned an error: signal: SIGKILL$/],
    [['true'], /^extpass: password is empty$/],
    [['sh', '-c', 'echo; echo a'], /^extpass: password is empty$/],
    [['printf', `${LONGEST}x`], /^fatal: maximum password length of 2048 bytes exceeded$/],
  ])('refuses %j', (words, message) => {
    expect(() => runExtpass(words, recordingReporter())).toThrow(message);
  });
});

describe('takeMasterKey (behaviour.md 3.5, 3.6)', () => {
  it('takes hex digits with dashes, and warns', async () => {
    const log = recordingReporter();
    const key = await takeMasterKey({ masterkey: `-${'0aB'.repeat(21)}-c-`, zerokey: true }, log);
    expect(Buffer.from(key).toString('hex')).toBe(`${'0ab'.repeat(21)}c`);
    expect(log.lines).toHaveLength(3);
  });
  it('has a key of zeros', async () => {
    expect(await takeMasterKey({ masterkey: '', zerokey: true }, recordingReporter())).toEqual(new Uint8Array(32));
  });
  it.each(['xy', 'abc', 'ab', '0'.repeat(66)])('refuses %s', async (masterkey) => {
    await expect(takeMasterKey({ masterkey, zerokey: false }, recordingReporter())).rejects.toMatchObject({ code: 'masterkey' });
  });
});
