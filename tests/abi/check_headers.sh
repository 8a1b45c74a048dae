#!/usr/bin/env bash
# tests/abi/check_headers.sh: compiles header_agrees.cc against every dlpack.h that installed packages carry.
#
# Usage: check_headers.sh COMPILER SOURCE_ROOT. Headers are looked for in the environments and downloads of the cache folder
# (scripts/headers.sh fetches a wheel that carries one); finding none is a failure, since then nothing was compared.
set -euo pipefail
compiler=$1
root=$2
cache=${DLPACK_CTS_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/dlpack-cts}

found=0
failed=0
seen=' '
while IFS= read -r header; do
  grep -q 'DLPACK_DLL' "$header" || continue  # other libraries have files of that name: TensorFlow does
  # Before 0.4 the struct of the device had another name. MXNet 1.9 carries such a header; the layout is that of later ones.
  if ! grep -q 'DLDevice;' "$header"; then
    echo "not compared, it is older than 0.4: $header"
    continue
  fi
  sum=$(sha256sum "$header" | cut -c1-16)
  case "$seen" in *" $sum "*) continue ;; esac
  seen="$seen$sum "
  found=$((found + 1))
  if "$compiler" -std=c++20 -fsyntax-only -I"$root" -DDLPACK_HEADER="\"$header\"" "$root/tests/abi/header_agrees.cc"; then
    echo "agrees: $header"
  else
    echo "DIFFERS: $header"
    failed=1
  fi
done < <(find "$cache" -name dlpack.h 2>/dev/null | sort)

if [ "$found" = 0 ]; then
  echo "no dlpack.h under $cache: run scripts/headers.sh, which fetches a wheel that carries one" >&2
  exit 1
fi
exit "$failed"
