import { hkdfSync } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { open } from '../oracle/aegis128x2.ts';
import { Actor } from '../support/actor.ts';
import { pattern } from '../support/files.ts';
import { aegisfs, init, Mount } from '../support/program.ts';
import { Sandbox } from '../support/sandbox.ts';

const MASTER_KEY = pattern(32, 77);
/** Format.md 5, variant A: only the first half of the master key counts, and AEGIS uses the info string of AES-GCM. */
const CONTENT_KEY = new Uint8Array(hkdfSync('sha256', MASTER_KEY.subarray(0, 16), '', 'AES-GCM file content encryption', 16));
const ZERO_KEY = new Uint8Array(16);
const PLAIN = pattern(4096 + 100, 5);

/** Opens `nonce ‖ sealed` with the slow implementation. */
function openSealed(key: Uint8Array, ad: Uint8Array, sealed: Uint8Array): Buffer | null {
  const opened = open(key, sealed.subarray(0, 16), ad, sealed.subarray(16));
  return opened === null ? null : Buffer.from(opened);
}

describe('a new AEGIS vault, opened by an independent implementation', () => {
  const sandbox = new Sandbox();
  let vault: string;
  /** Sealed parts of the vault: what was sealed, with which associated data. */
  let parts: { what: string; ad: Uint8Array; sealed: Uint8Array; plain: Buffer }[];

  beforeAll(async () => {
    vault = sandbox.folder('vault');
    init(sandbox, aegisfs, vault, ['-aegis', `-masterkey=${MASTER_KEY.toString('hex')}`]);
    const mount = new Mount(sandbox, aegisfs, vault);
    const me = new Actor();
    fs.writeFileSync(`${mount.root}/f`, PLAIN);
    me.run('os.setxattr', `${mount.root}/f`, 'user.a', Buffer.from('attribute'));
    me.run('os.sync');
    expect(await mount.unmount()).toBe(0);

    const name = fs.readdirSync(vault).find((entry) => !entry.startsWith('gocryptfs.')) ?? '';
    const file = path.join(vault, name);
    const data = fs.readFileSync(file);
    const ad = (block: number) => Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 0, 0, block]), data.subarray(2, 18)]);
    const [attribute = ''] = me.strings('os.listxattr', file);
    expect(attribute).toMatch(/^user\.gocryptfs\./);
    parts = [
      { what: 'block 0', ad: ad(0), sealed: data.subarray(18, 18 + 4128), plain: PLAIN.subarray(0, 4096) },
      { what: 'block 1', ad: ad(1), sealed: data.subarray(18 + 4128), plain: PLAIN.subarray(4096) },
      { what: 'attribute', ad: new Uint8Array(8), sealed: me.bytes('os.getxattr', file, attribute), plain: Buffer.from('attribute') },
    ];
    me.end();
  });
  afterAll(() => sandbox.remove());

  it('opens under the derived content key', () => {
    for (const { what, ad, sealed, plain } of parts) expect(openSealed(CONTENT_KEY, ad, sealed)?.equals(plain), what).toBe(true);
  });

  it('does not open under an all-zero key', () => {
    for (const { what, ad, sealed } of parts) expect(openSealed(ZERO_KEY, ad, sealed), what).toBeNull();
  });

  it('never uses a nonce twice', () => {
    const nonces = parts.map(({ sealed }) => Buffer.from(sealed.subarray(0, 16)).toString('hex'));
    expect(new Set(nonces).size).toBe(nonces.length);
    expect(nonces).not.toContain('0'.repeat(32));
  });

  it('does not hold what was written', () => {
    const stored = fs.readFileSync(path.join(vault, fs.readdirSync(vault).find((entry) => !entry.startsWith('gocryptfs.')) ?? ''));
    expect(stored.includes(PLAIN.subarray(0, 32))).toBe(false);
  });
});
