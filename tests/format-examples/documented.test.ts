/** docs/file-format.md against stored files: every table that says where a byte lies. */
import { createCipheriv, hkdfSync } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { aessiv } from '@noble/ciphers/aes.js';
import { xchacha20poly1305 } from '@noble/ciphers/chacha.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aegisSeal } from '../../src/crypto/aegis-reference.ts';
import { pattern } from '../support/files.ts';
import { type MarkdownRow, tableRows } from '../support/markdown.ts';
import { aegisfs, Mount, mustRun, PASSWORD, ROOT } from '../support/program.ts';
import { Sandbox } from '../support/sandbox.ts';

const document = fs.readFileSync(path.join(ROOT, 'docs/file-format.md'), 'utf8');
const ciphers = tableRows(document, ['cipher', 'order in a block']);
const keys = tableRows(document, ['cipher', 'info string']);
const sizes = tableRows(document, ['size', 'AEGIS-128X2']);
const examples = tableRows(document, ['cipher', 'block', 'header']);

const HEADER = 18;
const BLOCK = 4096;
const MASTER_KEY = pattern(32, 77);

type Seal = (key: Uint8Array, nonce: Uint8Array, plain: Uint8Array, ad: Uint8Array) => Uint8Array;

function gcm(key: Uint8Array, nonce: Uint8Array, plain: Uint8Array, ad: Uint8Array): Uint8Array {
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(ad);
  return Buffer.concat([cipher.update(plain), cipher.final(), cipher.getAuthTag()]);
}

/** What follows the nonce, by programs that share nothing with the native kernel. */
const SEAL: Readonly<Record<string, Seal>> = {
  'AES-256-GCM': gcm,
  'AES-SIV': (key, nonce, plain, ad) => aessiv(key, ad, nonce).encrypt(plain),
  'XChaCha20-Poly1305': (key, nonce, plain, ad) => xchacha20poly1305(key, nonce, ad).encrypt(plain),
  'AEGIS-128X2': aegisSeal,
  'AEGIS-256X2': aegisSeal,
};

function number(row: MarkdownRow, heading: string): number {
  const value = Number(row[heading]);
  if (!Number.isInteger(value)) throw new Error(`"${row[heading]}" in the column ${heading} is not a number`);
  return value;
}

/** The bytes that a cell like `18–33` names. */
function part(stored: Buffer, row: MarkdownRow, heading: string): Buffer {
  const [first, last] = (row[heading] ?? '').split('–').map(Number);
  if (first === undefined || last === undefined || Number.isNaN(first + last)) throw new Error(`"${row[heading]}" is not a range`);
  return stored.subarray(first, last + 1);
}

function rowOf(rows: readonly MarkdownRow[], cipher: string): MarkdownRow {
  const row = rows.find((candidate) => candidate.cipher === cipher);
  if (row === undefined) throw new Error(`no row for ${cipher}`);
  return row;
}

it('documents every cipher in every table', () => {
  const names = Object.keys(SEAL);
  expect(ciphers.map((row) => row.cipher)).toEqual(names);
  expect(keys.map((row) => row.cipher)).toEqual(names);
  expect(Object.keys(sizes[0] ?? {})).toEqual(['size', ...names]);
  expect([...new Set(examples.map((row) => row.cipher))]).toEqual(names);
  expect(examples.map((row) => `${row.size}/${row.block}`)).toEqual([
    ...names.map(() => '1/0'),
    ...names.flatMap(() => ['5000/0', '5000/1']),
  ]);
});

it('adds up', () => {
  for (const row of ciphers) {
    expect(number(row, 'overhead')).toBe(number(row, 'nonce') + number(row, 'tag'));
    expect(number(row, 'full block')).toBe(BLOCK + number(row, 'overhead'));
    expect(row.percent).toBe(((100 * number(row, 'overhead')) / BLOCK).toFixed(2));
  }
});

describe.each(ciphers)('$cipher', (row) => {
  const name = row.cipher ?? '';
  let sandbox: Sandbox;
  /** Stored bytes by plain size. */
  const stored = new Map<number, Buffer>();

  beforeAll(async () => {
    sandbox = new Sandbox();
    const vault = sandbox.folder('vault');
    const option = row['option at -init'] === 'none' ? [] : [row['option at -init'] ?? ''];
    const args = ['-init', '-q', '-scryptn', '10', `-masterkey=${MASTER_KEY.toString('hex')}`, ...option, '--', vault];
    mustRun(sandbox, aegisfs.command, args, { input: `${PASSWORD}\n` });
    const mount = new Mount(sandbox, aegisfs, vault);
    // The only new entry of the vault after each write is the stored file.
    const seen = new Set(fs.readdirSync(vault));
    try {
      for (const size of sizes.map((line) => number(line, 'size'))) {
        fs.writeFileSync(path.join(mount.root, `${size}`), pattern(size));
        const [entry = ''] = fs.readdirSync(vault).filter((candidate) => !seen.has(candidate));
        seen.add(entry);
        stored.set(size, fs.readFileSync(path.join(vault, entry)));
      }
    } finally {
      expect(await mount.unmount()).toBe(0);
    }
  });
  afterAll(() => sandbox.remove());

  it.each(sizes)('stores $size bytes in as many as documented', (line) => {
    expect(stored.get(number(line, 'size'))?.length).toBe(number(line, name));
  });

  const blocks = examples.filter((example) => example.cipher === name);
  it.each(blocks)('stores block $block of $size bytes as documented', (example) => {
    const file = stored.get(number(example, 'size')) ?? Buffer.alloc(0);
    const blockNo = number(example, 'block');
    const start = HEADER + blockNo * number(row, 'full block');
    const header = part(file, example, 'header');
    expect(header.length).toBe(HEADER);
    expect(header.subarray(0, 2).toString('hex')).toBe('0002');
    const parts = (row['order in a block'] ?? '').split(', ').map((heading) => part(file, example, heading));
    const block = Buffer.concat(parts);
    expect(block.equals(file.subarray(start, start + block.length))).toBe(true);
    const nonce = part(file, example, 'nonce');
    expect(nonce.length).toBe(number(row, 'nonce'));
    expect(part(file, example, 'tag').length).toBe(number(row, 'tag'));

    const derivation = rowOf(keys, name);
    const secret = MASTER_KEY.subarray(0, number(derivation, 'bytes of the master key'));
    const key = new Uint8Array(hkdfSync('sha256', secret, '', derivation['info string'] ?? '', number(derivation, 'key')));
    const ad = Buffer.alloc(24);
    ad.writeBigUInt64BE(BigInt(blockNo));
    header.copy(ad, 8, 2);
    const plain = pattern(number(example, 'size')).subarray(blockNo * BLOCK, (blockNo + 1) * BLOCK);
    const sealed = Buffer.from(SEAL[name]?.(key, nonce, plain, ad) ?? []);
    expect(block.subarray(nonce.length).equals(sealed)).toBe(true);
  });

  it('draws file ID and nonces at random', () => {
    const identifiers = [...stored.values()].filter((file) => file.length > 0).map((file) => file.subarray(2, HEADER).toString('hex'));
    expect(new Set(identifiers).size).toBe(identifiers.length);
    const nonces = blocks.map((example) => part(stored.get(number(example, 'size')) ?? Buffer.alloc(0), example, 'nonce').toString('hex'));
    expect(new Set(nonces).size).toBe(nonces.length);
  });
});
