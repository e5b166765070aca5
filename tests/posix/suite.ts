import { append } from './append.ts';
import { attributes } from './attributes.ts';
import { concurrency } from './concurrency.ts';
import type { SharedSubject, Subject } from './context.ts';
import { directories } from './directories.ts';
import { files } from './files.ts';
import { holes } from './holes.ts';
import { links } from './links.ts';
import { locks } from './locks.ts';
import { names } from './names.ts';
import { permissions } from './permissions.ts';
import { readdir } from './readdir.ts';
import { rename } from './rename.ts';
import { truncate } from './truncate.ts';
import { unlinked } from './unlinked.ts';
import { xattr } from './xattr.ts';

/** What holds on every filesystem with POSIX semantics. */
export const SUITE: Record<string, Subject> = {
  files,
  append,
  truncate,
  holes,
  unlinked,
  rename,
  links,
  directories,
  readdir,
  attributes,
  xattr,
  locks,
  names,
  concurrency,
};

/** What holds where other users may enter. */
export const SHARED_SUITE: Record<string, SharedSubject> = { permissions };
