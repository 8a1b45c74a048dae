#!/usr/bin/env bash
# scripts/screenshots.sh: makes the pictures of docs/screens.md again: our pages, and the first screen of three runs.
#
# Usage: scripts/screenshots.sh
# It judges NumPy, MLX, and examples/cpp-plugin with a memory fault that it plants, and needs Chromium (about 400 MB).
# Exit status: 0 the pictures are in docs/images, 2 something is missing.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
. scripts/lib/common.sh

help_wanted "${1:-}"
install_packages "${product_packages[@]}" "${browser_packages[@]}"
check_compiler g++
configure release
build release dlpack-cts dlpack-cts-worker dlpack-cts-bridge
python=$(browser_python) || exit 2
"$python" -B scripts/lib/screenshots.py build/release/dlpack-cts
