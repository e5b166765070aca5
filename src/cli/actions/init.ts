/** -init. */
import path from 'node:path';
import { ReportFlag } from '../../base/reporter.ts';
import { programRelease } from '../../base/version.ts';
import { initVault } from '../../operations/init.ts';
import { Exit } from '../exit-codes.ts';
import { isTerminal, type Output, writeAll } from '../output.ts';
import { cipherOptions, secretOptions } from './options.ts';
import type { VaultActionInput } from './vault.ts';

const STDOUT = 1;

/** Creates a vault and says how to go on (behaviour.md 4.1). */
export async function initAction(input: VaultActionInput): Promise<number> {
  const { program, cipherdir, configPath, output } = input;
  const { values } = input.line;
  await initVault(
    {
      cipherdir,
      configPath,
      customConfig: values.config !== '',
      vault: {
        creator: programRelease(program),
        scryptLogN: values.scryptn,
        cipherOptions: cipherOptions(values),
        reverse: values.reverse,
        plaintextNames: values.plaintextnames,
        deterministicNames: values['deterministic-names'],
        longNameMax: values.longnamemax,
      },
      secrets: secretOptions(values),
      fido2AssertOptions: values['fido2-assert-option'],
    },
    { log: output.log, masterKey: (text) => showMasterKey(text, output) },
  );
  const kind = values.reverse ? 'gocryptfs-reverse' : 'gocryptfs';
  output.log.info(`The ${kind} filesystem has been created successfully.`, 'good');
  const options = values.reverse ? ' -reverse' : '';
  output.log.info(`You can now mount it using: ${program}${options} ${friendlyPath(cipherdir)} MOUNTPOINT`, 'aside');
  return Exit.Success;
}

function showMasterKey(text: string, output: Output): void {
  if (!isTerminal(STDOUT)) {
    output.log.info('Not running on a terminal, suppressing master key display');
    return;
  }
  if ((Atomics.load(output.control, 0) & ReportFlag.Quiet) === 0) {
    const advice =
      'Keep it in a safe place: it opens your files if the gocryptfs.conf file is damaged or the\n' +
      'password is forgotten. It is shown only this once.\n';
    writeAll(STDOUT, `\nYour master key is:\n\n${text}\n\n${advice}\n`);
  }
}

/** The shortest way to write a path that can be pasted into a shell in this directory. */
function friendlyPath(absolute: string): string {
  const relative = path.relative(process.cwd(), absolute) || '.';
  const chosen = relative === '..' || relative.startsWith(`..${path.sep}`) ? absolute : relative;
  return chosen.includes(' ') ? `"${chosen}"` : chosen;
}
