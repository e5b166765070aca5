import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { freeKeys } from '../../../tests/support/vault-parameters.ts';
import { hex, vectorJson } from '../../../tests/support/vectors.ts';
import { loadConfig } from '../../vault/config/parse.ts';
import { toParameters } from '../../vault/config/unlock.ts';
import type { VaultParameters } from '../../vault/parameters.ts';
import { ForwardPaths } from './forward-paths.ts';
import type { Translation } from './translator.ts';

interface ExpectedVault {
  masterkey: string;
  entries: { path: string; type: string; cipher_path: string | string[] }[];
}

const VAULTS = ['default', 'longnamemax-100', 'deterministic-names', 'nohkdf-raw64false', 'aegis-fixed'];

function text(translation: Translation): string {
  return 'path' in translation ? Buffer.from(translation.path).toString('latin1') : `${translation.errno} ${translation.text}`;
}

/** A vault written by another program, unpacked. */
class UnpackedVault {
  readonly dir = fs.mkdtempSync(path.join(os.tmpdir(), 'aegisfs-paths-'));
  readonly expected: ExpectedVault;
  readonly parameters: VaultParameters;
  readonly paths: ForwardPaths;
  readonly #rootFd: number;

  constructor(name: string) {
    this.expected = vectorJson<ExpectedVault>(`vaults/${name}.json`);
    const archive = fileURLToPath(new URL(`../../../tests/vectors/vaults/${name}.tar.gz`, import.meta.url));
    execFileSync('tar', ['-xzf', archive, '-C', this.dir, '--no-same-owner']);
    const config = loadConfig(fs.readFileSync(path.join(this.dir, 'gocryptfs.conf')));
    this.parameters = toParameters(config, hex(this.expected.masterkey), { longNames: true });
    this.#rootFd = fs.openSync(this.dir, 'r');
    this.paths = new ForwardPaths(this.parameters, this.#rootFd);
  }

  encrypt(plain: string): string {
    return text(this.paths.encryptPath(Buffer.from(plain, 'latin1')));
  }

  decrypt(cipher: string): string {
    return text(this.paths.decryptPath(Buffer.from(cipher, 'latin1')));
  }

  remove(): void {
    fs.closeSync(this.#rootFd);
    freeKeys(this.parameters);
    fs.rmSync(this.dir, { recursive: true });
  }
}

/** Paths in the lists are UTF-8 text, or latin1 where a name is not valid UTF-8. */
function bytesOfPath(plain: string): string {
  return Buffer.from(plain, 'utf8').toString('latin1');
}

for (const name of VAULTS) {
  describe(`paths of the sample vault ${name}`, () => {
    let vault: UnpackedVault;
    beforeAll(() => {
      vault = new UnpackedVault(name);
    });
    afterAll(() => vault.remove());

    it('are the ones on disk, both ways', () => {
      let checked = 0;
      for (const { path: plain, cipher_path: ciphers } of vault.expected.entries) {
        // Of hard links the list does not tell which is which.
        if (typeof ciphers !== 'string') continue;
        expect(vault.decrypt(ciphers)).toBe(bytesOfPath(plain));
        expect(vault.encrypt(bytesOfPath(plain))).toBe(ciphers);
        checked++;
      }
      expect(checked).toBeGreaterThan(8);
    });

    it('need every folder, but not the object', () => {
      const absent = vault.encrypt('nested/absent');
      expect(absent).toMatch(/^[^/]+\/[A-Za-z0-9_=-]+$/);
      expect(vault.decrypt(absent)).toBe('nested/absent');
      expect(vault.encrypt('absent/x')).toBe('2 no such file or directory');
      expect(vault.encrypt('absent/x/y')).toBe('2 no such file or directory');
    });

    it('do not lead through files and symlinks', () => {
      for (const type of ['file', 'symlink']) {
        const entry = vault.expected.entries.find((candidate) => candidate.type === type && typeof candidate.cipher_path === 'string');
        expect(vault.encrypt(`${bytesOfPath(entry?.path ?? '')}/x`)).toBe('-1 not a directory');
        expect(vault.decrypt(`${entry?.cipher_path}/x`)).toBe('-1 not a directory');
      }
    });

    it('cannot hold names that are none', () => {
      expect(vault.encrypt('x'.repeat(256))).toBe('-1 file name too long');
      expect(vault.encrypt('a\0b')).toBe('-1 bad message');
      expect(vault.decrypt('gocryptfs.conf')).toBe('-1 illegal base64 data at input byte 9');
      expect(vault.decrypt('gocryptfs.diriv')).toBe('-1 illegal base64 data at input byte 9');
      expect(vault.decrypt('AAAAAAAAAAAAAAAAAAAAAA')).toBe('-1 bad message');
      expect(vault.decrypt('gocryptfs.longname.absent')).toBe('2 no such file or directory');
      expect(vault.decrypt('gocryptfs.longname.absent.name')).toBe('-1 illegal base64 data at input byte 9');
      expect(vault.decrypt(`gocryptfs.longname.${'x'.repeat(3000)}`)).toBe('-1 file name too long');
    });
  });
}

it('paths with plaintext names pass through', () => {
  const vault = new UnpackedVault('aegis-plaintextnames-fixed');
  try {
    for (const plain of ['nested/dir1', 'absent/x/y', 'gocryptfs.conf']) {
      expect(vault.encrypt(plain)).toBe(plain);
      expect(vault.decrypt(plain)).toBe(plain);
    }
  } finally {
    vault.remove();
  }
});

it('a folder without a good IV has no paths', () => {
  const vault = new UnpackedVault('default');
  try {
    const iv = path.join(vault.dir, vault.encrypt('nested'), 'gocryptfs.diriv');
    fs.rmSync(iv);
    expect(vault.encrypt('nested/x')).toBe('2 no such file or directory');
    fs.writeFileSync(iv, 'short');
    expect(vault.encrypt('nested/x')).toBe('-1 input/output error');
    expect(vault.encrypt('x')).toMatch(/^[A-Za-z0-9_-]{22}$/);
  } finally {
    vault.remove();
  }
});

it('a walk leaves no descriptor open', () => {
  const vault = new UnpackedVault('default');
  try {
    const open = () => fs.readdirSync('/proc/self/fd').length;
    const before = open();
    for (let i = 0; i < 50; i++) {
      vault.encrypt('nested/dir1/dir2/file');
      vault.encrypt('nested/dir1/absent/file');
    }
    expect(open()).toBe(before);
  } finally {
    vault.remove();
  }
});
