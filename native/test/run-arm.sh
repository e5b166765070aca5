#!/bin/sh
# The kernel test for 64-bit ARM on any machine: cross-compiled, run under qemu's user-mode emulation.
# Needs (Debian) gcc-aarch64-linux-gnu, libc6-dev-arm64-cross and qemu-user.
set -eu
cd "$(dirname "$0")/../.."
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
sources=$(sed -n "s/^ *'\(native\/crypto\/.*\.c\)',\$/\1/p" native/crypto/sources.gypi | grep -v '/module')
# shellcheck disable=SC2086
aarch64-linux-gnu-gcc -std=c11 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror -static -pthread -o "$dir/crypto-test" native/test/crypto-test.c $sources
qemu-aarch64 "$dir/crypto-test" quick
