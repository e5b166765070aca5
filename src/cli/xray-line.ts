/** The command line of the inspection tool (behaviour.md 10.1): options come first, with one dash or two. */
import { readBool } from './values.ts';

interface XrayFlag {
  readonly name: string;
  readonly kind: 'bool' | 'string';
  readonly help: string;
}

/** All options. */
export const XRAY_FLAGS = [
  { name: '0', kind: 'bool', help: 'Items end with NUL instead of a line feed, in input and output' },
  { name: 'aegis', kind: 'bool', help: 'FILE is encrypted with AEGIS-128X2, not AES-GCM' },
  { name: 'aegis256x2', kind: 'bool', help: 'FILE is encrypted with AEGIS-256X2, not AES-GCM' },
  { name: 'aessiv', kind: 'bool', help: 'FILE is encrypted with AES-SIV, not AES-GCM' },
  { name: 'decrypt-paths', kind: 'bool', help: 'Decrypt the paths on stdin through the control socket FILE' },
  { name: 'dumpmasterkey', kind: 'bool', help: 'Print the master key of the config file FILE' },
  { name: 'encrypt-paths', kind: 'bool', help: 'Encrypt the paths on stdin through the control socket FILE' },
  { name: 'fido2', kind: 'string', help: 'Get the master key with the FIDO2 token at this device path' },
  { name: 'version', kind: 'bool', help: 'Print the version' },
  { name: 'xchacha', kind: 'bool', help: 'FILE is encrypted with XChaCha20-Poly1305, not AES-GCM' },
] as const satisfies readonly XrayFlag[];

type FlagRow = (typeof XRAY_FLAGS)[number];
type NameOfKind<Kind> = Extract<FlagRow, { readonly kind: Kind }>['name'];

/** What a command line says: the boolean options that are on, the value of the others, and what follows the options. */
export interface XrayLine {
  readonly kind: 'options';
  readonly on: ReadonlySet<NameOfKind<'bool'>>;
  readonly fido2: string;
  readonly args: readonly string[];
}

/** Reads the words; `error` carries the complete message. */
export function parseXrayLine(
  argv: readonly string[],
): XrayLine | { readonly kind: 'help' } | { readonly kind: 'error'; readonly message: string } {
  const on = new Set<NameOfKind<'bool'>>();
  let fido2 = '';
  let at = 0;
  for (; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    if (word === '--') {
      at += 1;
      break;
    }
    const match = /^--?([^-=][^=]*)(?:=(.*))?$/s.exec(word);
    if (match === null) {
      if (word.startsWith('-') && word !== '-') {
        return { kind: 'error', message: `bad flag syntax: ${word}` };
      }
      break;
    }
    const [, name = '', value] = match;
    const flag = XRAY_FLAGS.find((row) => row.name === name);
    if (flag === undefined) {
      return name === 'h' || name === 'help' ? { kind: 'help' } : { kind: 'error', message: `flag provided but not defined: -${name}` };
    }
    if (flag.kind === 'string') {
      at += value === undefined ? 1 : 0;
      const text = value ?? argv[at];
      if (text === undefined) {
        return { kind: 'error', message: `flag needs an argument: -${name}` };
      }
      fido2 = text;
      continue;
    }
    const isOn = value === undefined ? true : readBool(value);
    if (typeof isOn !== 'boolean') {
      return { kind: 'error', message: `invalid boolean value "${value}" for -${name}: parse error` };
    }
    if (isOn) {
      on.add(flag.name);
    } else {
      on.delete(flag.name);
    }
  }
  return { kind: 'options', on, fido2, args: argv.slice(at) };
}

/** The usage text without the version line. */
export function xrayUsage(name: string): string {
  const rows = XRAY_FLAGS.map((flag) => `  ${`-${flag.name}${flag.kind === 'string' ? ' DEVICE' : ''}`.padEnd(16)} ${flag.help}\n`).join(
    '',
  );
  const examples = ['myfs/mCXnISiv7nEmyc0glGuhTQ', '-dumpmasterkey myfs/gocryptfs.conf', '-encrypt-paths myfs.sock'];
  return `Usage: ${name} [OPTIONS] FILE\n\nOptions:\n${rows}\nExamples:\n${examples.map((line) => `  ${name} ${line}\n`).join('')}`;
}
