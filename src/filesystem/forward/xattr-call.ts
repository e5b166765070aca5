import { Errno } from '../../base/errno.ts';
import { ROOT } from '../../shared/nodes.ts';
import { fgetxattr, flistxattr, fremovexattr, fsetxattr, lgetxattrat, llistxattrat, lremovexattrat, lsetxattrat } from '../../sys/xattr.ts';
import type { ForwardContext } from './context.ts';

/** Which of the four attribute calls. */
export const XattrKind = { Get: 0, Set: 1, List: 2, Remove: 3 } as const;
export type XattrKind = (typeof XattrKind)[keyof typeof XattrKind];

/**
 * One attribute call with its arguments, to be made on whatever leads to the object: its name, another of its names, or an open
 * descriptor once it has none. Reused for every call.
 */
export class XattrCall {
  #kind: XattrKind = XattrKind.Get;
  #name: Uint8Array = new Uint8Array(1);
  #nameOff = 0;
  #buf: Uint8Array = this.#name;
  #off = 0;
  #len = 0;
  #flags = 0;

  /** Sets all arguments; the name is NUL-terminated and unused for List. */
  set(kind: XattrKind, name: Uint8Array, nameOff: number, buf: Uint8Array, off: number, len: number, flags: number): this {
    this.#kind = kind;
    this.#name = name;
    this.#nameOff = nameOff;
    this.#buf = buf;
    this.#off = off;
    this.#len = len;
    this.#flags = flags;
    return this;
  }

  /** Makes the call for a node. @returns its result; −ENOENT if nothing leads to the object */
  perform(ctx: ForwardContext, node: number): number {
    const { path, handles } = ctx;
    let result = path.first(node);
    if (result === 0) {
      do result = this.#at(path.dirFd, path.name);
      while (path.again(result));
      path.done();
    }
    if (result !== -Errno.ENOENT || node === ROOT) return result;
    const handle = handles.pinAnyOfNode(node, false);
    if (handle < 0) return result;
    result = this.#on(handles.fd(handle));
    handles.unpin(handle);
    return result;
  }

  #at(dirFd: number, path: Uint8Array): number {
    switch (this.#kind) {
      case XattrKind.Get:
        return lgetxattrat(dirFd, path, 0, this.#name, this.#nameOff, this.#buf, this.#off, this.#len);
      case XattrKind.Set:
        return lsetxattrat(dirFd, path, 0, this.#name, this.#nameOff, this.#buf, this.#off, this.#len, this.#flags);
      case XattrKind.List:
        return llistxattrat(dirFd, path, 0, this.#buf, this.#off, this.#len);
      default:
        return lremovexattrat(dirFd, path, 0, this.#name, this.#nameOff);
    }
  }

  #on(fd: number): number {
    switch (this.#kind) {
      case XattrKind.Get:
        return fgetxattr(fd, this.#name, this.#nameOff, this.#buf, this.#off, this.#len);
      case XattrKind.Set:
        return fsetxattr(fd, this.#name, this.#nameOff, this.#buf, this.#off, this.#len, this.#flags);
      case XattrKind.List:
        return flistxattr(fd, this.#buf, this.#off, this.#len);
      default:
        return fremovexattr(fd, this.#name, this.#nameOff);
    }
  }
}
