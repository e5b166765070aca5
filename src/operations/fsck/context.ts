import type { Reporter } from '../../base/reporter.ts';
import type { VaultParameters } from '../../vault/parameters.ts';
import type { Findings } from './findings.ts';

/** What every part of a check works with. */
export interface FsckContext {
  readonly parameters: VaultParameters;
  readonly log: Reporter;
  readonly findings: Findings;
  /** -noxattr: attributes are not looked at. */
  readonly noXattr: boolean;
  /** -badname patterns: matching names are shown by a mount, so they are no findings (behaviour.md 6.5). */
  readonly badNamePatterns: readonly string[];
  readonly progress: FsckProgress;
}

/** How far a check has come. */
export interface FsckProgress {
  /** Entries looked at. */
  entries: number;
  /** Stored bytes of file contents read. */
  bytes: number;
}
