/** From the code of an error to the exit code of the program (behaviour.md 2). */
import type { ErrorCode } from '../base/errors.ts';

/** Exit codes that are not tied to an error class. */
export const Exit = {
  Success: 0,
  Usage: 1,
  /** A bug, or a warning under -wpanic. */
  Internal: 2,
  /** -info could not load the configuration. */
  LoadConfig: 8,
  /** SIGINT or SIGTERM ended a mount. */
  Interrupted: 15,
} as const;

const CODES: Readonly<Record<ErrorCode, number>> = {
  usage: Exit.Usage,
  'fido2-required': Exit.Usage,
  internal: Exit.Internal,
  cipherdir: 6,
  init: 7,
  'read-password': 9,
  mountpoint: 10,
  'config-open': 11,
  'config-empty': 11,
  'config-parse': 11,
  other: 11,
  'wrong-password': 12,
  'scrypt-params': 13,
  masterkey: 14,
  'fork-child': 17,
  openssl: 18,
  fuse: 19,
  ctlsock: 20,
  'config-create': 24,
  'config-write': 24,
  profiler: 25,
  'fsck-errors': 26,
  'config-refused': 27,
  exclude: 29,
  'dev-null': 30,
  fido2: 31,
  'cipher-missing': 32,
};

/** Exit code of an error. */
export function exitCodeOf(code: ErrorCode): number {
  return CODES[code];
}
