// runner/attribution.cc: which results another one speaks for.
#include "runner/attribution.h"

#include <algorithm>

#include "results/tally.h"

namespace dlpack_cts::runner {
namespace {

bool IsWhole(const std::vector<CaseInfo>& cases, const Result& result) {
  return std::any_of(cases.begin(), cases.end(),
                     [&](const CaseInfo& info) { return info.whole && info.id == result.seen.case_id; });
}

bool IsBehind(const Cause& cause, const Result& result) {
  return std::find(cause.cases.begin(), cause.cases.end(), result.seen.case_id) != cause.cases.end();
}

/// The case looks at what the cause breaks.
bool SpeaksOf(const Result& result, const Cause& cause) {
  return std::find(result.rules.begin(), result.rules.end(), cause.rule) != result.rules.end();
}

/// Listed by the deviations behind it: before any of them becomes BLOCKED.
void Expect(const std::vector<Result>& results, Cause& cause) {
  cause.as_expected = !IsDeviation(cause.verdict);
  if (cause.as_expected) return;
  bool any = false;
  for (const Result& result : results) {
    if (!IsDeviation(result.verdict) || !IsBehind(cause, result)) continue;
    if (!result.as_expected) return;
    any = true;
    if (cause.expectation.empty()) cause.expectation = result.expectation;
  }
  cause.as_expected = any;
}

/// The results that a cause is the worst one of. Those speak for it whose cases look at the rule that it breaks; where
/// none does, the first of them speaks. All others are blocked by it.
void Blame(const Cause& cause, std::vector<Result>& results) {
  const auto is_met = [&](const Result& result) { return result.cause == cause.id && IsDeviation(result.verdict); };
  const auto speaks = [&](const Result& result) { return is_met(result) && SpeaksOf(result, cause); };
  const bool any = std::any_of(results.begin(), results.end(), speaks);
  const auto first = std::find_if(results.begin(), results.end(), is_met);
  for (auto result = results.begin(); result != results.end(); ++result) {
    if (!is_met(*result)) continue;
    if (any ? SpeaksOf(*result, cause) : result == first) {
      result->breached = {cause.rule};
      continue;
    }
    result->verdict = Verdict::kBlocked;
    result->breached.clear();
    result->as_expected = true;
    result->expectation.clear();
    result->seen.message = "blocked by the cause " + cause.id;
  }
}

}  // namespace

void Attribute(std::vector<Cause>& causes, std::vector<Result>& results) {
  for (Cause& cause : causes) {
    if (cause.expectation.empty()) {
      Expect(results, cause);
      continue;
    }
    // Listed itself, with all that stands behind it.
    for (Result& result : results) {
      if (result.as_expected || !IsBehind(cause, result)) continue;
      result.as_expected = true;
      result.expectation = cause.expectation;
    }
  }
  for (Result& result : results) {
    if (!IsDeviation(result.verdict) && result.verdict != Verdict::kNote) continue;
    // Causes come worst first; one that the case looks at says more about it than another that it only met.
    const Cause* named = nullptr;
    for (const Cause& cause : causes) {
      if (!IsBehind(cause, result)) continue;
      if (named == nullptr || (!SpeaksOf(result, *named) && SpeaksOf(result, cause))) named = &cause;
    }
    if (named == nullptr) continue;
    result.cause = named->id;
  }
  for (const Cause& cause : causes) Blame(cause, results);
}

void LeaveDeathsToTheirCases(const std::vector<CaseInfo>& cases, std::vector<Result>& results) {
  for (Result& swept : results) {
    if (!IsDeviation(swept.verdict) || !IsWhole(cases, swept)) continue;
    const auto told = std::find_if(results.begin(), results.end(), [&](const Result& other) {
      return other.verdict == swept.verdict && other.seen.message == swept.seen.message && !IsWhole(cases, other);
    });
    if (told == results.end()) continue;
    swept.verdict = Verdict::kNote;
    swept.as_expected = true;
    swept.expectation.clear();
    swept.breached.clear();
    swept.seen.message += ", as in " + told->seen.case_id;
  }
}

}  // namespace dlpack_cts::runner
