// results/uncounted.cc: tells the reasons of options from those of lists.
#include "results/uncounted.h"

#include <algorithm>

#include "results/tally.h"

namespace dlpack_cts {

bool IsUncounted(const std::string& expectation) {
  const auto reasons = {kOnInvalidInput, kOfNoSelectedCase, kBelowFail, kBelowNever};
  return std::ranges::any_of(reasons, [&](const char* reason) { return expectation == reason; });
}

std::string WhyExpected(const std::string& expectation) {
  return expectation.empty() || IsUncounted(expectation) ? expectation : "known: " + expectation;
}

bool IsUncounted(const Result& result) {
  return result.as_expected && IsDeviation(result.verdict) && IsUncounted(result.expectation);
}

int64_t CountUncounted(const Run& run) {
  return std::ranges::count_if(run.results, [](const Result& result) { return IsUncounted(result); });
}

}  // namespace dlpack_cts
