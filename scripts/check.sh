#!/usr/bin/env bash
# scripts/check.sh: checks words, format, shell scripts and lint of the whole tree.
#
# Usage: scripts/check.sh [COMMIT]
#   COMMIT   lint only the sources that differ from it; without it all sources except tests/ (they would double the time)
# Exit status: 0 clean, 1 something to fix, 2 something is missing.
set -euo pipefail
cd "$(dirname "$(readlink -f "$0")")/.."
. scripts/lib/common.sh

help_wanted "${1:-}"

install_packages "${product_packages[@]}" "${check_packages[@]}"
configure release

status=0
say "words: scripts/plain_words.py"
scripts/plain_words.py || status=1
say "format: clang-format-19"
git ls-files -z '*.cc' '*.h' | xargs -0 clang-format-19 --dry-run -Werror || status=1
say "shell: shellcheck"
git ls-files -z '*.sh' .ci/run | xargs -0 shellcheck -x || status=1

mapfile -t sources < <(
  if [ $# -gt 0 ]; then git diff --name-only --diff-filter=d "$1" -- '*.cc'; else git ls-files '*.cc' ':!tests'; fi |
    grep -xFf <(sed -n "s:^  \"file\"\: \"$PWD/\(.*\)\",\{0,1\}$:\1:p" build/release/compile_commands.json)
)
linter=$(pypi_tools lint 150 "${lint_modules[@]}")/bin/clang-tidy || exit 2
say "lint: ${lint_modules[*]} on ${#sources[@]} files"
if [ ${#sources[@]} -gt 0 ]; then
  # g++'s own warning options are unknown to clang; its include paths are not.
  printf '%s\0' "${sources[@]}" |
    xargs -0 -P "$(nproc)" -n 1 "$linter" -p build/release --quiet --extra-arg=-Wno-unknown-warning-option \
      2>/dev/null || status=1
fi
[ $status = 0 ] && say "clean"
exit $status
