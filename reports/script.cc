// reports/script.cc: finds the reproducer that shows a cause.
#include "reports/script.h"

#include <algorithm>

namespace dlpack_cts {

const Result* ResultWithScript(const Run& run, const Cause& cause) {
  const auto found = std::ranges::find_if(
      run.results, [&](const Result& result) { return result.cause == cause.id && !result.reproducer.empty(); });
  return found == run.results.end() ? nullptr : &*found;
}

std::string ScriptOf(const Run& run, const Cause& cause) {
  const Result* const result = ResultWithScript(run, cause);
  return result == nullptr ? "" : result->reproducer;
}

}  // namespace dlpack_cts
