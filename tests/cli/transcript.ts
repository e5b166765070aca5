/**
 * Transcripts: what is typed, and what must come back. A file holds cases, which begin with a line `== title`. Then:
 *
 *     # remark
 *     $ command for sh, may go on
 *       in indented lines
 *     > line on standard output
 *     ! line on standard error
 *     ? exit code, 0 if missing
 *
 * `<*>` stands for any text within a line, DIR for the folder of the case. A command whose lines are not listed must print nothing. All cases
 * are run twice: with aegisfs under the name of gocryptfs, and with the distribution's gocryptfs. Where the two differ (in wording that is
 * free, in what is newer, in a defect that is not repeated) the command begins with `%` instead of `$`: its output is then only compared
 * with ours.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { gocryptfs, ROOT } from '../support/program.ts';
import type { Sandbox } from '../support/sandbox.ts';

const COMMAND_LIMIT_MS = 100_000;

/** One command with what must come back. */
export interface Step {
  readonly command: string;
  /** True if the distribution's gocryptfs must give the same. */
  readonly isShared: boolean;
  readonly stdout: string[];
  readonly stderr: string[];
  code: number;
}

/** A case of a transcript file. */
export interface Case {
  readonly title: string;
  readonly steps: Step[];
}

/** Splits a transcript file. */
export function parseTranscript(text: string): Case[] {
  const cases: Case[] = [];
  for (const [at, line] of text.split('\n').entries()) {
    const steps = cases.at(-1)?.steps;
    const step = steps?.at(-1);
    const rest = line.slice(2);
    if (line.startsWith('== ')) cases.push({ title: line.slice(3), steps: [] });
    else if (/^[$%] /.test(line)) steps?.push({ command: rest, isShared: line.startsWith('$'), stdout: [], stderr: [], code: 0 });
    else if (step !== undefined && line.startsWith('  ')) steps?.splice(-1, 1, { ...step, command: `${step.command}\n${line}` });
    else if (step !== undefined && /^> ?/.test(line)) step.stdout.push(rest);
    else if (step !== undefined && /^! ?/.test(line)) step.stderr.push(rest);
    else if (step !== undefined && line.startsWith('? ')) step.code = Number(rest);
    else if (line !== '' && !line.startsWith('#')) throw new Error(`line ${at + 1} of the transcript cannot be read: ${line}`);
  }
  return cases;
}

/** What a command gave, in the words of a transcript. */
export interface Given {
  stdout: string[];
  stderr: string[];
  code: number;
}

/**
 * Runs one command in a folder. The names `gocryptfs`, `gocryptfs-xray` and `aegisfs` are ours, or, with `isOriginal`, the distribution's.
 */
export function runStep(sandbox: Sandbox, folder: string, command: string, isOriginal: boolean): Given {
  const bin = path.join(sandbox.dir, isOriginal ? 'original-bin' : 'bin');
  if (!fs.existsSync(bin)) {
    fs.mkdirSync(bin);
    if (!isOriginal) {
      for (const name of ['aegisfs', gocryptfs.command]) fs.symlinkSync(path.join(ROOT, 'aegisfs'), path.join(bin, name));
      fs.symlinkSync(path.join(ROOT, 'gocryptfs-xray'), path.join(bin, 'gocryptfs-xray'));
    }
  }
  // Files, not pipes: a daemon that holds them must not stop the test.
  const names = ['out', 'err'].map((name) => path.join(sandbox.dir, name));
  const files = names.map((name) => fs.openSync(name, 'w'));
  try {
    const result = spawnSync('sh', ['-c', command], {
      cwd: folder,
      env: { ...process.env, PATH: `${bin}:${process.env.PATH}`, HOME: folder, TMPDIR: folder },
      stdio: ['ignore', files[0], files[1]],
      timeout: COMMAND_LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    const [stdout = [], stderr = []] = names.map((name) => linesOf(fs.readFileSync(name, 'utf8'), folder));
    return { code: result.status ?? -1, stdout, stderr };
  } finally {
    for (const fd of files) fs.closeSync(fd as number);
  }
}

/** Whether there is a system log differs from machine to machine; what is said without one is tested elsewhere. */
function linesOf(text: string, folder: string): string[] {
  const lines = text.replaceAll(folder, 'DIR').replace(/^Switch(Logger)?ToSyslog: .*\n/gm, '');
  return lines === '' ? [] : lines.replace(/\n$/, '').split('\n');
}

/**
 * Puts a given line in the place of an expected one that it matches, so that a comparison shows only what differs. Capital letters do not
 * matter: the messages of older releases begin with them.
 */
export function adopt(expected: readonly string[], given: readonly string[]): string[] {
  return expected.map((line, at) => {
    const candidate = given[at];
    return candidate !== undefined && matches(line, candidate) ? candidate : line;
  });
}

function matches(expected: string, given: string): boolean {
  const parts = expected.split('<*>').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 'i').test(given);
}
