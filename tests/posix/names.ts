import assert from 'node:assert/strict';
import fs from 'node:fs';
import { fails } from '../support/errno.ts';
import { pattern } from '../support/files.ts';
import type { Subject } from './context.ts';

/** Names with a meaning on disk: users may take them all the same. */
const RESERVED = [
  'gocryptfs.conf',
  'gocryptfs.conf.tmp',
  'gocryptfs.diriv',
  'gocryptfs.diriv.rmdir.1234',
  'gocryptfs.longname.ABC',
  'gocryptfs.longname.ABC.name',
  '.gocryptfs.reverse.conf',
  `gocryptfs.longname.${'A'.repeat(43)}`,
  `gocryptfs.longname.${'A'.repeat(43)}.name`,
  'x GOCRYPTFS_BAD_NAME',
];

const ODD = [
  '...',
  '.hidden',
  ' ',
  'line\nbreak',
  'tab\tand \\ and "quotes"',
  '-rf',
  '~',
  '*?[a]',
  'ends with blank ',
  'Case',
  'case',
  'caf\u00e9',
  'cafe\u0301',
  'Συμβόλαια',
  '\ufb01',
  '👩‍👩‍👧',
  '\u202ertl',
  'A'.repeat(22),
  `${'B'.repeat(20)}-_`,
];

/** File names. */
export const names: Subject = {
  'every length from 1 to 255 gives one listed entry, 256 fails': ({ root }) => {
    for (let length = 1; length <= 255; length++) fs.writeFileSync(`${root}/${'n'.repeat(length)}`, String(length));
    const listed = fs.readdirSync(root).sort();
    assert.deepEqual(
      listed,
      Array.from({ length: 255 }, (_, i) => 'n'.repeat(i + 1)),
    );
    for (const name of listed) assert.equal(fs.readFileSync(`${root}/${name}`, 'utf8'), String(name.length));
    const tooLong = `${root}/${'n'.repeat(256)}`;
    fails('ENAMETOOLONG', () => fs.writeFileSync(tooLong, ''));
    fails('ENAMETOOLONG', () => fs.statSync(tooLong));
    fails('ENAMETOOLONG', () => fs.mkdirSync(tooLong));
    fails('ENAMETOOLONG', () => fs.symlinkSync('x', tooLong));
    fails('ENAMETOOLONG', () => fs.linkSync(`${root}/n`, tooLong));
    for (const name of listed) fs.unlinkSync(`${root}/${name}`);
  },
  'directories and links with names around the limit of long names': ({ root }) => {
    for (const length of [15, 16, 63, 64, 175, 176, 191, 192, 254, 255]) {
      const name = 'd'.repeat(length);
      fs.mkdirSync(`${root}/${name}`);
      fs.writeFileSync(`${root}/${name}/${name}`, name);
      fs.symlinkSync(name, `${root}/${name}/${'l'.repeat(length)}`);
      assert.equal(fs.readFileSync(`${root}/${name}/${'l'.repeat(length)}`, 'utf8'), name);
      assert.deepEqual(fs.readdirSync(`${root}/${name}`).sort(), [name, 'l'.repeat(length)].sort());
    }
  },
  'reserved names are ordinary ones for every kind of object': ({ root, me }) => {
    for (const name of RESERVED) {
      const object = `${root}/${name}`;
      const kinds: [() => unknown, () => void][] = [
        [() => fs.writeFileSync(object, pattern(100)), () => fs.unlinkSync(object)],
        [() => fs.mkdirSync(object), () => fs.rmdirSync(object)],
        [() => fs.symlinkSync(name, object), () => fs.unlinkSync(object)],
        [() => me.run('os.mkfifo', object), () => fs.unlinkSync(object)],
        [() => fs.linkSync(`${root}/file`, object), () => fs.unlinkSync(object)],
        [() => fs.renameSync(`${root}/file`, object), () => fs.renameSync(object, `${root}/file`)],
      ];
      fs.writeFileSync(`${root}/file`, 'x');
      for (const [make, remove] of kinds) {
        fails('ENOENT', () => fs.lstatSync(object));
        make();
        fs.lstatSync(object);
        assert.ok(fs.readdirSync(root).includes(name), name);
        remove();
      }
      fs.unlinkSync(`${root}/file`);
    }
  },
  'unusual characters stay as they are': ({ root }) => {
    for (const name of ODD) {
      fs.mkdirSync(`${root}/${name}`);
      fs.writeFileSync(`${root}/${name}/${name}`, name);
    }
    assert.deepEqual(fs.readdirSync(root).sort(), [...ODD].sort());
    for (const name of ODD) assert.equal(fs.readFileSync(`${root}/${name}/${name}`, 'utf8'), name);
  },
  'names are bytes: invalid UTF-8 stays as it is': ({ root }) => {
    const raw = [Buffer.from([0xff, 0xfe, 1]), Buffer.from([0xc3]), Buffer.from([0x80, 0x2e]), Buffer.alloc(200, 0xe9)];
    for (const name of raw) fs.writeFileSync(Buffer.concat([Buffer.from(`${root}/`), name]), name);
    const listed = fs.readdirSync(root, { encoding: 'buffer' }).map((name) => name.toString('hex'));
    assert.deepEqual(listed.sort(), raw.map((name) => name.toString('hex')).sort());
    for (const name of raw) assert.ok(fs.readFileSync(Buffer.concat([Buffer.from(`${root}/`), name])).equals(name));
  },
  'a missing name stays missing until it is made': ({ root }) => {
    for (const name of ['x', 'y'.repeat(230)]) {
      for (let i = 0; i < 3; i++) fails('ENOENT', () => fs.statSync(`${root}/${name}`));
      fs.writeFileSync(`${root}/${name}`, '');
      assert.ok(fs.statSync(`${root}/${name}`).isFile());
      fs.unlinkSync(`${root}/${name}`);
      fails('ENOENT', () => fs.statSync(`${root}/${name}`));
    }
  },
};
