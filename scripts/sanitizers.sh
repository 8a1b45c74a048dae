#!/usr/bin/env bash
# scripts/sanitizers.sh: builds the harness with sanitizers, and runs its own tests.
#
# Usage: scripts/sanitizers.sh [address|thread]
# address: AddressSanitizer and UndefinedBehaviorSanitizer (preset sanitize); thread: ThreadSanitizer (preset tsan).
# Without a word, both, one after the other. The first time takes about a quarter of an hour each.
# Exit status: 0 nothing found, 1 something found or a failed test, 2 something is missing.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
. scripts/lib/common.sh

# Every test that is a program of ours. Those of the suites' judgement run hundreds of processes and take hours so.
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
  *) fail "there is no sanitizer '$1'" "address, thread, or nothing for both" ;;
esac

install_packages "${test_packages[@]}" "${check_packages[@]}"
check_compiler clang++-19
# CPython keeps memory to its end, and a fault is the forge's to handle.
export ASAN_OPTIONS=detect_leaks=0:handle_segv=1:allow_user_segv_handler=1 UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
status=0
for preset in "${presets[@]}"; do run "$preset"; done
exit $status
