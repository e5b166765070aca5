/** The error class for failures a user can cause or meet; codes are stable and decide exit code and advice (behaviour.md 2). */

/** One line per cause, with the exit code the command line gives for it unless the operation says otherwise. */
export type ErrorCode =
  /** 1: contradictory or malformed options. */
  | 'usage'
  /** 1: the vault needs a FIDO2 token, or a FIDO2 vault cannot do what was asked. */
  | 'fido2-required'
  /** 6: CIPHERDIR is missing, not a directory or not empty. */
  | 'cipherdir'
  /** 7: a file of the new vault, or the backup of the configuration, cannot be made. */
  | 'init'
  /** 9: no, empty, mismatching or over-long password. */
  | 'read-password'
  /** 10: the mount point is missing or unsuitable. */
  | 'mountpoint'
  /** 11 (8 for -info): the configuration file is missing or unreadable. */
  | 'config-open'
  /** 11 (8 for -info): the configuration file has no bytes. */
  | 'config-empty'
  /** 11 (8 for -info): the configuration file is not the JSON object it should be. */
  | 'config-parse'
  /** 27 (8 for -info): a well-formed configuration that is not acceptable (format.md 4.2). */
  | 'config-refused'
  /** 24: the combination of options gives no acceptable configuration. */
  | 'config-create'
  /** 24: the configuration file cannot be written. */
  | 'config-write'
  /** 11: anything without a code of its own. */
  | 'other'
  /** 12: the master key cannot be unlocked. */
  | 'wrong-password'
  /** 13: scrypt parameters that cannot be computed. */
  | 'scrypt-params'
  /** 14: a master key that is not 64 hexadecimal digits. */
  | 'masterkey'
  /** 17: the background process cannot be started. */
  | 'fork-child'
  /** 18: OpenSSL was asked for and is not there. */
  | 'openssl'
  /** 19: mounting failed. */
  | 'fuse'
  /** 20: the control socket cannot be made. */
  | 'ctlsock'
  /** 25: a profile file cannot be made. */
  | 'profiler'
  /** 26: the consistency check found problems. */
  | 'fsck-errors'
  /** 29: exclusion options that cannot be used. */
  | 'exclude'
  /** 30: /dev/null cannot be opened. */
  | 'dev-null'
  /** 31: the FIDO2 helper programs failed. */
  | 'fido2'
  /** 32: a cipher that this build lacks. */
  | 'cipher-missing'
  /** 2: a bug. */
  | 'internal';

/** Details for programs that handle the error; never secret. */
export type ErrorData = Readonly<Record<string, string | number | boolean | null>>;

/** An expected failure with a stable code; the message is what a user reads, without a prefix. */
export class AegisError extends Error {
  readonly code: ErrorCode;
  readonly data: ErrorData;

  constructor(code: ErrorCode, message: string, data: ErrorData = {}) {
    super(message);
    this.name = 'AegisError';
    this.code = code;
    this.data = data;
  }
}

/** True if `error` is an AegisError, of the given code if one is given. */
export function isAegisError(error: unknown, code?: ErrorCode): error is AegisError {
  return error instanceof AegisError && (code === undefined || error.code === code);
}
