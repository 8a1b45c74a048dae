// runner/run/fail_on.cc: changes what of a run is as expected.
#include "runner/run/fail_on.h"

#include <algorithm>

#include "results/tally.h"
#include "results/uncounted.h"

namespace dlpack_cts::runner {
namespace {

bool IsLess(Verdict verdict, const std::string& least) {
  return least == "never" || (least == "fail" && (verdict == Verdict::kWarn || verdict == Verdict::kNote));
}

/// For a result or a cause.
template <typename Seen>
void Apply(const std::string& least, Seen& seen) {
  if (!seen.as_expected && IsLess(seen.verdict, least)) {
    seen.as_expected = true;
    seen.expectation = least == "fail" ? kBelowFail : kBelowNever;
  }
  if (least == "note" && seen.verdict == Verdict::kNote && seen.expectation.empty()) seen.as_expected = false;
}

template <typename Seen>
void LeaveOut(Seen& seen) {
  if (seen.as_expected) return;
  seen.as_expected = true;
  seen.expectation = kOnInvalidInput;
}

}  // namespace

bool IsLeftOut(const Cause& cause) { return cause.as_expected && cause.expectation == kOfNoSelectedCase; }

void LeaveOtherCauses(Run& run) {
  for (Cause& cause : run.causes) {
    const bool reported = std::any_of(run.results.begin(), run.results.end(), [&](const Result& result) {
      return result.cause == cause.id && IsDeviation(result.verdict);
    });
    if (cause.as_expected || cause.limitation || reported) continue;
    cause.as_expected = true;
    cause.expectation = kOfNoSelectedCase;
  }
}

void ApplyFailOn(const std::string& least, bool strict, Run& run) {
  for (Result& result : run.results) Apply(least, result);
  for (Cause& cause : run.causes) Apply(least, cause);
  if (strict) return;
  for (Result& result : run.results) {
    if (result.hostile) LeaveOut(result);
  }
  for (Cause& cause : run.causes) {
    if (IsOnInvalidInput(run, cause)) LeaveOut(cause);
  }
}

}  // namespace dlpack_cts::runner
