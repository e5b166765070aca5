/** System error texts, so that messages read the way scripts and people know them. */

const TEXTS = new Map<string, string>([
  ['EPERM', 'operation not permitted'],
  ['ENOENT', 'no such file or directory'],
  ['EIO', 'input/output error'],
  ['ENXIO', 'no such device or address'],
  ['EBADF', 'bad file descriptor'],
  ['EACCES', 'permission denied'],
  ['EBUSY', 'device or resource busy'],
  ['EEXIST', 'file exists'],
  ['EXDEV', 'invalid cross-device link'],
  ['ENODEV', 'no such device'],
  ['ENOTDIR', 'not a directory'],
  ['EISDIR', 'is a directory'],
  ['EINVAL', 'invalid argument'],
  ['EMFILE', 'too many open files'],
  ['EFBIG', 'file too large'],
  ['ENOSPC', 'no space left on device'],
  ['EROFS', 'read-only file system'],
  ['EPIPE', 'broken pipe'],
  ['ENAMETOOLONG', 'file name too long'],
  ['ENOTEMPTY', 'directory not empty'],
  ['ELOOP', 'too many levels of symbolic links'],
  ['EOPNOTSUPP', 'operation not supported'],
  ['EBADMSG', 'bad message'],
  ['EADDRINUSE', 'address already in use'],
  ['ECONNRESET', 'connection reset by peer'],
  ['ENOTCONN', 'transport endpoint is not connected'],
  ['ECONNREFUSED', 'connection refused'],
  ['EDQUOT', 'disk quota exceeded'],
]);

/** The text of a failed `node:fs` call, without call and path. */
export function errnoText(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return TEXTS.get(code ?? '') ?? message;
}

/** The text of an errno name such as "ENOENT". */
export function textOfErrnoName(name: string): string {
  return TEXTS.get(name) ?? name;
}
