/** A reporter for tests that keeps every line with its level. */
import type { Reporter } from '../../src/base/reporter.ts';

/** Lines in order, e.g. `warn: text`. */
export interface RecordingReporter extends Reporter {
  readonly lines: string[];
}

/** Makes one. */
export function recordingReporter(): RecordingReporter {
  const lines: string[] = [];
  const record = (level: string) => (message: string) => {
    lines.push(`${level}: ${message}`);
  };
  return { lines, debug: record('debug'), info: record('info'), warn: record('warn'), fatal: record('fatal') };
}
