#!/usr/bin/env bash
# scripts/on_device.sh: runs the CUDA cases on a machine with a CUDA device, and prints what the device showed.
#
# Usage: scripts/on_device.sh [--program PATH] [--python PATH] [--out FOLDER] [--parts "libraries defects driver example"]
#                             [--seeds N]
#   --program  the built dlpack-cts; default: build/release/dlpack-cts
#   --python   the environment that has the libraries; default: the environment of python3 on PATH
#   --out      folder for results; default: dlpack-cts-on-device
#   --parts    libraries: PyTorch, CuPy, JAX, cuda-core and Numba; defects: those of the test library; driver: how the
#              driver answers; example: examples/cuda-plugin, which is built first, with and without its defects
#   --seeds    only cuda/order/*, with the seeds 1 to N: whether each seed gives the same verdicts
# It takes under five minutes: after 270 s the cases that are left are SKIP. Libraries that the environment does not
# have are left out. Nothing is installed.
# The output is written to FOLDER/summary.txt too. Exit status: 0 if every part ran, 2 if something is missing.
set -euo pipefail
here=$PWD
cd "$(dirname "$(readlink -f "$0")")/.."
# shellcheck source=scripts/lib/common.sh
. scripts/lib/common.sh

help_wanted "${1:-}"
program=$PWD/build/release/dlpack-cts
python=
out=dlpack-cts-on-device
parts="libraries defects driver example"
seeds=
while [ $# -gt 0 ]; do
  [ $# -ge 2 ] || fail "$1 has no value" "scripts/on_device.sh --help shows the options"
  case $1 in
    --program) program=$(cd "$here" && readlink -f "$2") ;;
    --python) python=$2 ;;
    --out) out=$2 ;;
    --parts) parts=$2 ;;
    --seeds)
      [[ $2 =~ ^[1-9][0-9]{0,3}$ ]] || fail "--seeds $2 is not a number from 1 to 9999" "name how many seeds to run"
      seeds=$2
      parts=libraries
      ;;
    *) fail "there is no option $1" "scripts/on_device.sh --help shows the options" ;;
  esac
  shift 2
done
[ -x "$program" ] || fail "there is no program $program" "build it (HACKING.md), or name it with --program"
if [ -z "$python" ]; then
  command -v python3 >/dev/null || fail "there is no python3 on PATH" "name an environment with --python"
  python=$(command -v python3)
fi
cd "$here"
mkdir -p "$out"
out=$(readlink -f "$out")
tree=$(dirname "$(readlink -f "$0")")/..

libraries="torch-cuda cupy jax-cuda cuda-core numba-cuda"
# The module that an adapter needs.
declare -A module=([torch-cuda]=torch [cupy]=cupy [jax-cuda]=jax [cuda-core]=cuda.core [numba-cuda]=numba_cuda)
# What more of its imports is judged, with tensors in device memory.
# A crash of PyTorch and of JAX costs a new process with a new context, of several seconds: no sweep for them.
declare -A more=([torch-cuda]='c-abi/* python/*' [cupy]='c-abi/* python/* whole/import/*'
  [jax-cuda]='c-abi/* python/*' [cuda-core]='c-abi/* python/* whole/import/*'
  [numba-cuda]='c-abi/* python/*')
# What runs in the time that is left after those.
declare -A last=([torch-cuda]='exchange-api/*' [numba-cuda]='whole/import/*')

library_seconds=270
# How many processes judge a library at a time. They share the device, so more of them do not help much.
declare -A jobs_of=([torch-cuda]=4 [cupy]=3 [jax-cuda]=6 [cuda-core]=2 [numba-cuda]=2)

# timed NAME COMMAND...: also writes how many seconds it took to NAME.seconds.
timed() {
  local begun=$SECONDS name=$1
  shift
  "$@" || true
  echo $((SECONDS - begun)) >"$out/$name.seconds"
}
# run_cases LIBRARY FOLDER CASES...: judges those cases, in what is left of the time of a library.
run_cases() {
  local library=$1 folder=$2 left=$((library_seconds - SECONDS))
  shift 2
  [ "$left" -gt 0 ] || { echo "no time was left for: $*"; return; }
  "$program" run "$library" --python "$python" --select "$@" --sweep 200 -j "${jobs_of[$library]}" \
    --time-limit "$left" --format tree --verbose --color never --out "$folder" 2>&1 || true
}
judge() {
  if [ -n "$seeds" ]; then
    "$python" -B "$tree/tests/cuda/order_seeds.py" "$program" "$python" "$1" "$seeds" "$out/order" >"$out/$1.txt" 2>&1 || true
    return
  fi
  read -ra selected <<<"${more[$1]}"
  # What only a device can show comes first.
  {
    run_cases "$1" "$out/$1" 'cuda/*' 'python/stream/*'
    printf '\n-- %s\n' "${more[$1]}"
    run_cases "$1" "$out/$1-more" "${selected[@]}" --deselect 'python/stream/*'
    [ -z "${last[$1]:-}" ] || run_cases "$1" "$out/$1-last" "${last[$1]}"
  } >"$out/$1.txt"
}
jobs=()
for library in $libraries; do
  [[ $parts == *libraries* ]] || break
  if "$python" -c "import importlib.util as u, sys; sys.exit(u.find_spec('${module[$library]}') is None)" 2>/dev/null; then
    timed "$library" judge "$library" &
    jobs+=($!)
  else
    printf 'not installed: %s\n' "${module[$library]}" >"$out/$library.txt"
  fi
done
if [[ $parts == *driver* ]]; then
  timed driver "$python" -B "$tree/tests/cuda/driver/ask.py" --write "$out/answers.toml" >"$out/driver.txt" 2>&1 &
  jobs+=($!)
fi
if [[ $parts == *defects* ]]; then
  timed defects "$python" -B "$tree/tests/cuda/defects_on_device.py" "$program" "$python" "$out/defects" >"$out/defects.txt" 2>&1 &
  jobs+=($!)
fi
# The native example: without a defect, then with each defect that its page names.
example() {
  local build=$out/tiny-cuda defect
  command -v cmake >/dev/null || { echo "not built: there is no cmake"; return; }
  if ! { cmake -S "$tree/examples/cuda-plugin" -B "$build" && cmake --build "$build"; } >"$out/tiny-cuda.log" 2>&1; then
    echo "not built: $out/tiny-cuda.log says why"
    return
  fi
  for defect in none does-not-wait orders-the-default-stream copies-on-its-own-stream; do
    printf -- '-- defect: %s\n' "$defect"
    TINY_CUDA_DEFECT=${defect#none} "$program" run tiny-cuda --adapter "$build" --python "$python" --select 'cuda/*' \
      --format tree --verbose --color never --out "$build/$defect" || true
  done
}
if [[ $parts == *example* ]]; then
  timed example example >"$out/example.txt" 2>&1 &
  jobs+=($!)
fi
# What nvidia-smi says about each device, in one line.
asked() {
  local answer
  answer=$(nvidia-smi --query-gpu="$1" --format=csv,noheader 2>/dev/null | paste -sd ';' -) || true
  printf '%s' "${answer:-unknown}"
}
for job in "${jobs[@]}"; do wait "$job" || true; done

{
  printf 'date: %s\n' "$(date -u +%Y-%m-%d)"
  printf 'device: %s\n' "$(asked name)"
  printf 'driver: %s\n' "$(asked driver_version)"
  printf 'seconds in all: %s\n' "$SECONDS"
  printf 'program: %s\n' "$("$program" --version | head -n 1)"
  "$program" doctor --python "$python" | sed -n 's/^CUDA kernels */kernels: /p' || true
  for part in $libraries defects driver example; do
    [ -f "$out/$part.txt" ] || continue
    printf '\n== %s, %s s\n' "$part" "$(cat "$out/$part.seconds" 2>/dev/null || echo 0)"
    cat "$out/$part.txt"
  done
} | tee "$out/summary.txt"
