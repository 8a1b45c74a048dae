#!/usr/bin/env bash
# bench/run.sh: builds the programs, then prints every figure with its aim. See bench/README.md.
set -euo pipefail
root=$(cd "$(dirname "$0")/.." && pwd)
case " $* " in *" --help "* | *" -h "*) exec python3 -B "$root/bench/measure.py" "$@" ;; esac
cd "$root"
if [ ! -f build/release/build.ninja ]; then
  cmake --preset release >/dev/null || { echo "dlpack-cts: cmake --preset release failed
  hint: install the packages that docs/dependencies.md lists" >&2; exit 2; }
fi
ninja -C build/release dlpack-cts dlpack-cts-worker dlpack-cts-bridge import_rate >/dev/null || { echo "dlpack-cts: the build failed
  hint: run ninja -C build/release import_rate to see the error; it needs libbenchmark-dev" >&2; exit 2; }
exec python3 -B bench/measure.py "$@"
