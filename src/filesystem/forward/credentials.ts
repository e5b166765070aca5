import { asciiBytes, equalBytes } from '../../base/bytes.ts';
import { openat } from '../../sys/at.ts';
import { AT_FDCWD, O_RDONLY } from '../../sys/constants.ts';
import { close, read } from '../../sys/files.ts';
import { restoreThreadCredentials, setThreadCredentials } from '../../sys/identity.ts';
import { exitNow } from '../../sys/process.ts';
import type { ForwardContext } from './context.ts';
import type { Caller } from './types.ts';

/** The kernel's limit on supplementary groups of a process (NGROUPS_MAX, linux/limits.h). */
const MAX_GROUPS = 65536;
const PROC = asciiBytes('/proc/');
const STATUS = asciiBytes('/status\0');
const TASK = asciiBytes('/task/');
const GROUPS_LINE = asciiBytes('\nGroups:');
const LINE_FEED = 0x0a;
const ZERO = 0x30;

const path = new Uint8Array(64);
const status = new Uint8Array(1 << 16);
const groups = new Uint32Array(MAX_GROUPS);

/** Result of `actAs`: whether `actAsDaemon` has something to undo. */
export const Acting = { Daemon: 0, Caller: 1 } as const;

/**
 * Lets this thread make the next call as the calling user, where the mount creates objects so (behaviour.md 6.3). Always followed by
 * `actAsDaemon` in a finally.
 * @returns Acting.Daemon if nothing changed, Acting.Caller, or a negated errno
 */
export function actAs(ctx: ForwardContext, caller: Caller): number {
  if (!ctx.options.createAsCaller || (caller.uid === 0 && caller.gid === 0)) return Acting.Daemon;
  const result = setThreadCredentials(caller.uid, caller.gid, groups, readGroups(caller.pid));
  return result < 0 ? result : Acting.Caller;
}

/** Back to the daemon's own credentials. A thread that cannot go back must not serve anybody else: the process ends. */
export function actAsDaemon(ctx: ForwardContext, acting: number): void {
  if (acting !== Acting.Caller) return;
  const result = restoreThreadCredentials();
  if (result === 0) return;
  ctx.log.fatal(`cannot go back to the credentials of the daemon: error ${-result}`);
  exitNow(2);
}

/** Supplementary groups of a thread into `groups`. @returns their number, 0 if they cannot be read */
function readGroups(pid: number): number {
  if (pid <= 0) return 0;
  let end = append(PROC, 0, PROC.length);
  end = appendNumber(pid, end);
  end = append(TASK, end, TASK.length);
  end = appendNumber(pid, end);
  append(STATUS, end, STATUS.length);
  const fd = openat(AT_FDCWD, path, 0, O_RDONLY, 0);
  if (fd < 0) return 0;
  let len = 0;
  let got = read(fd, status, 0, status.length);
  while (got > 0) {
    len += got;
    got = len < status.length ? read(fd, status, len, status.length - len) : 0;
  }
  close(fd);
  return parseGroups(len);
}

function parseGroups(len: number): number {
  let at = 0;
  while (at + GROUPS_LINE.length < len && !equalBytes(status, at, GROUPS_LINE, 0, GROUPS_LINE.length)) at++;
  let count = 0;
  let number = -1;
  for (at += GROUPS_LINE.length; at < len && count < MAX_GROUPS; at++) {
    const digit = status[at]! - ZERO;
    if (digit >= 0 && digit <= 9) {
      number = Math.max(0, number) * 10 + digit;
      continue;
    }
    if (number >= 0) groups[count++] = number;
    number = -1;
    if (status[at] === LINE_FEED) break;
  }
  return count;
}

function append(text: Uint8Array, at: number, len: number): number {
  for (let i = 0; i < len; i++) path[at + i] = text[i]!;
  return at + len;
}

function appendNumber(value: number, at: number): number {
  let digits = 1;
  for (let rest = value; rest >= 10; rest = Math.floor(rest / 10)) digits++;
  let rest = value;
  for (let i = digits - 1; i >= 0; i--) {
    path[at + i] = ZERO + (rest % 10);
    rest = Math.floor(rest / 10);
  }
  return at + digits;
}
