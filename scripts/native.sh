#!/usr/bin/env bash
# scripts/native.sh: builds the plug-ins of native C++ libraries against the headers and shared libraries that their wheels carry.
#
# Usage: scripts/native.sh [--python ENVIRONMENT] NAME...
#   NAME        a folder of adapters/ with a plugin.cc, such as tvm-ffi-native
#   --python    an environment that has the wheel. Without it, the environment of the Python library is used, or made.
# The plug-ins are build/native/NAME.so, where their library.toml names them. $CXX is the compiler (default c++), of C++20.
# Needs build/release/dlpack-cts (scripts/conformance.sh builds it), or the program that $DLPACK_CTS names.
# Exit status: 0 they are built, 2 something is missing.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
. scripts/lib/common.sh

help_wanted "${1:-}"
program=${DLPACK_CTS:-build/release/dlpack-cts}
given=
if [ "${1:-}" = --python ]; then
  given=${2:-}
  shift 2 || fail "--python needs a value" "give the folder of an environment"
fi
[ $# -gt 0 ] || fail "no plug-in is named" "name a folder of adapters/ that has a plugin.cc, such as tvm-ffi-native"

# module_folder ENVIRONMENT MODULE: where the wheel was installed.
module_folder() {
  local folder=$1
  [ -d "$folder" ] && folder=$folder/bin/python
  [ -x "$folder" ] && "$folder" -c 'import importlib.util, os, sys
found = importlib.util.find_spec(sys.argv[1])
print(os.path.dirname(found.origin) if found else "")' "$2"
}

for name in "$@"; do
  source=adapters/$name/plugin.cc
  [ -f "$source" ] || fail "there is no $source" "give a folder of adapters/ that has a plugin.cc"
  case $name in
    tvm-ffi-native) library=tvm-ffi module=tvm_ffi include=(include) link=(lib/libtvm_ffi.so) ;;
    arrow-native | arrow-array-native) library=pyarrow module=pyarrow include=(include) link=("libarrow.so.*") ;;
    torch-native) library=torch module=torch include=(include) link=(lib/libtorch_cpu.so lib/libc10.so) ;;
    *) fail "scripts/native.sh has no row for $name" "add the module, its folders of headers, and its shared libraries" ;;
  esac
  python=${given:-$("$program" env create "$library")}
  where=$(module_folder "$python" "$module") || fail "$python is not a Python environment" "give the folder of an environment that has $module"
  [ -n "$where" ] || fail "$python has no module $module" "give an environment that has it, or leave out --python"
  command=("${CXX:-c++}" -std=c++20 -O1 -g -fPIC -shared -fvisibility=hidden -Wall -Wextra -Isubject -Iadapters/helpers)
  for folder in "${include[@]}"; do command+=(-isystem "$where/$folder"); done
  command+=("$source")
  for pattern in "${link[@]}"; do
    file=$(compgen -G "$where/$pattern") || fail "$where has no $pattern" "use the version that docs/libraries.md names"
    command+=("$file" "-Wl,-rpath,$(dirname "$file")")
  done
  built=build/native/$name.so
  # Tests of one library run at the same time: an up-to-date plug-in stays, and a new one appears whole.
  stamp="${command[*]} $(cat "$source" subject/plugin.h adapters/helpers/native.h adapters/*-native/*.h | cksum)"
  mkdir -p build/native
  if [ -f "$built" ] && [ "$(cat "$built.stamp" 2>/dev/null)" = "$stamp" ]; then continue; fi
  say "building $built with $module in $where"
  "${command[@]}" -o "$built.$$" || fail "the compiler rejected $source" "use a compiler of C++20, and the version that docs/libraries.md names"
  mv "$built.$$" "$built"
  printf '%s\n' "$stamp" >"$built.stamp"
done
