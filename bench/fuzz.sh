#!/usr/bin/env bash
# bench/fuzz.sh: how many exchanges it takes to find planted defects: guided, blind, and with a plain harness. See bench/README.md.
set -euo pipefail
exec python3 -B "$(dirname "$(readlink -f "$0")")/fuzz.py" "$@"
