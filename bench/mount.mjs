#!/usr/bin/env node
// Compares mounts of several programs on tmpfs, interleaved run by run: wall seconds, CPU seconds of the server, ratios.
//
//   sudo node bench/mount.mjs [--rounds N] [--size MB] [--files N] [--json FILE] [--only NAME,NAME]
//
// Needs root (private mount namespace, dropping the page cache). The first row of the table is the reference.
import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';

const { values: opt } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    size: { type: 'string', default: '500' },
    files: { type: 'string', default: '5000' },
    json: { type: 'string' },
    only: { type: 'string' },
    inner: { type: 'boolean', default: false },
  },
});

if (!opt.inner) {
  const r = spawnSync('unshare', ['-m', process.execPath, process.argv[1], ...process.argv.slice(2), '--inner'], { stdio: 'inherit' });
  process.exit(r.status ?? 1);
}

const here = path.dirname(new URL(import.meta.url).pathname);
const ours = path.join(here, '..', 'aegisfs');
const contenders = [
  { name: 'gocryptfs aes-gcm', program: 'gocryptfs', init: [] },
  { name: 'aegisfs aegis', program: ours, init: ['-aegis'] },
  { name: 'aegisfs aes-gcm', program: ours, init: [] },
].filter((c) => !opt.only || opt.only.split(',').includes(c.name));

const base = fs.mkdtempSync('/tmp/aegisfs-bench-');
execFileSync('mount', ['-t', 'tmpfs', 'tmpfs', base]);
const password = path.join(base, 'password');
fs.writeFileSync(password, 'benchmark\n');

/** A deterministic tree: files of mixed sizes (median about 3 kB) in folders of 25, as a tar. */
function makeTar() {
  const tree = path.join(base, 'tree');
  let seed = 12345;
  const random = () => (seed = (seed * 1103515245 + 12345) % 2147483648) / 2147483648;
  for (let i = 0; i < Number(opt.files); i++) {
    const dir = path.join(tree, `module-${Math.floor(i / 250)}`, `part-${Math.floor(i / 25)}`);
    if (i % 25 === 0) fs.mkdirSync(dir, { recursive: true });
    fs.writeFileSync(path.join(dir, `source_file_${i}.c`), Buffer.alloc(Math.floor(200 + Math.exp(random() * 7.5 + 3.5) / 2), i & 255));
  }
  execFileSync('tar', ['-cf', path.join(base, 'tree.tar'), '-C', tree, '.']);
  fs.rmSync(tree, { recursive: true });
}

function cpuSeconds(pid) {
  const fields = fs.readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ');
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function start(c) {
  c.cipher = path.join(base, `${c.name.replace(/\W/g, '-')}.cipher`);
  c.plain = path.join(base, `${c.name.replace(/\W/g, '-')}.plain`);
  fs.mkdirSync(c.cipher);
  fs.mkdirSync(c.plain);
  execFileSync(c.program, ['-init', '-q', '-scryptn', '10', '-passfile', password, ...c.init, c.cipher], { stdio: 'ignore' });
  const out = fs.openSync(path.join(base, 'log'), 'a');
  execFileSync(c.program, ['-q', '-passfile', password, c.cipher, c.plain], { stdio: ['ignore', out, out] });
  const pids = execFileSync('pgrep', ['-f', '--', c.cipher], { encoding: 'utf8' }).trim().split('\n');
  c.pid = Number(pids.at(-1));
  c.rows = {};
}

function measure(c, row, work) {
  fs.writeFileSync('/proc/sys/vm/drop_caches', '3');
  const cpu = cpuSeconds(c.pid);
  const t = process.hrtime.bigint();
  work();
  const wall = Number(process.hrtime.bigint() - t) / 1e9;
  const entry = (c.rows[row] ??= { wall: [], cpu: [] });
  entry.wall.push(wall);
  entry.cpu.push(cpuSeconds(c.pid) - cpu);
}

const sh = (c, command) => () => execFileSync('sh', ['-c', command], { cwd: c.plain, stdio: 'ignore' });
const rows = [
  ['write', (c) => sh(c, `dd if=/dev/zero of=big bs=131072 count=${Number(opt.size) * 8}`)],
  ['read', (c) => sh(c, 'dd if=big of=/dev/null bs=131072')],
  ['untar', (c) => sh(c, `mkdir t && tar -xf ${base}/tree.tar -C t`)],
  ['md5sum', (c) => sh(c, 'find t -type f -print0 | xargs -0 md5sum')],
  ['ls -lR', (c) => sh(c, 'ls -lR t')],
  ['rm -rf', (c) => sh(c, 'rm -rf t big')],
];

const median = (a) => [...a].sort((x, y) => x - y)[a.length >> 1];
try {
  makeTar();
  for (const c of contenders) start(c);
  for (let round = 0; round < Number(opt.rounds); round++) {
    for (const [row, make] of rows) for (const c of contenders) measure(c, row, make(c));
  }
  const reference = contenders[0];
  console.log(`${'row'.padEnd(10)} ${'contender'.padEnd(20)} ${'wall s'.padStart(8)} ${'cpu s'.padStart(8)} ${'wall x'.padStart(8)} ${'cpu x'.padStart(8)}`);
  const result = [];
  for (const [row] of rows) {
    for (const c of contenders) {
      const [wall, cpu] = [median(c.rows[row].wall), median(c.rows[row].cpu)];
      const [rw, rc] = [wall / median(reference.rows[row].wall), cpu / median(reference.rows[row].cpu)];
      result.push({ row, contender: c.name, wall, cpu, wallRatio: rw, cpuRatio: rc });
      console.log(
        `${row.padEnd(10)} ${c.name.padEnd(20)} ${wall.toFixed(3).padStart(8)} ${cpu.toFixed(2).padStart(8)} ${rw.toFixed(2).padStart(8)} ${rc.toFixed(2).padStart(8)}`,
      );
    }
  }
  for (const c of contenders) {
    const status = fs.readFileSync(`/proc/${c.pid}/status`, 'utf8');
    console.log(`${c.name.padEnd(20)} resident ${(Number(/VmRSS:\s+(\d+)/.exec(status)[1]) / 1024).toFixed(0)} MiB`);
  }
  if (opt.json) fs.writeFileSync(opt.json, `${JSON.stringify(result, null, 2)}\n`);
} finally {
  for (const c of contenders) if (c.plain) spawnSync('fusermount3', ['-u', c.plain]);
  spawnSync('umount', ['-l', base]);
  fs.rmdirSync(base);
}
