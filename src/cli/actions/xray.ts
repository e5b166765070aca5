/** `aegisfs xray`, also known as gocryptfs-xray: looks into the files of a vault (behaviour.md 10.1). */
import { isAegisError } from '../../base/errors.ts';
import { ReportFlag } from '../../base/reporter.ts';
import { dumpFile, layoutOfOption } from '../../operations/xray/dump-file.ts';
import { readMasterKey } from '../../operations/xray/dump-masterkey.ts';
import { translatePaths } from '../../operations/xray/translate-paths.ts';
import { Exit } from '../exit-codes.ts';
import { toolVersionLine } from '../help.ts';
import { type Output, setFlag, writeAll } from '../output.ts';
import { quoteWords } from '../parse.ts';
import { parseXrayLine, type XrayLine, xrayUsage } from '../xray-line.ts';

const STDOUT = 1;
const STDERR = 2;
const EXIT_BAD_OPTION = 2;
const EXIT_WRONG_PASSWORD = 8;
const LINE_FEED = 10;

const OPERATIONS = ['dumpmasterkey', 'decrypt-paths', 'encrypt-paths'] as const;
/** The first one that is given counts. */
const LAYOUT_OPTIONS = ['aessiv', 'xchacha', 'aegis', 'aegis256x2'] as const;

/** Runs the tool. @param name what it calls itself @returns the exit code */
export async function xrayAction(name: string, argv: readonly string[], output: Output): Promise<number> {
  const line = parseXrayLine(argv);
  if (line.kind === 'help') {
    return showUsage(name, Exit.Success);
  }
  if (line.kind === 'error') {
    return showUsage(name, EXIT_BAD_OPTION, line.message);
  }
  if (line.on.has('version')) {
    writeAll(STDOUT, `${toolVersionLine(name)}\n`);
    return Exit.Success;
  }
  const asked = OPERATIONS.filter((operation) => line.on.has(operation));
  if (asked.length > 1) {
    output.log.fatal(`fatal: ${asked.length} operations were requested`);
    return Exit.Usage;
  }
  const [operation] = asked;
  const [file] = line.args;
  if (file === undefined || line.args.length !== 1) {
    return showUsage(name, Exit.Usage);
  }
  if (operation === undefined) {
    return dump(file, line);
  }
  if (operation === 'dumpmasterkey') {
    return dumpMasterKey(file, line, output);
  }
  return translate(file, operation === 'encrypt-paths' ? 'encrypt' : 'decrypt', line, output);
}

function showUsage(name: string, code: number, problem?: string): number {
  writeAll(STDOUT, `${toolVersionLine(name)}\n\n`);
  writeAll(STDERR, `${problem === undefined ? '' : `${problem}\n`}${xrayUsage(name)}`);
  return code;
}

function dump(file: string, line: XrayLine): number {
  const option = LAYOUT_OPTIONS.find((candidate) => line.on.has(candidate)) ?? null;
  const end = dumpFile(file, layoutOfOption(option), {
    header: (version, fileID, cipherName) => writeAll(STDOUT, `Header: Version: ${version}, Id: ${fileID}, assuming ${cipherName} mode\n`),
    block: ({ number, nonce, tag, offset, length }) => {
      const place = `Offset: ${String(offset).padStart(5)} Len: ${length}`;
      writeAll(STDOUT, `Block ${String(number).padStart(2)}: IV: ${nonce}, Tag: ${tag}, ${place}\n`);
    },
  });
  switch (end.kind) {
    case 'complete':
      return Exit.Success;
    case 'empty':
      writeAll(STDOUT, 'empty file\n');
      return Exit.Success;
    case 'too-short':
      writeAll(STDERR, `${end.message}\n`);
      return Exit.Usage;
    default:
      writeAll(STDOUT, `${end.message}\n`);
      return Exit.Usage;
  }
}

async function dumpMasterKey(configPath: string, line: XrayLine, output: Output): Promise<number> {
  setFlag(output, ReportFlag.Quiet);
  let key: Uint8Array;
  try {
    key = await readMasterKey(configPath, line.fido2, output.log);
  } catch (error) {
    if (!isAegisError(error, 'wrong-password')) {
      throw error;
    }
    output.log.fatal(error.message);
    return EXIT_WRONG_PASSWORD;
  }
  writeAll(STDOUT, `${Buffer.from(key).toString('hex')}\n`);
  key.fill(0);
  return Exit.Success;
}

async function translate(socket: string, direction: 'encrypt' | 'decrypt', line: XrayLine, output: Output): Promise<number> {
  const separator = line.on.has('0') ? 0 : LINE_FEED;
  const end = String.fromCharCode(separator);
  const place = (number: number, item: string): string => `at input line ${number} ${quoteWords([item])}`;
  try {
    const isGood = await translatePaths({ socket, direction, separator }, process.stdin, {
      translated: (path) => writeAll(STDOUT, `${path}${end}`),
      failed: (number, item, errno, text) => writeAll(STDERR, `error ${place(number, item)}: errno ${errno}: ${text}\n`),
      warning: (number, item, text) => writeAll(STDERR, `warning ${place(number, item)}: ${text}\n`),
    });
    return isGood ? Exit.Success : Exit.Usage;
  } catch (error) {
    if (!isAegisError(error, 'ctlsock')) {
      throw error;
    }
    output.log.fatal(`fatal: ${error.message}`);
    return Exit.Usage;
  }
}
