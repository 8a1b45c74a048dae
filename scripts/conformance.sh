#!/usr/bin/env bash
# scripts/conformance.sh: installs what is needed, builds, judges the libraries named (default numpy), and shows the report.
#
# Usage: scripts/conformance.sh [LIBRARY...] [OPTION of `dlpack-cts run`...]
# Exit status: that of dlpack-cts: 0 all as expected, 1 something unexpected, 2 something is missing, 3 the harness failed.
set -euo pipefail
here=$PWD
cd "$(dirname "$(readlink -f "$0")")/.."
. scripts/lib/common.sh

help_wanted "${1:-}"

# Names first: nobody wants to hear of a typing error after the build.
libraries=()
for word in "$@"; do
  [[ $word == -* ]] && break
  libraries+=("$word")
done
options=("${@:$((${#libraries[@]} + 1))}")
[ ${#libraries[@]} = 0 ] && libraries=(numpy)
if [[ " ${options[*]} " != *" --adapter"* ]]; then
  for library in "${libraries[@]}"; do
    [ -f "adapters/${library%%==*}/library.toml" ] ||
      fail "there is no library ${library%%==*}" \
        "known are: $(find adapters -name library.toml -printf '%h\n' | sed 's:.*/::' | sort | paste -s -d' ')"
  done
fi

install_packages "${product_packages[@]}"
check_compiler g++
configure release
build release dlpack-cts dlpack-cts-worker dlpack-cts-bridge

out=()
[[ " ${options[*]} " == *" --out"* ]] || out=(--out "$here/dlpack-cts-out")
program=$PWD/build/release/dlpack-cts
cd "$here"
# The program makes each library's own environment, and says before that what it installs and how large it is.
exec "$program" run "${libraries[@]}" "${out[@]}" "${options[@]}"
