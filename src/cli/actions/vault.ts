/** Everything that works on a CIPHERDIR: the second half of the start-up sequence (behaviour.md 1.5, steps 9 to 19). */

import { AegisError } from '../../base/errors.ts';
import { ReportFlag } from '../../base/reporter.ts';
import { defaultConfigPath } from '../../operations/config-file.ts';
import { directoryObjection } from '../../operations/directories.ts';
import type { ProfileFiles } from '../../operations/profile/thread-profile.ts';
import { parseForceOwner } from '../checks.ts';
import type { FlagName, FlagValues } from '../flags.ts';
import { type Output, setFlag } from '../output.ts';
import { type ParsedLine, quoteWords } from '../parse.ts';
import { startProfiling } from '../profiling.ts';
import { absolutePath } from '../raw-words.ts';

/** What an action gets to work with. */
export interface ActionInput {
  readonly program: string;
  /** Words as typed, without the program name. */
  readonly argv: readonly string[];
  readonly line: ParsedLine;
  readonly output: Output;
}

/** The same, with the facts that the start-up sequence has settled. */
export interface VaultActionInput extends ActionInput {
  /** Absolute; exists. */
  readonly cipherdir: string;
  readonly configPath: string;
  /** Of the main thread; other threads have theirs beside them. */
  readonly profileFiles: ProfileFiles;
  readonly forceOwner: { readonly uid: number; readonly gid: number } | null;
}

const OPERATIONS = ['info', 'init', 'passwd', 'fsck'] as const satisfies readonly FlagName[];

/** Runs the operation a command line asks for. @returns the exit code */
export async function vaultAction(input: ActionInput): Promise<number> {
  const settled = settle(input);
  const profiling = await startProfiling(input.line.values, input.output);
  try {
    return await perform({ ...settled, profileFiles: profiling.files });
  } finally {
    await profiling.stop();
  }
}

async function perform(settled: VaultActionInput): Promise<number> {
  const { values, positional } = settled.line;
  const asked = OPERATIONS.filter((name) => values[name]);
  if (asked.length > 1) {
    throw new AegisError('usage', 'At most one of -info, -init, -passwd, -fsck is allowed');
  }
  const [operation] = asked;
  if (operation === undefined) {
    return mount(settled);
  }
  if (positional.length !== 1) {
    throw new AegisError('usage', `The options -info, -init, -passwd, -fsck take exactly one argument, ${positional.length} given`);
  }
  switch (operation) {
    case 'info':
      return (await import('./info.ts')).infoAction(settled);
    case 'init':
      return (await import('./init.ts')).initAction(settled);
    case 'passwd':
      return (await import('./passwd.ts')).passwdAction(settled);
    case 'fsck':
      return (await import('./fsck.ts')).fsckAction(settled);
  }
}

function settle(input: ActionInput): VaultActionInput {
  const { line, output } = input;
  const { values, positional } = line;
  const [first] = positional;
  if (first === undefined) {
    throw new AegisError('usage', 'CIPHERDIR argument is missing');
  }
  const cipherdir = absolutePath(first);
  const objection = directoryObjection(cipherdir);
  if (objection !== undefined) {
    throw new AegisError('cipherdir', `Invalid cipherdir: ${objection}`);
  }
  if (values.quiet) {
    setFlag(output, ReportFlag.Quiet);
  }
  if (values.reverse) {
    values.aessiv = true;
  } else if (values.exclude.length > 0) {
    throw new AegisError('exclude', '-exclude only works in reverse mode');
  }
  const configPath = settleConfigPath(values, cipherdir, output);
  const forceOwner = parseForceOwner(values.force_owner);
  if (typeof forceOwner === 'string') {
    throw new AegisError('usage', forceOwner);
  }
  return { ...input, cipherdir, configPath, forceOwner, profileFiles: { cpu: '', memory: '' } };
}

function settleConfigPath(values: FlagValues, cipherdir: string, output: Output): string {
  if (values.config === '') {
    return defaultConfigPath(cipherdir, values.reverse);
  }
  const configPath = absolutePath(values.config);
  output.log.info(`Using config file at custom location ${configPath}`);
  return configPath;
}

async function mount(input: VaultActionInput): Promise<number> {
  const { program, argv, line, output } = input;
  if (line.positional.length !== 2) {
    const words = quoteWords([program, ...argv]);
    output.log.info(`Wrong number of arguments (have ${line.positional.length}, want 2). You passed: ${words}`);
    throw new AegisError('usage', `Usage: ${program} [OPTIONS] CIPHERDIR MOUNTPOINT [-o COMMA-SEPARATED-OPTIONS]`);
  }
  return (await import('./mount.ts')).mountAction(input);
}
