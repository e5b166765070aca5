import { runOnBareFolder } from './run.ts';

runOnBareFolder();
