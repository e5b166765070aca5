import { GOCRYPTFS_ROW } from './rows.ts';
import { runOnVault } from './run.ts';

runOnVault(GOCRYPTFS_ROW);
