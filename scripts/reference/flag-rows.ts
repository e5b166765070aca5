/** The rows of src/cli/flags.ts joined with what src/cli/flag-reference.ts says about them. */
import { FLAG_SECTIONS, type FlagReference } from '../../src/cli/flag-reference.ts';
import { type FlagName, type FlagSpec, findFlag } from '../../src/cli/flags.ts';

/** An option with everything that is known about it. */
export interface FlagRow extends FlagSpec, FlagReference {
  readonly name: FlagName;
  /** All spellings without dash, the short one first. */
  readonly names: readonly string[];
}

/** The options of a section, in the order of the manual. */
export function rowsOf(flags: Partial<Record<FlagName, FlagReference>>): FlagRow[] {
  return Object.entries(flags).map(([name, reference]) => {
    const spec = findFlag(name);
    if (spec === undefined) throw new Error(`there is no option -${name}`);
    return { ...spec, ...reference, names: spec.alias === undefined ? [name] : [spec.alias, name] };
  });
}

/** The options that completion offers, in alphabetical order. */
export function completedRows(): FlagRow[] {
  const rows = FLAG_SECTIONS.filter((section) => !section.isObsolete).flatMap((section) => rowsOf(section.flags));
  return rows.sort((a, b) => (a.name < b.name ? -1 : 1));
}
