#!/usr/bin/env bash
# scripts/history.sh: judges releases of a library, and stores a line for each in reports/history/LIBRARY.ndjson.
#
# Usage: scripts/history.sh LIBRARY [VERSION...] [--since VERSION] [--limit SECONDS]
#   VERSION           releases; default: of each minor release that the package index has, the last patch release
#   --since VERSION   leave older releases out
#   --limit SECONDS   of one release; default 1800. A release that takes longer is stored with that reason
# The environment of a release is removed when it was judged, unless it was there before. docs/history.md has more.
# Exit status: 0 each release was judged, or its line says why not; 2 something is missing.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
# shellcheck source=scripts/lib/common.sh
. scripts/lib/common.sh

help_wanted "${1:-}"
library=
versions=()
since=0
limit=1800
while [ $# -gt 0 ]; do
  case "$1" in
    --since | --limit)
      [ -n "${2:-}" ] || fail "$1 needs a value" "for example: scripts/history.sh numpy --since 1.22 --limit 600"
      [ "$1" = --since ] && since=$2 || limit=$2
      shift
      ;;
    -*) fail "there is no option $1" "scripts/history.sh --help lists the options" ;;
    *) [ -z "$library" ] && library=$1 || versions+=("$1") ;;
  esac
  shift
done
[ -n "$library" ] || fail "LIBRARY is required" "for example: scripts/history.sh numpy --since 1.22"
[ -f "adapters/$library/library.toml" ] || fail "there is no library $library" "dlpack-cts list libraries names them"

program=$PWD/build/release/dlpack-cts
if ! [ -x "$program" ] || ! [ -x build/release/dlpack-cts-worker ]; then
  install_packages "${product_packages[@]}"
  check_compiler g++
  configure release
  build release dlpack-cts dlpack-cts-worker dlpack-cts-bridge
fi

# The last patch release of each minor release, the oldest first. An interpreter sees only the wheels for itself.
minor_releases() {
  local package python
  package=$("$program" list libraries --json |
    python3 -c 'import json, sys; print(next(one["package"] for one in json.load(sys.stdin) if one["library"] == sys.argv[1]))' \
      "$library")
  for python in python3 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/*/bin/python3; do
    "$python" -m pip index versions --ignore-requires-python "$package" 2>/dev/null | sed -n 's/^Available versions: //p' || true
  done | tr -s ', ' '\n' | sort -Vu | awk -F. -v since="$since" '
    function number(version, parts) { split(version, parts, "."); return parts[1] * 1000 + parts[2] }
    number($0) >= number(since) { last[$1 "." $2] = $0; if (!($1 "." $2 in place)) { place[$1 "." $2] = ++minors; names[minors] = $1 "." $2 } }
    END { for (i = 1; i <= minors; i++) print last[names[i]] }'
}

# Why the program ended without results: its last message, without paths of this machine.
reason_in() {
  local text
  text=$(sed -n 's/^dlpack-cts: \(.*\)$/\1/p' "$1" | grep -v '^running: ' | tail -n 1 |
    sed -e 's/ (full output in [^)]*)//' -e "s:$PWD/::g" -e "s:$(cache_folder)/::g")
  printf '%s\n' "${text:-the program ended without a message}"
}

# Those that this run made: the program names each that it makes.
remove_environments() {
  local folder
  while read -r folder; do
    rm -f "$folder.log"
    [ ! -d "$folder" ] || "$program" env remove "$(basename "$folder")" >/dev/null
  done < <(sed -n "s:^dlpack-cts\: making an environment for .* in \([^ ]*\)\: .*:\1:p" "$1")
}

if [ ${#versions[@]} = 0 ]; then
  mapfile -t versions < <(minor_releases)
  [ ${#versions[@]} != 0 ] || fail "the package index names no release of $library" "check the network, or name versions"
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for version in "${versions[@]}"; do
  status=0
  # pip need not compile modules that one run imports.
  PIP_NO_COMPILE=1 "$program" run "$library==$version" --time-limit "$limit" --out "$work/out" \
    >"$work/text" 2>"$work/messages" || status=$?
  remove_environments "$work/messages"
  [ "$status" != 130 ] || exit 130
  if [ -f "$work/out/results.ndjson" ]; then
    "$program" history reports/history "$work/out"
  else
    "$program" history reports/history --not-judged "$library==$version" --reason "$(reason_in "$work/messages")"
  fi
  rm -rf "$work/out"
done
