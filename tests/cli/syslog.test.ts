import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { PYTHON } from '../support/actor.ts';
import { aegisfs, init, mustRun, PASSWORD, ROOT } from '../support/program.ts';
import { Sandbox } from '../support/sandbox.ts';

const SCRIPT = path.join(ROOT, 'tests/cli/syslog.py');
/** A name that would break a line and colour a terminal. */
const HOSTILE = 'a\nforged line\u001b[31m"';

let sandbox: Sandbox;
beforeEach(() => {
  sandbox = new Sandbox();
});
afterEach(() => sandbox.remove());

interface Outcome {
  readonly code: number;
  readonly said: string;
  readonly lines: readonly string[];
  readonly wroteLater: boolean;
}

function mountWithLog(service: 'present' | 'absent', options: readonly string[] = []): Outcome {
  const vault = sandbox.folder('vault');
  const mountpoint = sandbox.folder('mountpoint');
  init(sandbox, aegisfs, vault);
  const password = sandbox.file('password', PASSWORD);
  const command = [aegisfs.command, '-q', ...options, '-passfile', password, vault, mountpoint];
  return JSON.parse(mustRun(sandbox, 'unshare', ['-m', PYTHON, SCRIPT, service, HOSTILE, ...command])) as Outcome;
}

describe('the messages of a background mount (behaviour.md 5.4, 5.6)', () => {
  it('go to the system log, with tag and priority, a line each whatever names they hold', () => {
    const { code, said, lines, wroteLater } = mountWithLog('present');
    expect({ code, said, wroteLater }).toEqual({ code: 0, said: '', wroteLater: false });
    // Priority of facility "user" (1), level "warning" (4).
    expect(lines).toEqual([expect.stringMatching(/^<12>.*\baegisfs(\[\d+\])?: Readdirent: could not decrypt entry /)]);
    expect(lines[0]).toContain('"a\\nforged line\\x1b[31m\\""');
    expect(lines[0]?.trimEnd()).not.toMatch(/\p{Cc}/u);
  });

  it('are lost without one, which is said at once, and the terminal is let go of', () => {
    const { code, said, wroteLater } = mountWithLog('absent');
    expect({ code, wroteLater }).toEqual({ code: 0, wroteLater: false });
    expect(said).toMatch(/^SwitchToSyslog: .*\n$/);
  });

  it('stay on the terminal with -nosyslog', () => {
    const { code, said, wroteLater } = mountWithLog('absent', ['-nosyslog']);
    expect({ code, said, wroteLater }).toEqual({ code: 0, said: '', wroteLater: true });
  });
});
