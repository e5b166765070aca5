/** completions/aegisfs.bash. */
import { TOOL_REFERENCE } from '../../src/cli/flag-reference.ts';
import { XRAY_FLAGS } from '../../src/cli/xray-line.ts';
import { completedRows, type FlagRow } from './flag-rows.ts';

function patterns(rows: readonly FlagRow[]): string {
  return rows.flatMap(({ names }) => names.flatMap((name) => [`-${name}`, `--${name}`])).join(' | ');
}

function caseOf(rows: readonly FlagRow[], action: string): string {
  return rows.length === 0 ? '' : `    ${patterns(rows)}) ${action} ;;\n`;
}

/** A script to be sourced by bash 4 or newer; needs no other package. */
export function bashCompletion(): string {
  const rows = completedRows();
  const withValue = rows.filter(({ argument }) => argument !== undefined);
  const choices = withValue.filter(({ values }) => Array.isArray(values));
  const cases = [
    caseOf(
      withValue.filter(({ values }) => values === 'file'),
      '_aegisfs_paths -f "$cur"; return',
    ),
    ...choices.map((row) => caseOf([row], `COMPREPLY=($(compgen -W '${(row.values as readonly string[]).join(' ')}' -- "$cur")); return`)),
    caseOf(
      withValue.filter(({ values }) => values === undefined || values === 'free'),
      'return',
    ),
  ];
  return `# Made by scripts/man.mjs from src/cli/flags.ts: do not edit.
# Completion of aegisfs for bash 4 and newer.

_aegisfs_paths() {
  # Outside of a completion, as in tests, there are no options to set.
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen "$1" -- "$2")
}

_aegisfs() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} equals='' dash=- at
  local names='${rows.map(({ name }) => name).join(' ')}'
  COMPREPLY=()
  [[ $cur == --* ]] && dash=--
  if ((COMP_CWORD > 1)); then
    case \${COMP_WORDS[1]} in
      demo) return ;;
      statfs) _aegisfs_paths -f "$cur"; return ;;
      xray)
        if [[ $cur == -* && $prev != -fido2 ]]; then
          COMPREPLY=($(compgen -P $dash -W '${XRAY_FLAGS.map(({ name }) => name).join(' ')}' -- "\${cur#"$dash"}"))
        else
          _aegisfs_paths -f "$cur"
        fi
        return
        ;;
    esac
  fi
  for ((at = 1; at < COMP_CWORD; at++)); do
    [[ \${COMP_WORDS[at]} == -- ]] && { _aegisfs_paths -d "$cur"; return; }
  done
  # The equals sign is a word of its own.
  if [[ $cur == = ]]; then
    equals=1 cur=
  elif [[ $prev == = ]] && ((COMP_CWORD > 2)); then
    equals=1 prev=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  case $prev in
${cases.join('')}    -o)
      [[ $cur == *,* ]] && dash="\${cur%,*}," || dash=
      compopt -o nospace 2>/dev/null
      COMPREPLY=($(compgen -P "$dash" -W "$names" -- "\${cur##*,}"))
      return
      ;;
  esac
  if [[ $equals ]]; then
    COMPREPLY=($(compgen -W 'true false' -- "$cur"))
  elif [[ $cur == -* ]]; then
    # There is no --o.
    [[ $dash == - ]] && names+=' o'
    COMPREPLY=($(compgen -P $dash -W "$names help" -- "\${cur#"$dash"}"))
  else
    _aegisfs_paths -d "$cur"
    ((COMP_CWORD > 1)) || COMPREPLY+=($(compgen -W '${Object.keys(TOOL_REFERENCE).join(' ')}' -- "$cur"))
  fi
}

complete -F _aegisfs aegisfs
`;
}
