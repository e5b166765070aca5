import { AEGISFS_ROWS } from './rows.ts';
import { runOnVault } from './run.ts';

for (const row of AEGISFS_ROWS) runOnVault(row);
