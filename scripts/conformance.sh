#!/usr/bin/env bash
# scripts/conformance.sh: installs the packages, builds dlpack-cts, tests the given libraries (default numpy), shows the report.
#
# Usage: scripts/conformance.sh [LIBRARY... | --all] [OPTION of `dlpack-cts run`...]
#   --all    every library in adapters/ that can be judged on a CPU, except the reference; docs/libraries.md has times and sizes. Then their compact
#            results are stored in reports/results/. scripts/site.sh makes the site of them, and the table in README.md is
#            written again.
# Exit status: that of dlpack-cts: 0 everything is as expected, 1 a result is unexpected, 2 something is missing, 3 dlpack-cts failed.
set -euo pipefail
here=$PWD
# Libraries without arrays in host memory: scripts/on_device.sh judges them.
on_a_device='cupy|jax-cuda|numba-cuda|torch-cuda'
own='reference|reference-native'
cd "$(dirname "$(readlink -f "$0")")/.."
. scripts/lib/common.sh

help_wanted "${1:-}"

# Check the names first: the build takes minutes.
libraries=()
all=no
if [ "${1:-}" = --all ]; then
  shift
  all=yes
  mapfile -t libraries < <(find adapters -name library.toml -printf '%h\n' | sed 's:.*/::' | grep -vxE "$on_a_device|$own" | sort)
fi
while [ $# -gt 0 ] && [[ $1 != -* ]]; do
  libraries+=("$1")
  shift
done
options=("$@")
[ ${#libraries[@]} = 0 ] && [[ " ${options[*]} " != *" --adapter"* ]] && libraries=(numpy)
if [[ " ${options[*]} " != *" --adapter"* ]]; then
  for library in "${libraries[@]}"; do
    [ -f "adapters/${library%%==*}/library.toml" ] ||
      fail "there is no library ${library%%==*}" \
        "the libraries are: $(find adapters -name library.toml -printf '%h\n' | sed 's:.*/::' | sort | paste -s -d' ')"
  done
fi

install_packages "${product_packages[@]}"
check_compiler g++
configure release
build release dlpack-cts dlpack-cts-worker dlpack-cts-bridge

# A native library is built against the wheel of its Python library.
native=()
for library in "${libraries[@]}"; do
  if [ -f "adapters/${library%%==*}/plugin.cc" ]; then native+=("${library%%==*}"); fi
done
if [ ${#native[@]} != 0 ] && [[ " ${options[*]} " != *" --adapter"* ]]; then scripts/native.sh "${native[@]}"; fi

out=()
[[ " ${options[*]} " == *" --out"* ]] || out=(--out "$here/dlpack-cts-out")
program=$PWD/build/release/dlpack-cts
store=$PWD/reports/results
table=$PWD/scripts/top_table.py
cd "$here"
# The program makes an environment for each library. It prints what it installs, and the size, before it does so.
# Results in a folder of the user's own, or of only some cases, are not stored.
if [ $all = no ] || [ ${#options[@]} != 0 ]; then
  exec "$program" run "${libraries[@]}" "${out[@]}" "${options[@]}"
fi
status=0
"$program" run "${libraries[@]}" "${out[@]}" || status=$?
# A report of unexpected results has status 1, as their run. A higher status says that they could not be stored.
stored=0
"$program" report "$here/dlpack-cts-out" --store "$store" >/dev/null || stored=$?
[ "$stored" -le 1 ] || exit "$stored"
python3 "$table" "$program"
exit "$status"
