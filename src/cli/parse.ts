/** The command line: three passes over the words, with the peculiarities scripts rely on (behaviour.md 1.2). */
import { defaultValues, type FlagName, type FlagSpec, type FlagValues, findFlag } from './flags.ts';
import { readBool, readDuration, readInt, readUint8, ValueProblem } from './values.ts';

/** What a command line says. */
export interface ParsedLine {
  readonly kind: 'options';
  readonly values: FlagValues;
  /** Options that were written out, whatever their value. */
  readonly given: ReadonlySet<FlagName>;
  readonly positional: readonly string[];
}

/** `-h`, `-help` or `--help` was met. */
export interface HelpWanted {
  readonly kind: 'help';
}

/** A line that cannot be understood; `message` is complete. Exit code 1. */
export interface BadLine {
  readonly kind: 'error';
  readonly message: string;
}

export type ParseResult = ParsedLine | HelpWanted | BadLine;

/**
 * Reads the words of a command line.
 * @param program name for messages
 * @param argv words without the program name
 */
export function parseCommandLine(program: string, argv: readonly string[]): ParseResult {
  const expanded = expandOptionLists(argv);
  if (!Array.isArray(expanded)) {
    return expanded;
  }
  return parseOptions(doubleDashes(expanded), program, argv);
}

/** Writes words the way the messages show them: each in double quotes, separated by blanks. */
export function quoteWords(words: readonly string[]): string {
  return words.map(quoteWord).join(' ');
}

const ESCAPES = new Map<string, string>([
  ['"', '\\"'],
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
]);

function quoteWord(word: string): string {
  // Control characters are escaped so that a message stays on one line and cannot steer the terminal.
  const text = word.replace(/["\\\p{Cc}]/gu, (char) => ESCAPES.get(char) ?? `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`);
  return `"${text}"`;
}

/** Pass 1: `-o LIST` and `-o=LIST` become ordinary options in front of the others. All lists count, in order. */
export function expandOptionLists(argv: readonly string[]): string[] | BadLine {
  if (argv.length < 2 || argv.includes('--')) {
    return [...argv];
  }
  const rest: string[] = [];
  const items: string[] = [];
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    let list: string;
    if (word === '-o') {
      at += 1;
      const next = argv[at];
      if (next === undefined) {
        return { kind: 'error', message: 'the "-o" option requires an argument' };
      }
      list = next;
    } else if (word.startsWith('-o=')) {
      list = word.slice('-o='.length);
    } else {
      rest.push(word);
      continue;
    }
    items.push(...list.split(',').filter((item) => item !== ''));
  }
  if (items.some((item) => item === 'o' || item === '-o')) {
    return { kind: 'error', message: `You can't pass "-o" to "-o"` };
  }
  return [...items.map((item) => `-${item}`), ...rest];
}

/** Pass 2: `-word` becomes `--word`, up to the first `--`. Values given as separate words are hit as well. */
export function doubleDashes(argv: readonly string[]): string[] {
  const end = argv.indexOf('--');
  return argv.map((word, at) => {
    const beforeEnd = end < 0 || at < end;
    return beforeEnd && word.length >= 2 && word[0] === '-' && word[1] !== '-' && word !== '-h' ? `-${word}` : word;
  });
}

/** Pass 3: the options themselves; stops at the first error. */
function parseOptions(argv: readonly string[], program: string, original: readonly string[]): ParseResult {
  const values = defaultValues();
  const given = new Set<FlagName>();
  const positional: string[] = [];
  const bad = (reason: string): BadLine => ({
    kind: 'error',
    message: `Invalid command line: ${quoteWords([program, ...original])}: ${reason}. Try '${program} -help'.`,
  });
  for (let at = 0; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    if (!word.startsWith('-') || word === '-') {
      positional.push(word);
      continue;
    }
    if (word === '--') {
      positional.push(...argv.slice(at + 1));
      break;
    }
    if (word === '-h') {
      return { kind: 'help' };
    }
    if (!word.startsWith('--')) {
      const [letter] = word.slice(1);
      return bad(`unknown shorthand flag: '${letter}' in ${word}`);
    }
    if (word.startsWith('---') || word.startsWith('--=')) {
      return bad(`bad flag syntax: ${word}`);
    }
    const equals = word.indexOf('=');
    const name = equals < 0 ? word.slice(2) : word.slice(2, equals);
    if (name === 'help') {
      return { kind: 'help' };
    }
    const flag = findFlag(name);
    if (flag === undefined) {
      return bad(`unknown flag: --${name}`);
    }
    let text: string;
    if (equals >= 0) {
      text = word.slice(equals + 1);
    } else if (flag.kind === 'bool') {
      text = 'true';
    } else {
      at += 1;
      const next = argv[at];
      if (next === undefined) {
        return bad(`flag needs an argument: --${name}`);
      }
      text = next;
    }
    const problem = assign(values, flag, text);
    if (problem !== undefined) {
      return bad(`invalid argument "${text}" for "--${name}" flag: ${problem.detail}`);
    }
    given.add(flag.name);
  }
  return { kind: 'options', values, given, positional };
}

function assign(values: FlagValues, flag: FlagSpec & { readonly name: FlagName }, text: string): ValueProblem | undefined {
  const slot = values as Record<FlagName, boolean | number | string | string[]>;
  if (flag.kind === 'list') {
    (slot[flag.name] as string[]).push(text);
    return undefined;
  }
  const value = readValue(flag.kind, text);
  if (value instanceof ValueProblem) {
    return value;
  }
  slot[flag.name] = value;
  return undefined;
}

function readValue(kind: Exclude<FlagSpec['kind'], 'list'>, text: string): boolean | number | string | ValueProblem {
  switch (kind) {
    case 'bool':
      return readBool(text);
    case 'int':
      return readInt(text);
    case 'uint8':
      return readUint8(text);
    case 'duration':
      return readDuration(text);
    case 'string':
      return text;
  }
}
