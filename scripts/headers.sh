#!/usr/bin/env bash
# scripts/headers.sh: downloads a real dlpack.h, for the tests that compare our declarations with it.
#
# The wheel of apache-tvm-ffi (3 MB) contains one. The tests also use the one of PyTorch if its environment exists.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
. scripts/lib/common.sh
folder=$(cache_folder)/headers
wheel=apache-tvm-ffi==0.1.15.post2

[ -n "$(find "$folder" -name dlpack.h 2>/dev/null | head -n 1)" ] && exit 0
mkdir -p "$folder" || fail "the cache folder $folder cannot be created" "set DLPACK_CTS_CACHE to a writable folder"
say "fetching $wheel (3 MB) for its dlpack.h"
python3 -m venv "$folder/env" >"$folder/log" 2>&1 ||
  fail "python3 -m venv failed: $(tail -n 1 "$folder/log")" "install the Debian package python3-venv"
"$folder/env/bin/pip" install -q --no-deps --target "$folder/wheel" "$wheel" >"$folder/log" 2>&1 ||
  fail "pip could not fetch $wheel: $(tail -n 1 "$folder/log")" "check the network and the disk, then run this script again"
mkdir -p "$folder/$wheel"
cp "$folder/wheel/tvm_ffi/include/dlpack/dlpack.h" "$folder/$wheel/dlpack.h"
rm -rf "$folder/env" "$folder/wheel" "$folder/log"
