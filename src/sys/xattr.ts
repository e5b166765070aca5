/** Extended attributes. A length of 0 asks for the needed size; −ERANGE if the buffer is too small, −ENODATA if there is none. Source: xattr(7). */
import { type NativeSys, native } from '../native.ts';

/** Value of an attribute of an open file. */
export const fgetxattr: NativeSys['fgetxattr'] = native.sys.fgetxattr;
/** Sets an attribute of an open file (XATTR_CREATE, XATTR_REPLACE). */
export const fsetxattr: NativeSys['fsetxattr'] = native.sys.fsetxattr;
/** Names of an open file, each with its NUL. */
export const flistxattr: NativeSys['flistxattr'] = native.sys.flistxattr;
/** Removes an attribute of an open file. */
export const fremovexattr: NativeSys['fremovexattr'] = native.sys.fremovexattr;
/** Value of an attribute of a name in a directory, without opening or following it. */
export const lgetxattrat: NativeSys['lgetxattrat'] = native.sys.lgetxattrat;
/** Sets an attribute of a name in a directory. */
export const lsetxattrat: NativeSys['lsetxattrat'] = native.sys.lsetxattrat;
/** Names of the attributes of a name in a directory. */
export const llistxattrat: NativeSys['llistxattrat'] = native.sys.llistxattrat;
/** Removes an attribute of a name in a directory. */
export const lremovexattrat: NativeSys['lremovexattrat'] = native.sys.lremovexattrat;
