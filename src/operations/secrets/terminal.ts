/** Asking on the terminal with echo off (behaviour.md 3.2). */
import fs from 'node:fs';
import { AegisError } from '../../base/errors.ts';
import { isatty, setEcho } from '../../sys/tty.ts';
import { takeSecret } from './read-line.ts';

const STDIN = 0;
const STDERR = 2;
const LINE_FEED = 10;
/** The line discipline of a terminal delivers at most this many bytes per line (N_TTY_BUF_SIZE, linux/drivers/tty/n_tty.c). */
const MAX_TERMINAL_LINE = 4096;

const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;

/**
 * Shows a prompt on stderr and reads one line from stdin without echo. The echo comes back even if a signal ends the program.
 * @throws AegisError `read-password`
 */
export async function askOnTerminal(prompt: string): Promise<Uint8Array> {
  fs.writeSync(STDERR, `${prompt}: `);
  const echo = setEcho(STDIN, false);
  const restore = (): void => {
    if (echo === 1) {
      setEcho(STDIN, true);
    }
    fs.writeSync(STDERR, '\n');
  };
  const onSignal = (signal: NodeJS.Signals): void => {
    restore();
    removeHandlers();
    process.kill(process.pid, signal);
  };
  const removeHandlers = (): void => {
    for (const signal of ENDING_SIGNALS) {
      process.removeListener(signal, onSignal);
    }
  };
  for (const signal of ENDING_SIGNALS) {
    process.on(signal, onSignal);
  }
  try {
    return await readLine();
  } finally {
    removeHandlers();
    restore();
  }
}

/** Reads in the thread pool, so that the main thread stays free to see signals. */
function readLine(): Promise<Uint8Array> {
  const buffer = new Uint8Array(MAX_TERMINAL_LINE);
  let length = 0;
  return new Promise((resolve, reject) => {
    const next = (): void => {
      fs.read(STDIN, buffer, length, 1, null, (error, got) => {
        if (error !== null) {
          buffer.fill(0);
          reject(new AegisError('read-password', `could not read password from terminal: ${error.message}`));
        } else if (got === 0 || buffer[length] === LINE_FEED || length + 1 === MAX_TERMINAL_LINE) {
          resolve(takeSecret(buffer, length));
        } else {
          length += 1;
          next();
        }
      });
    };
    next();
  });
}

/** Asks for a new password twice. @throws AegisError `read-password` if they differ or are empty */
export async function askTwice(prompt: string): Promise<Uint8Array> {
  const first = await askOnTerminal(prompt);
  if (first.length === 0) {
    throw new AegisError('read-password', 'password is empty');
  }
  const second = await askOnTerminal('Repeat');
  const same = Buffer.compare(first, second) === 0;
  second.fill(0);
  if (!same) {
    first.fill(0);
    throw new AegisError('read-password', 'passwords do not match');
  }
  return first;
}

/** True if stdin is a terminal. */
export function stdinIsTerminal(): boolean {
  return isatty(STDIN);
}
