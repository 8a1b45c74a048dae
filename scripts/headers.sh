#!/usr/bin/env bash
# scripts/headers.sh: fetches real dlpack.h files, for the tests that compare our declarations with them.
#
# apache-tvm-ffi's wheel (3 MB) carries one; PyTorch's is found in its environment once that has been judged.
set -euo pipefail
cache=${DLPACK_CTS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/dlpack-cts}
folder=$cache/headers
wheel=apache-tvm-ffi==0.1.15.post2

[ -n "$(find "$folder" -name dlpack.h 2>/dev/null | head -n 1)" ] && exit 0
mkdir -p "$folder"
echo "headers: fetching $wheel (3 MB) for its dlpack.h"
if ! python3 -m venv "$folder/env" || ! "$folder/env/bin/pip" install -q --no-deps --target "$folder/wheel" "$wheel"; then
  echo "headers: $wheel could not be fetched: is there a network, and is python3-venv installed?" >&2
  exit 2
fi
mkdir -p "$folder/$wheel"
cp "$folder/wheel/tvm_ffi/include/dlpack/dlpack.h" "$folder/$wheel/dlpack.h"
rm -rf "$folder/env" "$folder/wheel"
