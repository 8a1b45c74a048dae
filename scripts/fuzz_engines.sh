#!/usr/bin/env bash
# scripts/fuzz_engines.sh: builds the targets as OSS-Fuzz does, and runs each where nothing but $OUT exists.
#
# Usage: scripts/fuzz_engines.sh [SECONDS]    SECONDS for each target; default 8
# $OUT is moved, mounted read-only, and the tree is hidden (unshare). Without the right to mount, neither is done.
# Exit status: 0 all targets ran and found nothing, 1 a target failed, 2 something is missing or the build failed.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
. scripts/lib/common.sh

help_wanted "${1:-}"
seconds=${1:-8}
tree=$PWD
work=$tree/build/engines
log=$work/log
install_packages "${product_packages[@]}" "${check_packages[@]}"
check_compiler clang++-19
mkdir -p "$work"
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

# As OSS-Fuzz sets them for libFuzzer and AddressSanitizer, apart from its own C++ library.
flags="-O1 -fno-omit-frame-pointer -gline-tables-only -DFUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION"
flags+=" -fsanitize=address -fsanitize-address-use-after-scope -fsanitize=fuzzer-no-link"
export CC=clang-19 CXX=clang++-19 CFLAGS=$flags CXXFLAGS=$flags LIB_FUZZING_ENGINE=-fsanitize=fuzzer SANITIZER=address
export WORK=$work OUT=$folder/build-out
mkdir "$OUT"
say "building the targets of OSS-Fuzz in build/engines (the first time takes some minutes)"
fuzz/oss-fuzz/build.sh >"$log" 2>&1 ||
  fail "fuzz/oss-fuzz/build.sh failed: $(grep -m 1 -E 'error|Error' "$log" || tail -n 1 "$log")" "read build/engines/log"
mv "$OUT" "$folder/out"
mkdir "$folder/tmp"

# The interpreter that was copied must not be found either.
prefix=$("${PYTHON:-python3}" -c 'import sys; print(sys.base_prefix)')
hidden=("$tree")
[ "$prefix" = /usr ] || hidden+=("$prefix")
inside=()
if unshare --mount true 2>/dev/null; then
  # shellcheck disable=SC2016  # the inner shell expands them
  inside=(unshare --mount sh -c 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && while [ "$1" != -- ]; do
    mount -t tmpfs none "$1" || exit 1; shift; done; shift; exec "$@"' "$folder/out" "${hidden[@]}" --)
else
  say "this machine does not allow mounts: the targets could also find the tree"
fi

# As in OSS-Fuzz's base-runner.
asan=alloc_dealloc_mismatch=0:allocator_may_return_null=1:detect_leaks=1:detect_stack_use_after_return=1:fast_unwind_on_fatal=0
asan+=:handle_abort=1:handle_segv=1:handle_sigill=1:quarantine_size_mb=10:strict_memcmp=1:symbolize=0:use_sigaltstack=1

# run NAME MUTANT: the target, with its seeds and options as OSS-Fuzz's run_fuzzer passes them. Its output is in the file NAME.
run() {
  local name=$1 mutant=$2 corpus=$folder/tmp/$1-corpus options
  rm -rf "$corpus"
  python3 -m zipfile -e "$folder/out/${name}_seed_corpus.zip" "$corpus"
  mapfile -t options < <(sed -n 's/^\([a-z_]*\) = \(.*\)/-\1=\2/p' "$folder/out/$name.options")
  [ ! -e "$folder/out/$name.dict" ] || options+=(-dict="$folder/out/$name.dict")
  (cd / && "${inside[@]}" env -i PATH=/usr/bin:/bin TMPDIR="$folder/tmp" ASAN_OPTIONS="$asan" DLPACK_CTS_FUZZ_MUTANT="$mutant" \
    "$folder/out/$name" -rss_limit_mb=2560 "${options[@]}" -max_total_time="$seconds" \
    -artifact_prefix="$folder/tmp/" "$corpus") >"$work/$name.log" 2>&1
}

status=0
for options in "$folder"/out/*.options; do
  name=$(basename "$options" .options)
  if run "$name" "" && grep -qE '^Done [1-9][0-9]* runs' "$work/$name.log"; then
    say "$name: $(grep -E '^Done ' "$work/$name.log") $(grep -oE 'cov: [0-9]+' "$work/$name.log" | tail -n 1)"
  else
    say "$name FAILED: $(grep -m 1 -E '^(FAIL|UNSAFE|LEAK|dlpack-cts:|==[0-9]+==ERROR)' "$work/$name.log") (build/engines/$name.log)"
    status=1
  fi
done
if run import_reference ignores-strides || ! grep -q '^FAIL C-STRIDES' "$work/import_reference.log"; then
  say "import_reference FAILED: it did not find the mutant ignores-strides (build/engines/import_reference.log)"
  status=1
fi
exit $status
