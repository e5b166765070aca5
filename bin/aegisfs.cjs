#!/usr/bin/env node
'use strict';
// The command of an installed package; a clone has the launcher ./aegisfs, which also builds.
const fs = require('node:fs');
const path = require('node:path');

const program = path.join(__dirname, '..', 'dist', 'main.cjs');
if (fs.existsSync(program)) {
  require(program);
} else {
  process.stderr.write(`aegisfs: ${program} does not exist: run "npm run build" in ${path.dirname(__dirname)}\n`);
  process.exitCode = 1;
}
