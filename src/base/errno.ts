/**
 * Linux errno numbers (asm-generic/errno-base.h, errno.h; the same on x86-64 and arm64).
 * Below the command line an operation returns 0 or a positive value for success and a *negated* errno for failure.
 */
export const Errno = {
  EPERM: 1,
  ENOENT: 2,
  ESRCH: 3,
  EINTR: 4,
  EIO: 5,
  ENXIO: 6,
  E2BIG: 7,
  EBADF: 9,
  EAGAIN: 11,
  ENOMEM: 12,
  EACCES: 13,
  EBUSY: 16,
  EEXIST: 17,
  EXDEV: 18,
  ENODEV: 19,
  ENOTDIR: 20,
  EISDIR: 21,
  EINVAL: 22,
  ENFILE: 23,
  EMFILE: 24,
  ENOTTY: 25,
  EFBIG: 27,
  ENOSPC: 28,
  ESPIPE: 29,
  EROFS: 30,
  EMLINK: 31,
  ERANGE: 34,
  ENAMETOOLONG: 36,
  ENOSYS: 38,
  ENOTEMPTY: 39,
  ELOOP: 40,
  ENODATA: 61,
  EPROTO: 71,
  EBADMSG: 74,
  EOVERFLOW: 75,
  EMSGSIZE: 90,
  EOPNOTSUPP: 95,
  ENOTCONN: 107,
  ETIMEDOUT: 110,
  ECONNREFUSED: 111,
  ESTALE: 116,
  EDQUOT: 122,
} as const;

const names = new Map<number, string>(Object.entries(Errno).map(([name, value]) => [value, name]));

/** Symbolic name of an errno of either sign, e.g. "ENOENT"; "errno N" if it has none here. */
export function errnoName(errno: number): string {
  return names.get(Math.abs(errno)) ?? `errno ${Math.abs(errno)}`;
}
