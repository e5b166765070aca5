/** Mount options: items such as `ro` or `max_read=131072`, sorted into what mount(2) and fusermount3 want to see. */
import {
  MS_DIRSYNC,
  MS_LAZYTIME,
  MS_MANDLOCK,
  MS_NOATIME,
  MS_NODEV,
  MS_NODIRATIME,
  MS_NOEXEC,
  MS_NOSUID,
  MS_NOSYMFOLLOW,
  MS_RDONLY,
  MS_RELATIME,
  MS_STRICTATIME,
  MS_SYNCHRONOUS,
} from '../../sys/constants.ts';

/** What to mount where. */
export interface MountRequest {
  /** Absolute path of a directory, or `/dev/fd/N` for a descriptor on which somebody else has mounted already. */
  mountpoint: string;
  /** Type shown in the mount table: `fuse.` and a subtype. */
  fsType: string;
  /** First column of df; must not hold a comma (behaviour.md 5.2: the caller replaces it). */
  source: string;
  /** Items of `-o`, in order; later ones win. `nosuid` and `nodev` hold unless `suid` or `dev` is among them. */
  options: readonly string[];
}

/** Arguments of mount(2) that follow from the options. */
export interface DirectOptions {
  source: string;
  fsType: string;
  /** MS_* bits. */
  flags: number;
  /** Items for the filesystem itself, without the ones that carry the descriptor and the owner. */
  data: string[];
}

/** Option words that are MS_* bits: [bit, set or clear]. Source: mount(8). */
const flagWords = new Map<string, readonly [bit: number, on: boolean]>([
  ['ro', [MS_RDONLY, true]],
  ['rw', [MS_RDONLY, false]],
  ['nosuid', [MS_NOSUID, true]],
  ['suid', [MS_NOSUID, false]],
  ['nodev', [MS_NODEV, true]],
  ['dev', [MS_NODEV, false]],
  ['noexec', [MS_NOEXEC, true]],
  ['exec', [MS_NOEXEC, false]],
  ['sync', [MS_SYNCHRONOUS, true]],
  ['async', [MS_SYNCHRONOUS, false]],
  ['dirsync', [MS_DIRSYNC, true]],
  ['mand', [MS_MANDLOCK, true]],
  ['nomand', [MS_MANDLOCK, false]],
  ['noatime', [MS_NOATIME, true]],
  ['atime', [MS_NOATIME, false]],
  ['nodiratime', [MS_NODIRATIME, true]],
  ['diratime', [MS_NODIRATIME, false]],
  ['relatime', [MS_RELATIME, true]],
  ['norelatime', [MS_RELATIME, false]],
  ['strictatime', [MS_STRICTATIME, true]],
  ['nostrictatime', [MS_STRICTATIME, false]],
  ['lazytime', [MS_LAZYTIME, true]],
  ['nolazytime', [MS_LAZYTIME, false]],
  ['nosymfollow', [MS_NOSYMFOLLOW, true]],
  ['symfollow', [MS_NOSYMFOLLOW, false]],
]);

/** Words only the helper of libfuse 2 understands, or that ask for nothing; mount(2) must not see them. */
const helperOnly = new Set(['nonempty', 'defaults']);

/** A security context may hold commas (`s0:c1,c2`); the kernel takes the value in quotes then. */
function kernelItem(item: string): string {
  const equals = item.indexOf('=');
  if (!item.includes(',') || equals < 0 || item[equals + 1] === '"') return item;
  return `${item.slice(0, equals + 1)}"${item.slice(equals + 1)}"`;
}

/** Sorts the options for mount(2). */
export function directOptions(request: MountRequest): DirectOptions {
  const result: DirectOptions = { source: request.source, fsType: request.fsType, flags: MS_NOSUID | MS_NODEV, data: [] };
  for (const item of request.options) {
    const word = flagWords.get(item);
    if (word !== undefined) {
      result.flags = word[1] ? result.flags | word[0] : result.flags & ~word[0];
    } else if (item.startsWith('fsname=')) {
      result.source = item.slice('fsname='.length);
    } else if (item.startsWith('subtype=')) {
      result.fsType = `fuse.${item.slice('subtype='.length)}`;
    } else if (item !== '' && !helperOnly.has(item)) {
      result.data.push(kernelItem(item));
    }
  }
  return result;
}

/** fusermount3 splits at commas and takes the character behind a backslash literally. */
function escapeItem(item: string): string {
  return item.replaceAll(/[\\,]/g, '\\$&');
}

/** The `-o` list for fusermount3 and fusermount. For ordinary users `suid` and `dev` have no effect, and the helper would complain. */
export function helperOptions(request: MountRequest, isRoot: boolean): string {
  const refused = isRoot ? [''] : ['', 'suid', 'dev'];
  const subtype = request.fsType.replace(/^fuse\./, '');
  const items = [`fsname=${request.source}`, `subtype=${subtype}`, 'nosuid', 'nodev'];
  return [...items, ...request.options.filter((item) => !refused.includes(item))].map(escapeItem).join(',');
}
