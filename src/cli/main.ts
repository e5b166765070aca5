/** Entry of the program: words in, exit code out (start-up order of behaviour.md 1.5). Modules beyond the parser are loaded when needed. */

import path from 'node:path';
import { isAegisError } from '../base/errors.ts';
import { ReportFlag } from '../base/reporter.ts';
import { COMPATIBLE_NAME, COMPATIBLE_XRAY_NAME } from '../base/version.ts';
import { checkOptions } from './checks.ts';
import { Exit, exitCodeOf } from './exit-codes.ts';
import { longHelpFlags, longHelpHead, shortHelp, versionLine } from './help.ts';
import { createOutput, type Output, setFlag, writeAll } from './output.ts';
import { type ParsedLine, parseCommandLine } from './parse.ts';
import { commandWords } from './raw-words.ts';
import { findTool, runTool } from './tools.ts';

const STDOUT = 1;
const STDERR = 2;
const DEFAULT_PATH = '/usr/sbin:/usr/bin:/sbin:/bin';
/** Set by the launcher: the name it was called by, and its process id if it waits for the mount to be ready. */
const NAME_VARIABLE = 'AEGISFS_NAME';
const WAITER_VARIABLE = 'AEGISFS_WAITER';

/** Takes a word of the launcher out of the environment, so that programs which this process starts do not inherit it. */
function takeVariable(name: string): string | undefined {
  const value = process.env[name];
  delete process.env[name];
  return value;
}

/** The name the program was called by. */
function takeProgramName(): string {
  const name = takeVariable(NAME_VARIABLE) ?? path.basename(process.argv[1] ?? '');
  return name === COMPATIBLE_NAME || name === COMPATIBLE_XRAY_NAME ? name : 'aegisfs';
}

/** The launcher's process id if it waits for this process, else 0. */
function takeWaiter(): number {
  const waiter = Number(takeVariable(WAITER_VARIABLE) ?? 0);
  return waiter === process.ppid ? waiter : 0;
}

async function run(program: string, waiter: number, argv: readonly string[], output: Output): Promise<number> {
  const tool = findTool(program, argv);
  if (tool !== undefined) {
    return runTool(tool, output, selfCommand(program));
  }
  const line = parseCommandLine(program, argv);
  if (line.kind === 'help') {
    writeAll(STDOUT, shortHelp(program));
    return Exit.Success;
  }
  const problem = line.kind === 'error' ? line.message : checkOptions(line.values);
  if (line.kind === 'error' || problem !== undefined) {
    output.log.fatal(problem ?? '');
    return Exit.Usage;
  }
  if (line.positional.length === 2 && !line.values.fg) {
    if (waiter > 0) {
      line.values.fg = true;
      line.values.notifypid = waiter;
      return runInForeground(program, argv, line, output);
    }
    const { mountInBackground } = await import('../operations/mount/background.ts');
    return mountInBackground(selfCommand(program), argv);
  }
  return runInForeground(program, argv, line, output);
}

async function runInForeground(program: string, argv: readonly string[], line: ParsedLine, output: Output): Promise<number> {
  const { values } = line;
  // By default this signal would open a debugger port of the runtime.
  process.on('SIGUSR1', () => {});
  if (values.debug) {
    setFlag(output, ReportFlag.Debug);
  }
  if (values.version) {
    writeAll(STDOUT, `${versionLine(program)}\n`);
    return Exit.Success;
  }
  if (values.hh) {
    writeAll(STDOUT, longHelpHead(program));
    writeAll(STDERR, longHelpFlags());
    return Exit.Success;
  }
  if (values.speed) {
    const { speedAction } = await import('./actions/speed.ts');
    return speedAction(program);
  }
  if (values.wpanic) {
    setFlag(output, ReportFlag.WarningsAreFatal);
  }
  if (line.positional.length === 0 && line.given.size === 0) {
    writeAll(STDOUT, shortHelp(program));
    return Exit.Usage;
  }
  const { vaultAction } = await import('./actions/vault.ts');
  return vaultAction({ program, argv, line, output });
}

/** How to start this program again; the environment carries the name on. */
function selfCommand(program: string): { file: string; args: string[]; env: NodeJS.ProcessEnv } {
  return {
    file: process.execPath,
    args: [...process.execArgv, process.argv[1] ?? ''],
    env: { ...process.env, [NAME_VARIABLE]: program },
  };
}

/** A failed system call nobody expected (a full disk, a folder that is gone) is one line; anything else is a bug, and shows where it is. */
function describeUnexpected(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  const isSystemError = 'syscall' in error && 'code' in error;
  return isSystemError ? error.message : (error.stack ?? error.message);
}

async function main(): Promise<void> {
  process.env.PATH ||= DEFAULT_PATH;
  const output = createOutput();
  let code: number;
  try {
    code = await run(takeProgramName(), takeWaiter(), commandWords(), output);
  } catch (error) {
    if (isAegisError(error)) {
      output.log.fatal(error.message);
      code = exitCodeOf(error.code);
    } else {
      output.log.fatal(describeUnexpected(error));
      code = Exit.Internal;
    }
  }
  output.exit(code);
}

void main();
