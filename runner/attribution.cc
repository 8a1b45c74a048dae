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

}  // namespace

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
