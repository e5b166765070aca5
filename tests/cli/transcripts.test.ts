/** Runs the transcripts beside this file: operations, exit codes and messages as scripts see them (behaviour.md 1 to 5, 9, 10). */
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { processesWith } from '../support/processes.ts';
import { ROOT } from '../support/program.ts';
import { mountsBelow, Sandbox } from '../support/sandbox.ts';
import { adopt, type Case, parseTranscript, runStep } from './transcript.ts';

const FOLDER = path.join(ROOT, 'tests/cli/transcripts');

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(() => sandbox.remove());

function play(transcript: Case, isOriginal: boolean): void {
  const folder = sandbox.folder('case');
  for (const step of transcript.steps) {
    const given = runStep(sandbox, folder, step.command, isOriginal);
    if (isOriginal && !step.isShared) continue;
    const expected = { stdout: adopt(step.stdout, given.stdout), stderr: adopt(step.stderr, given.stderr), code: step.code };
    expect({ command: step.command, ...given }).toEqual({ command: step.command, ...expected });
  }
  expect(mountsBelow(folder), 'mounts left').toEqual([]);
  expect(processesWith(folder), 'processes left').toEqual([]);
}

describe.each(fs.readdirSync(FOLDER).filter((name) => name.endsWith('.txt')))('%s', (file) => {
  const cases = parseTranscript(fs.readFileSync(path.join(FOLDER, file), 'utf8'));
  it.each(cases)('$title', (transcript) => play(transcript, false));
  const shared = cases.filter(({ steps }) => steps.some(({ isShared }) => isShared));
  if (shared.length > 0) it.each(shared)('$title: gocryptfs agrees', (transcript) => play(transcript, true));
});
