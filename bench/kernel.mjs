// Speed of the crypto kernel: every content cipher on every tier, sealing and opening runs of 128 KiB through the built addon.
// Prints MB/s (10^6 bytes of plaintext) per second of processor time, best of several short measurements.
//
//   node bench/kernel.mjs [seconds per figure, default 0.3] [tier or cipher …]

import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.join(path.dirname(fileURLToPath(import.meta.url)), '..');
const { crypto } = createRequire(import.meta.url)('node-gyp-build')(root);

const RUN = 128 * 1024;
const KINDS = [
  ['aegis-128x2', 3, 16],
  ['aegis-256x2', 4, 32],
  ['aes-gcm', 0, 32],
  ['aes-siv', 1, 64],
  ['xchacha20-poly1305', 2, 32],
];
const [secondsText, ...wanted] = process.argv.slice(2);
const seconds = Number(secondsText ?? 0.3);
// Many short rounds: the best one is hardly disturbed by other programs.
const ROUNDS = 100;

// Processor time of this process in seconds; unlike wall time it does not count what other programs take.
function cpu() {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

function megabytesPerSecond(call) {
  for (let i = 0; i < 20; i++) call();
  let best = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const start = cpu();
    let calls = 0;
    let spent = 0;
    do {
      for (let i = 0; i < 16; i++) call();
      calls += 16;
      spent = cpu() - start;
    } while (spent < seconds / ROUNDS);
    best = Math.max(best, (calls * RUN) / spent / 1e6);
  }
  return Math.round(best);
}

const chosen = (name) => wanted.length === 0 || wanted.includes(name);
const tierNames = crypto.tiers();
const someTier = tierNames.some((tier) => wanted.includes(tier));
const someKind = KINDS.some(([name]) => wanted.includes(name));

console.log('cipher               tier        seal MB/s   open MB/s');
for (const [name, kind, keyLength] of KINDS) {
  if (someKind && !chosen(name)) continue;
  for (const tier of tierNames) {
    if (someTier && !chosen(tier)) continue;
    crypto.forceTier(tier);
    if (crypto.tierOf(kind) !== tier) continue;
    const key = crypto.keyCreate(kind, new Uint8Array(keyLength).fill(7));
    const plain = new Uint8Array(RUN).fill(1);
    const sealed = new Uint8Array(RUN + (RUN / 4096) * 48);
    const opened = new Uint8Array(RUN);
    const fileID = new Uint8Array(16).fill(3);
    const length = crypto.sealRun(key, plain, 0, RUN, sealed, 0, fileID, 0, 0);
    const seal = megabytesPerSecond(() => crypto.sealRun(key, plain, 0, RUN, sealed, 0, fileID, 0, 0));
    const open = megabytesPerSecond(() => crypto.openRun(key, sealed, 0, length, opened, 0, fileID, 0, 0));
    crypto.keyFree(key);
    console.log(`${name.padEnd(20)} ${tier.padEnd(10)} ${String(seal).padStart(10)}  ${String(open).padStart(10)}`);
  }
}
crypto.forceTier(null);
