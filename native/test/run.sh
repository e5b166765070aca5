#!/bin/sh
# Builds the crypto kernel without Node, with the address and undefined-behaviour sanitizers, and runs crypto-test.c.
# Usage: native/test/run.sh [compiler, default cc]
set -eu
cd "$(dirname "$0")/../.."
cc=${1:-cc}
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
# Every source of the kernel but the Node-API glue.
sources=$(sed -n "s/^ *'\(native\/crypto\/.*\.c\)',\$/\1/p" native/crypto/sources.gypi | grep -v '/module')
for options in '-O1 -fsanitize=address,undefined -fno-sanitize-recover=all' '-O3'; do
  # shellcheck disable=SC2086
  "$cc" -std=c11 -D_GNU_SOURCE -g -Wall -Wextra -Werror -Wno-psabi $options -pthread -o "$dir/crypto-test" native/test/crypto-test.c $sources
  "$dir/crypto-test"
done
