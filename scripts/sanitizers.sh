#!/usr/bin/env bash
# scripts/sanitizers.sh: builds dlpack-cts with sanitizers, and runs its own tests.
#
# Usage: scripts/sanitizers.sh [address|thread]
# address: AddressSanitizer and UndefinedBehaviorSanitizer (preset sanitize); thread: ThreadSanitizer (preset tsan).
# Without an argument both run, one after the other. The first time takes about 15 minutes each.
# Exit status: 0 nothing found, 1 something found or a failed test, 2 something is missing.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
. scripts/lib/common.sh

# The test programs. Tests that run hundreds of processes are left out: with sanitizers they take hours.
tests=(bridge_test case_test forge_test fuzz_mutate_test judge_test ledger_test mutants_test native_test oracle_test
  recipe_test reference_test reference_python_test reports_test reproducer_test results_test runner_test suites_test)

# run PRESET: the tests of that preset.
run() {
  local preset=$1
  configure "$preset"
  build "$preset" "${tests[@]}" dlpack-cts dlpack-cts-worker dlpack-cts-bridge
  say "sanitizers: the tests of $preset"
  ctest --test-dir "build/$preset" --output-on-failure -R "^($(IFS='|' && echo "${tests[*]}"))\$" || status=1
}

help_wanted "${1:-}"
case "${1:-}" in
  "") presets=(sanitize tsan) ;;
  address) presets=(sanitize) ;;
  thread) presets=(tsan) ;;
  *) fail "there is no sanitizer '$1'" "give address or thread, or no argument for both" ;;
esac

install_packages "${test_packages[@]}" "${check_packages[@]}"
check_compiler clang++-19
# CPython does not free all memory at its end, and the forge handles faults itself.
export ASAN_OPTIONS=detect_leaks=0:handle_segv=1:allow_user_segv_handler=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
status=0
for preset in "${presets[@]}"; do run "$preset"; done
exit $status
