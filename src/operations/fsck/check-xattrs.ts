/** Extended attributes: every name and every value must decrypt (behaviour.md 6.17, 9). */
import { Errno, errnoName } from '../../base/errno.ts';
import { quoteName } from '../../base/quote.ts';
import { XATTR_LIST_MAX, XATTR_SIZE_MAX } from '../../sys/constants.ts';
import { fgetxattr, flistxattr, lgetxattrat, llistxattrat } from '../../sys/xattr.ts';
import { classifyCipherXattr, classifyPlainXattr, XattrClass, XattrCodec } from '../../vault/names/xattr.ts';
import type { FsckContext } from './context.ts';

/** Stands for a descriptor where an object could not be opened. */
const NOT_OPEN = -1;

/** An attribute whose value is still to be read. */
interface Attribute {
  /** Where its backing name begins in the list. */
  readonly at: number;
  /** Plaintext name, one character per byte. */
  readonly name: string;
  readonly isEncrypted: boolean;
}

/** Checks the attributes of objects of one vault. */
export class XattrChecker {
  readonly #ctx: FsckContext;
  readonly #codec: XattrCodec;
  readonly #list = Buffer.alloc(XATTR_LIST_MAX);
  readonly #stored = new Uint8Array(XATTR_SIZE_MAX);
  #fd = NOT_OPEN;
  #dirFd = NOT_OPEN;
  #cName: Uint8Array = this.#stored;

  constructor(ctx: FsckContext) {
    this.#ctx = ctx;
    this.#codec = new XattrCodec(ctx.parameters);
  }

  /** Checks an open file or directory. */
  checkOpen(fd: number): void {
    if (this.#ctx.noXattr) return;
    this.#fd = fd;
    this.#check(flistxattr(fd, this.#list, 0, XATTR_LIST_MAX));
  }

  /** Checks an object that cannot be opened, by its NUL-terminated name. */
  checkAt(dirFd: number, cName: Uint8Array): void {
    if (this.#ctx.noXattr) return;
    this.#fd = NOT_OPEN;
    this.#dirFd = dirFd;
    this.#cName = cName;
    this.#check(llistxattrat(dirFd, cName, 0, this.#list, 0, XATTR_LIST_MAX));
  }

  #check(listLen: number): void {
    if (listLen === 0 || listLen === -Errno.EOPNOTSUPP) return;
    const { findings } = this.#ctx;
    if (listLen < 0) {
      findings.failed(`error listing xattrs on ${findings.quotedPath()}`, listLen);
      return;
    }
    for (const attribute of this.#decryptNames(listLen)) this.#checkValue(attribute);
  }

  /** The attributes a mount would list; names that do not decrypt are findings. */
  #decryptNames(listLen: number): Attribute[] {
    const { findings, log } = this.#ctx;
    const codec = this.#codec;
    const list = this.#list;
    const found: Attribute[] = [];
    for (let at = 0; at < listLen; ) {
      const end = list.indexOf(0, at);
      const kind = classifyCipherXattr(list, at, end - at);
      const cName = list.toString('latin1', at, end);
      if (kind === XattrClass.Acl) found.push({ at, name: cName, isEncrypted: false });
      if (kind === XattrClass.Encrypted) {
        const len = codec.decryptName(list, at, end - at);
        const name = Buffer.from(codec.plainName.subarray(0, Math.max(0, len))).toString('latin1');
        if (len < 0) {
          log.warn(`ListXAttr: invalid xattr name ${quoteName(cName)}: ${errnoName(Errno.EBADMSG)}`);
          findings.damaged(`corrupt xattr name on file ${findings.quotedPath()}: ${quoteName(cName)}`);
        } else if (classifyPlainXattr(codec.plainName, 0, len) === XattrClass.Acl) {
          log.warn(`ListXAttr: ignoring deprecated encrypted ACL ${quoteName(cName)} = ${quoteName(name)}`);
        } else {
          found.push({ at, name, isEncrypted: true });
        }
      }
      at = end + 1;
    }
    return found;
  }

  /**
   * Reads one value. A mount without -suid refuses to give out `security.capability`, whatever it holds; here it is judged like any
   * other: an intact attribute is no damage.
   */
  #checkValue({ at, name, isEncrypted }: Attribute): void {
    const { findings, log } = this.#ctx;
    let len =
      this.#fd === NOT_OPEN
        ? lgetxattrat(this.#dirFd, this.#cName, 0, this.#list, at, this.#stored, 0, XATTR_SIZE_MAX)
        : fgetxattr(this.#fd, this.#list, at, this.#stored, 0, XATTR_SIZE_MAX);
    // Longer than what a mount can hand over.
    if (len === -Errno.ERANGE || (isEncrypted && len >= XATTR_SIZE_MAX)) len = -Errno.EOVERFLOW;
    if (len >= 0 && isEncrypted && this.#codec.decryptValue(this.#stored.subarray(0, len)) === null) {
      log.warn(`GetXAttr: value of ${quoteName(this.#list.toString('latin1', at, this.#list.indexOf(0, at)))} does not decrypt`);
      len = -Errno.EIO;
    }
    if (len < 0) findings.failed(`error reading xattr ${quoteName(name)} from ${findings.quotedPath()}`, len);
  }
}
