#!/bin/sh
# Called by ./aegisfs in a folder that was never built: checks what is needed, installs the packages, builds.
# Arguments: the folder, the node binary. Prints to standard error only, so that the output of aegisfs stays clean.
home=$1
node=$2

fail() {
  printf '%s\n' "aegisfs: $1" >&2
  exit 1
}
need() {
  command -v "$1" >/dev/null 2>&1 || fail "$1 is needed to build aegisfs and was not found. Install it with: $2"
}

version=$("$node" -p process.versions.node) || fail "$node does not run"
[ "${version%%.*}" -ge 20 ] || fail "Node.js 20 or newer is needed, $node is version $version. See https://nodejs.org/en/download"
need npm 'sudo apt-get install npm'
need "${CC:-cc}" 'sudo apt-get install build-essential'
need make 'sudo apt-get install build-essential'
need python3 'sudo apt-get install python3'
[ -w "$home" ] || fail "it is not built yet, and $home cannot be written: run '$home/aegisfs -version' once as its owner"

log=$(mktemp) || fail 'cannot create a temporary file'
trap 'rm -f "$log"' EXIT
step() {
  printf '%s\n' "aegisfs: first use: $1 ..." >&2
  shift
  "$@" >"$log" 2>&1 </dev/null || {
    cat "$log" >&2
    fail "failed: $* (in $home)"
  }
}

cd "$home" || fail "cannot enter $home"
[ -d node_modules/esbuild ] || step 'fetching the build tools (npm ci)' npm ci --no-audit --no-fund
step 'building (npm run build)' npm run build
