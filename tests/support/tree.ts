import { createHash } from 'node:crypto';
import fs, { constants as C } from 'node:fs';
import path from 'node:path';
import type { Actor } from './actor.ts';
import { BORDER_SIZES, pattern, withFile } from './files.ts';

const LONG = 'n'.repeat(240);

/** Fills an empty folder with one of everything: border sizes, name lengths, holes, links, attributes, modes and times. */
export function populate(dir: string, me: Actor): void {
  for (const size of BORDER_SIZES) fs.writeFileSync(`${dir}/size${size}`, pattern(size, size));
  for (const length of [1, 15, 16, 63, 64, 175, 176, 255]) fs.writeFileSync(`${dir}/${'l'.repeat(length)}`, String(length));
  for (const name of ['gocryptfs.diriv', 'gocryptfs.longname.ABC', 'ünï', 'line\nbreak', '...']) fs.writeFileSync(`${dir}/${name}`, name);
  withFile(`${dir}/sparse`, 'w', (fd) => {
    fs.writeSync(fd, pattern(100));
    fs.writeSync(fd, pattern(100), 0, 100, 999_900);
  });
  fs.writeFileSync(`${dir}/grown`, '');
  fs.truncateSync(`${dir}/grown`, 16384);
  fs.writeFileSync(`${dir}/zeros`, Buffer.alloc(8192));
  fs.mkdirSync(`${dir}/d/${LONG}/e`, { recursive: true });
  fs.writeFileSync(`${dir}/d/${LONG}/e/${LONG}`, 'deep');
  fs.linkSync(`${dir}/size4097`, `${dir}/d/${LONG}/hard`);
  fs.linkSync(`${dir}/size4097`, `${dir}/d/H${LONG}`);
  for (const [name, target] of Object.entries({ short: 'size1', [`L${LONG}`]: '/absolute/ü', long: 't'.repeat(2000) })) {
    fs.symlinkSync(target, `${dir}/link-${name}`);
  }
  me.run('os.mkfifo', `${dir}/fifo`);
  me.run('x.mknod', `${dir}/device`, C.S_IFCHR | 0o600, 0x103);
  for (const object of ['size4096', 'd', 'l'.repeat(255)]) {
    me.run('os.setxattr', `${dir}/${object}`, 'user.text', Buffer.from('value'));
    me.run('os.setxattr', `${dir}/${object}`, 'user.empty', Buffer.alloc(0));
    me.run('os.setxattr', `${dir}/${object}`, 'user.binary', pattern(500));
  }
  for (const [name, mode] of [
    ['size0', 0o400],
    ['size1', 0o4755],
    ['size2', 0o000],
    [`d/${LONG}/e`, 0o2750],
  ] as const) {
    fs.chmodSync(`${dir}/${name}`, mode);
  }
  fs.chownSync(`${dir}/size15`, 1234, 5678);
  for (const name of ['size16', 'link-short', 'd', 'fifo']) {
    me.run('x.utimensat', `${dir}/${name}`, [1_111_111_111, 222_222_222], [1_333_333_333, 444_444_444], 0x100);
  }
}

/** Changes some of everything that `populate` has made. */
export function modify(dir: string, me: Actor): void {
  fs.appendFileSync(`${dir}/size4095`, pattern(10_000, 2));
  withFile(`${dir}/size131073`, 'r+', (fd) => fs.writeSync(fd, pattern(5000, 3), 0, 5000, 4000));
  fs.truncateSync(`${dir}/size1048577`, 5001);
  fs.truncateSync(`${dir}/size8193`, 20_000);
  withFile(`${dir}/sparse`, 'r+', (fd) => fs.writeSync(fd, 'in the hole', 500_000));
  withFile(`${dir}/grown`, 'r+', (fd) => fs.writeSync(fd, 'in the hole', 9000));
  fs.writeFileSync(`${dir}/d/H${LONG}`, 'through a hard link');
  fs.renameSync(`${dir}/size12287`, `${dir}/renamed-${LONG}`);
  fs.renameSync(`${dir}/${'l'.repeat(255)}`, `${dir}/now short`);
  fs.renameSync(`${dir}/${'l'.repeat(176)}`, `${dir}/${'m'.repeat(200)}`);
  fs.renameSync(`${dir}/d/${LONG}`, `${dir}/D${LONG}`);
  fs.unlinkSync(`${dir}/link-L${LONG}`);
  fs.symlinkSync('changed', `${dir}/link-L${LONG}`);
  me.run('os.setxattr', `${dir}/size4096`, 'user.text', Buffer.from('changed'));
  me.run('os.removexattr', `${dir}/size4096`, 'user.empty');
  fs.chmodSync(`${dir}/size2`, 0o644);
  fs.mkdirSync(`${dir}/new`);
}

/** Everything that can be seen of an entry, as text. */
function describe(file: string, me: Actor): string {
  const stat = fs.lstatSync(file, { bigint: true });
  const parts: unknown[] = [stat.mode.toString(8), stat.uid, stat.gid, stat.mtimeNs];
  if (!stat.isDirectory()) parts.push(stat.size, stat.nlink, stat.rdev);
  if (stat.isFile()) parts.push(createHash('sha256').update(fs.readFileSync(file)).digest('hex'), stat.blocks * 512n < stat.size / 2n);
  if (stat.isSymbolicLink()) parts.push(fs.readlinkSync(file));
  else if (stat.isFile() || stat.isDirectory()) {
    const names = me.strings('os.listxattr', file);
    parts.push(...names.map((name) => `${name}=${me.bytes('os.getxattr', file, name).toString('hex')}`));
  }
  return parts.join(' ');
}

/** Path and description of every entry below a folder. */
export function snapshot(dir: string, me: Actor): Record<string, string> {
  const result: Record<string, string> = {};
  for (const entry of fs.readdirSync(dir, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    result[path.relative(dir, file)] = describe(file, me);
  }
  return result;
}
