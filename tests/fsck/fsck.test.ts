import fs from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AEGIS, RELEASED_CIPHERS } from '../support/matrix.ts';
import { aegisfs, type Finished, gocryptfs, PASSWORD, type Program, run } from '../support/program.ts';
import { Sandbox } from '../support/sandbox.ts';
import { DamagedVault } from './damaged-vault.ts';
import { DAMAGES, DAMAGES_WITHOUT_NAMES, type Damage } from './damages.ts';

const CLEAN = 0;
const FOUND = 26;
const [GCM, SIV, XCHACHA] = RELEASED_CIPHERS;

const sandbox = new Sandbox();
let password: string;
beforeAll(() => {
  password = sandbox.file('password', PASSWORD);
});
afterAll(() => sandbox.remove());

function check(program: Program, vault: string): Finished {
  return run(sandbox, program.command, ['-fsck', '-q', '-passfile', password, vault]);
}

/**
 * Findings without what differs between a kernel mount and none: the system call and the path of the mount that gocryptfs puts before
 * an error text, and whether a bad directory is noticed at opening it (aegisfs, and gocryptfs from 2.6) or at reading it (2.3).
 */
function comparable(stdout: string): string {
  return stdout
    .replace(/: (?:open|read|readlink|readdirent) [^\n]*?gocryptfs\.fsck\.\d+[\s\S]*?: (input\/output error)/g, ': $1')
    .replace(/error (?:opening|reading) dir/g, 'error opening or reading dir');
}

/** The lines must be as many as the damage makes, and as many as the summary says. */
function expectFindings(result: Finished, damage: Damage): void {
  if (damage.findings === 0) {
    expect(result).toEqual({ code: CLEAN, stdout: '', stderr: '' });
    return;
  }
  expect(result.code).toBe(FOUND);
  const lines = result.stdout.trimEnd().split('\n');
  expect(lines.pop()).toBe(`fsck summary: ${lines.length} corrupt files, 0 files skipped`);
  if (damage.findings === 'some') expect(lines).not.toHaveLength(0);
  else expect(lines).toHaveLength(damage.findings);
}

function compare(template: DamagedVault, damage: Damage): void {
  const vault = template.copy(`${sandbox.dir}/damaged`);
  try {
    damage.apply(vault);
    const ours = check(aegisfs, vault.dir);
    const theirs = check(gocryptfs, vault.dir);
    expectFindings(ours, damage);
    expect(theirs.code, 'exit code of gocryptfs').toBe(damage.comparison === 'stricter' ? CLEAN : ours.code);
    if (damage.comparison === 'same') expect(comparable(ours.stdout)).toBe(comparable(theirs.stdout));
  } finally {
    fs.rmSync(vault.dir, { recursive: true });
  }
}

describe('verdicts compared with gocryptfs', () => {
  const vaults = [
    { title: 'AES-GCM', cipher: GCM, options: [], damages: DAMAGES },
    { title: 'XChaCha20-Poly1305', cipher: XCHACHA, options: [], damages: DAMAGES.slice(0, 4) },
    { title: 'AES-SIV, plaintext names', cipher: SIV, options: ['-plaintextnames'], damages: DAMAGES_WITHOUT_NAMES.slice(0, 4) },
    { title: 'AES-GCM, deterministic names', cipher: GCM, options: ['-deterministic-names'], damages: DAMAGES_WITHOUT_NAMES.slice(0, 2) },
  ];
  describe.each(vaults)('$title', ({ cipher, options, damages }) => {
    let template: DamagedVault;
    beforeAll(async () => {
      template = await DamagedVault.create(sandbox, gocryptfs, [...(cipher?.options ?? []), ...options], cipher?.overhead ?? 0);
    });
    it.each(damages)('damage: $kind', (damage) => compare(template, damage));
  });
});

describe('a vault that only aegisfs can read', () => {
  let template: DamagedVault;
  beforeAll(async () => {
    template = await DamagedVault.create(sandbox, aegisfs, AEGIS.options, AEGIS.overhead);
  });

  it.each(DAMAGES)('damage: $kind', (damage) => {
    const vault = template.copy(`${sandbox.dir}/damaged`);
    try {
      damage.apply(vault);
      expectFindings(check(aegisfs, vault.dir), damage);
    } finally {
      fs.rmSync(vault.dir, { recursive: true });
    }
  });
});
