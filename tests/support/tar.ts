/** Reads pax archives into memory: types, link targets, user attributes and GNU sparse files (formats 1.0 and plain). */

/** One member of an archive. */
export interface TarEntry {
  /** Path without './' in front and without a slash at the end; '' for the root. */
  readonly path: string;
  readonly type: 'file' | 'dir' | 'symlink' | 'hardlink';
  readonly content: Uint8Array;
  /** Target of a link, as bytes in latin1. */
  readonly target: string;
  readonly xattrs: ReadonlyMap<string, Uint8Array>;
}

const BLOCK = 512;
const XATTR_PREFIX = 'SCHILY.xattr.';
const TYPES: Readonly<Record<string, TarEntry['type']>> = { '0': 'file', '1': 'hardlink', '2': 'symlink', '5': 'dir' };

/** All members of an archive, in its order. */
export function readTar(archive: Uint8Array): TarEntry[] {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const entries: TarEntry[] = [];
  let pax = new Map<string, Buffer>();
  for (let at = 0; at + BLOCK <= bytes.length && bytes[at] !== 0; ) {
    const typeFlag = String.fromCharCode(bytes[at + 156]!);
    const size = Number(text(pax.get('size')) ?? Number.parseInt(field(bytes, at + 124, 12), 8));
    const data = bytes.subarray(at + BLOCK, at + BLOCK + size);
    at += BLOCK + Math.ceil(size / BLOCK) * BLOCK;
    if (typeFlag === 'x') {
      pax = paxRecords(data);
      continue;
    }
    const header = at - Math.ceil(size / BLOCK) * BLOCK - BLOCK;
    const type = TYPES[typeFlag];
    if (type === undefined) throw new Error(`tar member of type "${typeFlag}"`);
    const name = text(pax.get('GNU.sparse.name')) ?? text(pax.get('path')) ?? field(bytes, header, 100);
    const xattrs = [...pax]
      .filter(([key]) => key.startsWith(XATTR_PREFIX))
      .map(([key, value]) => [xattrName(key), new Uint8Array(value)] as const);
    entries.push({
      path: name.replace(/^\.\/?/, '').replace(/\/$/, ''),
      type,
      content: pax.has('GNU.sparse.major') ? expandSparse(data, Number(text(pax.get('GNU.sparse.realsize')))) : new Uint8Array(data),
      target: (text(pax.get('linkpath')) ?? field(bytes, header + 157, 100)).replace(/^\.\//, ''),
      xattrs: new Map(xattrs),
    });
    pax = new Map();
  }
  return entries;
}

/** GNU tar writes '=' and '%' inside attribute names as %3D and %25. */
function xattrName(key: string): string {
  return key.slice(XATTR_PREFIX.length).replaceAll('%3D', '=').replaceAll('%25', '%');
}

function text(value: Buffer | undefined): string | undefined {
  return value?.toString('latin1');
}

function field(bytes: Buffer, off: number, len: number): string {
  return bytes.toString('latin1', off, off + len).replace(/\0.*$/s, '');
}

/** Records "LENGTH KEY=VALUE\n". */
function paxRecords(data: Buffer): Map<string, Buffer> {
  const records = new Map<string, Buffer>();
  for (let at = 0; at < data.length; ) {
    const blank = data.indexOf(' ', at);
    const end = at + Number(data.toString('latin1', at, blank));
    const equals = data.indexOf('=', blank);
    records.set(data.toString('latin1', blank + 1, equals), data.subarray(equals + 1, end - 1));
    at = end;
  }
  return records;
}

/** Format 1.0: a map of decimal lines (count, then offset and length of each piece) padded to a block, then the pieces. */
function expandSparse(data: Buffer, realSize: number): Uint8Array {
  const numbers: number[] = [];
  let at = 0;
  while (numbers.length === 0 || numbers.length < 1 + 2 * numbers[0]!) {
    const end = data.indexOf('\n', at);
    numbers.push(Number(data.toString('latin1', at, end)));
    at = end + 1;
  }
  at = Math.ceil(at / BLOCK) * BLOCK;
  const out = new Uint8Array(realSize);
  for (let i = 1; i < numbers.length; i += 2) {
    out.set(data.subarray(at, at + numbers[i + 1]!), numbers[i]!);
    at += numbers[i + 1]!;
  }
  return out;
}
