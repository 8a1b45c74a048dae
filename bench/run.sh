#!/usr/bin/env bash
# bench/run.sh: builds the programs, then prints every figure with its aim, or beside that of another commit. See bench/README.md.
set -euo pipefail
exec python3 -B "$(dirname "$(readlink -f "$0")")/run.py" "$@"
