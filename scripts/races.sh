#!/usr/bin/env bash
# scripts/races.sh: builds whatever runs on several threads with ThreadSanitizer, and runs its tests.
#
# Usage: scripts/races.sh
# Lanes, deleters, ledger and forge natively, then with the bridge and the Python reference.
# Exit status: 0 no data race, 1 a race or a failed test, 2 something is missing.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
. scripts/lib/common.sh

help_wanted "${1:-}"

install_packages "${product_packages[@]}" "${check_packages[@]}"
check_compiler clang++-19
configure tsan
tests=(native_test forge_test ledger_test reference_test reference_python_test)
build tsan "${tests[@]}" dlpack-cts-bridge

status=0
for test in "${tests[@]}"; do
  say "races: $test"
  # ThreadSanitizer ends a run with a race with status 66.
  "build/tsan/$test" --gtest_brief=1 || status=1
done
exit $status
