# Made by scripts/man.mjs from src/cli/flags.ts: do not edit.
# Completion of aegisfs for bash 4 and newer.

_aegisfs_paths() {
  # Outside of a completion, as in tests, there are no options to set.
  compopt -o filenames 2>/dev/null
  mapfile -t COMPREPLY < <(compgen "$1" -- "$2")
}

_aegisfs() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} equals='' dash=- at
  local names='acl aegis aegis256x2 aessiv allow_other badname config context cpuprofile ctlsock debug deterministic-names dev exclude exclude-from exclude-wildcard exec extpass fg fido2 fido2-assert-option force_owner fsck fsname fusedebug hh hkdf idle info init kernel_cache ko longnamemax longnames masterkey memprofile nodev noexec nonempty noprealloc nosuid nosyslog notifypid noxattr one-file-system passfile passwd plaintextnames quiet raw64 reverse ro rw scryptn serialize_reads sharedstorage speed suid trace version wpanic xchacha zerokey'
  COMPREPLY=()
  [[ $cur == --* ]] && dash=--
  if ((COMP_CWORD > 1)); then
    case ${COMP_WORDS[1]} in
      demo) return ;;
      statfs) _aegisfs_paths -f "$cur"; return ;;
      xray)
        if [[ $cur == -* && $prev != -fido2 ]]; then
          COMPREPLY=($(compgen -P $dash -W '0 aegis aegis256x2 aessiv decrypt-paths dumpmasterkey encrypt-paths fido2 version xchacha' -- "${cur#"$dash"}"))
        else
          _aegisfs_paths -f "$cur"
        fi
        return
        ;;
    esac
  fi
  for ((at = 1; at < COMP_CWORD; at++)); do
    [[ ${COMP_WORDS[at]} == -- ]] && { _aegisfs_paths -d "$cur"; return; }
  done
  # The equals sign is a word of its own.
  if [[ $cur == = ]]; then
    equals=1 cur=
  elif [[ $prev == = ]] && ((COMP_CWORD > 2)); then
    equals=1 prev=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  case $prev in
    -config | --config | -cpuprofile | --cpuprofile | -ctlsock | --ctlsock | -exclude-from | --exclude-from | -fido2 | --fido2 | -memprofile | --memprofile | -passfile | --passfile | -trace | --trace) _aegisfs_paths -f "$cur"; return ;;
    -masterkey | --masterkey) COMPREPLY=($(compgen -W 'stdin' -- "$cur")); return ;;
    -badname | --badname | -context | --context | -e | --e | -exclude | --exclude | -ew | --ew | -exclude-wildcard | --exclude-wildcard | -extpass | --extpass | -fido2-assert-option | --fido2-assert-option | -force_owner | --force_owner | -fsname | --fsname | -i | --i | -idle | --idle | -ko | --ko | -longnamemax | --longnamemax | -notifypid | --notifypid | -scryptn | --scryptn) return ;;
    -o)
      [[ $cur == *,* ]] && dash="${cur%,*}," || dash=
      compopt -o nospace 2>/dev/null
      COMPREPLY=($(compgen -P "$dash" -W "$names" -- "${cur##*,}"))
      return
      ;;
  esac
  if [[ $equals ]]; then
    COMPREPLY=($(compgen -W 'true false' -- "$cur"))
  elif [[ $cur == -* ]]; then
    # There is no --o.
    [[ $dash == - ]] && names+=' o'
    COMPREPLY=($(compgen -P $dash -W "$names help" -- "${cur#"$dash"}"))
  else
    _aegisfs_paths -d "$cur"
    ((COMP_CWORD > 1)) || COMPREPLY+=($(compgen -W 'demo statfs xray' -- "$cur"))
  fi
}

complete -F _aegisfs aegisfs
