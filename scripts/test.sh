#!/usr/bin/env bash
# scripts/test.sh: installs the packages, builds everything, and runs every test of dlpack-cts itself.
#
# Usage: scripts/test.sh [--torch] [--browser] [CTEST-OPTION...]
#   --torch     also make an environment with PyTorch (about 1 GB), for the tests that need it; an existing one is always used
#   --browser   also install Chromium (about 400 MB on disk) and what drives it, for the test that looks at pages
# Exit status: 0 all tests passed, 1 a test failed, 2 something is missing.
# CI sets DLPACK_CTS_ALL_PYTHONS=ON: then every CPython version that the bridge is tested with must be installed.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
. scripts/lib/common.sh

help_wanted "${1:-}"
torch=no browser=no
while :; do
  case "${1:-}" in
    --torch) torch=yes ;;
    --browser) browser=yes ;;
    *) break ;;
  esac
  shift
done

cache=$(cache_folder)
packages=("${test_packages[@]}")
[ $browser = yes ] && packages+=("${browser_packages[@]}")
install_packages "${packages[@]}"
check_compiler g++
scripts/headers.sh
configure release
build release dlpack-cts dlpack-cts-worker dlpack-cts-bridge

# The program makes the environments, and prints what it installs and the size.
program=build/release/dlpack-cts
python=$("$program" env create numpy) || exit 2
settings=(-DDLPACK_CTS_TEST_NUMPY_ENV="${python%/bin/python}" -DDLPACK_CTS_ALL_PYTHONS="${DLPACK_CTS_ALL_PYTHONS:-OFF}")
if [ $torch = yes ] || compgen -G "$cache/env/torch-*/dlpack-cts-complete" >/dev/null; then
  python=$("$program" env create torch) || exit 2
  settings+=(-DDLPACK_CTS_TEST_TORCH_ENV="${python%/bin/python}")
else
  say "there is no environment with PyTorch (about 1 GB): tests that need it do not run (--torch makes it)"
  settings+=(-DDLPACK_CTS_TEST_TORCH_ENV=)
fi
if [ $browser = yes ]; then
  python=$(browser_python) || exit 2
  settings+=(-DDLPACK_CTS_TEST_BROWSER_PYTHON="$python")
  export DLPACK_CTS_BROWSER_MUST_RUN=1
fi
configure release "${settings[@]}"
build release

ctest --test-dir build/release -j "$(nproc)" --output-on-failure "$@" || exit 1
