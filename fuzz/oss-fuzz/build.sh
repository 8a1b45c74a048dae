#!/usr/bin/env bash
# fuzz/oss-fuzz/build.sh: builds the fuzz targets into $OUT, for OSS-Fuzz and ClusterFuzzLite.
#
# The engine sets CC, CXX, CFLAGS, CXXFLAGS, LIB_FUZZING_ENGINE, SANITIZER and OUT. WORK holds the build, and PYTHON is the
# interpreter that is copied with NumPy; it needs a shared libpython. docs/fuzzing.md describes what is in $OUT.
set -euo pipefail
here=$(dirname "$(readlink -f "$0")")
tree=$(readlink -f "$here/../..")
build=${WORK:-$tree/build}/oss-fuzz-${SANITIZER:-none}
python=${PYTHON:-python3}

# Only these headers: fmt is compiled with the flags of the engine, whose C++ library may be another one.
mkdir -p "$build/include"
for name in fmt nlohmann CLI toml++; do
  ln -sfn "/usr/include/$name" "$build/include/$name"
done

# Coverage is wanted of the libraries under test. That of the harness would guide the engine to branches of the harness.
plugin_flags=$CXXFLAGS
CXXFLAGS=${CXXFLAGS//-fsanitize=fuzzer-no-link/} cmake -S "$tree" -B "$build" -G Ninja -DCMAKE_BUILD_TYPE=None \
  -DCMAKE_CXX_COMPILER="$CXX" -DDLPACK_CTS_FUZZ=ON -DDLPACK_CTS_FUZZ_ENGINE="$LIB_FUZZING_ENGINE" -DDLPACK_CTS_TESTS=OFF \
  -DDLPACK_CTS_PRECOMPILED=ON -DDLPACK_CTS_HEADERS="$build/include" -DDLPACK_CTS_NVCC=NOTFOUND \
  -DPython3_EXECUTABLE="$(command -v "$python")" \
  -DCMAKE_BUILD_RPATH="\$ORIGIN/lib" -DCMAKE_EXE_LINKER_FLAGS=-Wl,--disable-new-dtags
ninja -C "$build" dlpack-cts-fuzz dlpack-cts-bridge

cp "$build/libdlpack-cts-bridge.so" "$OUT/"
# shellcheck disable=SC2086  # the flags are several words
$CXX $plugin_flags -std=c++20 -fPIC -shared -fvisibility=hidden -I"$tree/subject" "$tree"/examples/cpp-plugin/*.cc \
  -o "$OUT/libtiny-plugin.so"
printf 'KIND=reference-native\n' >"$OUT/reference.settings"
printf 'LIBRARY=tiny\nKIND=native\nADAPTER=libtiny-plugin.so\n' >"$OUT/plugin.settings"
"$python" -B "$here/copy_python.py" "$OUT" "$tree/adapters/numpy" "$build/dlpack-cts-fuzz"

# target NAME SUBJECT: the program, its options, its seeds, and its dictionary if it has one.
target() {
  local name=$OUT/$1_$2
  cp "$build/dlpack-cts-fuzz" "$name"
  printf '[libfuzzer]\ndetect_leaks = 0\ntimeout = 25\n' >"$name.options"
  rm -f "${name}_seed_corpus.zip"
  (cd "$tree/corpus/$1" && "$python" -m zipfile -c "${name}_seed_corpus.zip" ./*)
  [ ! -e "$tree/corpus/$1.dict" ] || cp "$tree/corpus/$1.dict" "$name.dict"
}

for subject in reference plugin numpy; do
  target import "$subject"
  target export "$subject"
done
# Structs of any bytes are for readers that coverage or a sanitizer sees into.
target header reference
target header plugin
