#!/usr/bin/env bash
# scripts/site.sh: renders the site about all libraries from the compact results in reports/results/, without judging anything.
#
# Usage: scripts/site.sh [DIR]      DIR: the folder of the site; default dlpack-cts-site
# scripts/conformance.sh --all writes the compact results, and scripts/history.sh the histories in reports/history/.
# Exit status: 0 the site was written, 2 something is missing.
set -euo pipefail
here=$PWD
cd "$(dirname "$(readlink -f "$0")")/.."
. scripts/lib/common.sh

help_wanted "${1:-}"
program=$PWD/build/release/dlpack-cts
results=("$PWD"/reports/results/*.ndjson)
histories=$PWD/reports/history
[ -f "${results[0]}" ] || fail "there are no results in reports/results" "write them with scripts/conformance.sh --all"
if ! [ -x "$program" ] || ! [ -x build/release/dlpack-cts-worker ]; then
  install_packages "${product_packages[@]}"
  check_compiler g++
  configure release
  build release dlpack-cts dlpack-cts-worker
fi
out=${1:-dlpack-cts-site}
cd "$here"
# The report of a library whose result is unexpected has exit status 1. The site shows it like any other.
status=0
"$program" report "${results[@]}" --history "$histories" --out "$out" >/dev/null || status=$?
[ "$status" -le 1 ] || exit "$status"
say "the site is $out/index.html"
