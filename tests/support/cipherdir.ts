import fs from 'node:fs';
import path from 'node:path';

/** How a vault stores names. */
export type NameMode = 'default' | 'deterministic' | 'plaintext';

const LONG = 'gocryptfs.longname.';
const DIRIV = 'gocryptfs.diriv';

function problemsIn(dir: string, names: readonly string[], mode: NameMode, isRoot: boolean): string[] {
  if (mode === 'plaintext') return [];
  const present = new Set(names);
  const problems: string[] = [];
  if (present.has(DIRIV) !== (mode === 'default')) problems.push(`${dir}: ${DIRIV} is ${present.has(DIRIV) ? 'there' : 'missing'}`);
  for (const name of names) {
    if (name === DIRIV || (isRoot && name === 'gocryptfs.conf')) continue;
    if (name.startsWith(LONG)) {
      const partner = name.endsWith('.name') ? name.slice(0, -'.name'.length) : `${name}.name`;
      if (!present.has(partner)) problems.push(`${dir}/${name} is alone`);
    } else if (name.includes('.')) {
      problems.push(`${dir}/${name} does not belong there`);
    }
  }
  return problems;
}

/**
 * Looks for leftovers in a vault: a `.name` file without its object or the other way round, a missing or superfluous directory IV,
 * a temporary file. Source: format.md 3, 8.4, 8.5, 11.
 * @returns one line a finding
 */
export function leftovers(vault: string, mode: NameMode, dir: string = vault): string[] {
  const entries = fs.readdirSync(dir, { withFileTypes: true });
  const problems = problemsIn(
    dir,
    entries.map((entry) => entry.name),
    mode,
    dir === vault,
  );
  for (const entry of entries) {
    if (entry.isDirectory()) problems.push(...leftovers(vault, mode, path.join(dir, entry.name)));
  }
  return problems;
}
