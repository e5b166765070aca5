/** Completion in the shells themselves. Debian: apt-get install bash zsh fish. */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { completedRows } from '../../scripts/reference/flag-rows.ts';
import { TOOL_REFERENCE } from '../../src/cli/flag-reference.ts';
import { XRAY_FLAGS } from '../../src/cli/xray-line.ts';
import { ROOT } from '../support/program.ts';
import { Sandbox } from '../support/sandbox.ts';

const NAMES: readonly string[] = completedRows().map(({ name }) => name);
const TOOLS = Object.keys(TOOL_REFERENCE);
const XRAY_NAMES = XRAY_FLAGS.map(({ name }) => name);

let sandbox: Sandbox;
/** A folder with one folder and one file in it. */
let home: string;
beforeAll(() => {
  sandbox = new Sandbox();
  home = sandbox.folder('home');
  fs.mkdirSync(path.join(home, 'my vault'));
  fs.writeFileSync(path.join(home, 'my password'), '');
});
afterAll(() => sandbox.remove());

function shell(program: string, args: readonly string[]): string {
  const env = { PATH: process.env.PATH ?? '', HOME: home, LC_ALL: 'C.UTF-8' };
  const result = spawnSync(program, args, { cwd: home, env, encoding: 'utf8', timeout: 60_000 });
  if (result.error) throw new Error(`${program}: ${result.error.message}. Install it with: apt-get install ${program}`);
  expect(result.stderr).toBe('');
  return result.stdout;
}

function lines(text: string): string[] {
  return text.split('\n').filter((line) => line !== '');
}

describe('bash', () => {
  const script = path.join(ROOT, 'completions/aegisfs.bash');

  /** Candidates for the last word. */
  function complete(...words: string[]): string[] {
    const run = `source "$1"; shift; COMP_WORDS=(aegisfs "$@"); COMP_CWORD=$#; _aegisfs; printf "%s\\n" "\${COMPREPLY[@]}"`;
    return lines(shell('bash', ['--norc', '-c', run, 'bash', script, ...words]));
  }

  it('is registered for the command', () => {
    expect(shell('bash', ['--norc', '-c', 'source "$1"; complete -p aegisfs', 'bash', script])).toBe('complete -F _aegisfs aegisfs\n');
  });

  it('offers all options, with as many dashes as were typed', () => {
    expect(complete('-').sort()).toEqual([...NAMES, 'help', 'o'].map((name) => `-${name}`).sort());
    expect(complete('--').sort()).toEqual([...NAMES, 'help'].map((name) => `--${name}`).sort());
    expect(complete('-passf')).toEqual(['-passfile']);
    expect(complete('-ro', '--deter')).toEqual(['--deterministic-names']);
  });

  it('offers files, choices or nothing as values', () => {
    expect(complete('-passfile', 'my')).toEqual(expect.arrayContaining(['my password', 'my vault']));
    expect(complete('--config', '=', 'my p')).toEqual(['my password']);
    expect(complete('-config', '=')).toEqual(expect.arrayContaining(['my password', 'my vault']));
    expect(complete('-masterkey', '')).toEqual(['stdin']);
    expect(complete('-idle', '')).toEqual([]);
    expect(complete('-hkdf', '=', 'f')).toEqual(['false']);
  });

  it('offers folders as arguments, and the tools in the first place', () => {
    expect(complete('')).toEqual(['my vault', ...TOOLS]);
    expect(complete('d')).toEqual(['demo']);
    expect(complete('-ro', '')).toEqual(['my vault']);
    expect(complete('--', '-')).toEqual([]);
    expect(complete('-passfile', 'x', '--', 'my')).toEqual(['my vault']);
  });

  it('knows the words of the tools', () => {
    expect(complete('xray', '-')).toEqual(XRAY_NAMES.map((name) => `-${name}`));
    expect(complete('xray', '-aegis', 'my p')).toEqual(['my password']);
    expect(complete('demo', '-')).toEqual([]);
  });

  it('completes the last item of an option list', () => {
    expect(complete('a', 'b', '-o', 'nopre')).toEqual(['noprealloc']);
    expect(complete('a', 'b', '-o', 'ro,allow')).toEqual(['ro,allow_other']);
  });
});

describe('zsh', () => {
  const folder = path.join(ROOT, 'completions');

  it('has a valid syntax', () => {
    expect(shell('zsh', ['-f', '-n', path.join(folder, '_aegisfs')])).toBe('');
  });

  /** What becomes of lines after the Tab key, in an interactive shell on a terminal. */
  function complete(typed: readonly string[]): string[] {
    const result = path.join(home, '.line');
    const setup = [
      `PS1=; cd ${quoted(home)}; fpath=(${quoted(folder)} $fpath); autoload -U compinit; compinit -u -D`,
      `keep() { print -r -- $BUFFER >${quoted(`${result}.new`)}; mv ${quoted(`${result}.new`)} ${quoted(result)}; BUFFER= }`,
      `zle -N keep; bindkey '^X' keep`,
    ];
    const run = `
      zmodload zsh/zpty
      zpty z zsh -f -i
      zpty -w z ${quoted(setup.join('; '))}
      for line in ${typed.map(quoted).join(' ')}; do
        zpty -w -n z $line$'\\t\\x18'
        for ((i = 0; i < 500; i++)) { [[ -e ${quoted(result)} ]] && break; sleep 0.05 }
        cat ${quoted(result)}; rm ${quoted(result)}
      done
      zpty -d z`;
    return lines(shell('zsh', ['-f', '-c', run]));
  }

  it('completes options, values, folders and tools', () => {
    const rows = [
      ['aegisfs -passf', 'aegisfs -passfile'],
      ['aegisfs --deterministic-n', 'aegisfs --deterministic-names'],
      ['aegisfs -masterkey st', 'aegisfs -masterkey stdin'],
      ['aegisfs -passfile my\\ p', 'aegisfs -passfile my\\ password'],
      ['aegisfs -ro my', 'aegisfs -ro my\\ vault/'],
      ['aegisfs dem', 'aegisfs demo'],
      ['aegisfs xray -dump', 'aegisfs xray -dumpmasterkey'],
      ['aegisfs xray my\\ p', 'aegisfs xray my\\ password'],
      ['aegisfs a b -o ro,allow', 'aegisfs a b -o ro,allow_other'],
    ] as const;
    // What may follow is added where it is certain: a blank, an equals sign, a comma.
    const completed = complete(rows.map(([typed]) => typed)).map((line) => line.replace(/[ =,]$/, ''));
    expect(completed).toEqual(rows.map(([, wanted]) => wanted));
  });
});

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

describe('fish', () => {
  const script = path.join(ROOT, 'completions/aegisfs.fish');

  /** Candidates for the last word. */
  function complete(line: string): string[] {
    const output = shell('fish', ['--no-config', '-c', 'source $argv[1]; complete -C $argv[2]', script, line]);
    return lines(output).map((row) => row.split('\t')[0] ?? '');
  }

  it('offers all options', () => {
    expect(complete('aegisfs --')).toEqual(expect.arrayContaining([...NAMES, 'help'].map((name) => `--${name}`)));
    expect(complete('aegisfs -')).toEqual(expect.arrayContaining([...NAMES, 'help', 'o', 'h', 'q'].map((name) => `-${name}`)));
    expect(complete('aegisfs -deter')).toEqual(['-deterministic-names']);
    expect(complete('aegisfs -ini')).toEqual(['-init']);
    expect(complete('aegisfs --passf')).toEqual(['--passfile']);
  });

  it('offers files, choices or nothing as values', () => {
    expect(complete('aegisfs -passfile my')).toEqual(['my password', 'my vault/']);
    expect(complete('aegisfs --config=my\\ p')).toEqual(['--config=my password']);
    expect(complete('aegisfs -masterkey ')).toEqual(['stdin']);
    expect(complete('aegisfs -idle ')).toEqual([]);
  });

  it('offers folders as arguments, and the tools in the first place', () => {
    expect(complete('aegisfs ').sort()).toEqual([...TOOLS, 'my vault/'].sort());
    expect(complete('aegisfs -ro my')).toEqual(['my vault/']);
    expect(complete('aegisfs "my vault" d')).toEqual([]);
  });

  it('knows the words of the tools', () => {
    const offered = complete('aegisfs xray -').filter((word) => !word.startsWith('--'));
    expect(offered.sort()).toEqual(XRAY_NAMES.map((name) => `-${name}`).sort());
    expect(complete('aegisfs xray -aegis my\\ p')).toEqual(['my password']);
    expect(complete('aegisfs demo ')).toEqual([]);
  });

  it('completes the last item of an option list', () => {
    expect(complete('aegisfs a b -o ro,allow')).toEqual(['ro,allow_other']);
  });
});
