// results/tally.cc: counts of a run's verdicts.
#include "results/tally.h"

#include <algorithm>

#include "results/uncounted.h"

namespace dlpack_cts {

bool IsUnexpectedAlone(const Run& run, const Cause& cause) {
  return !cause.as_expected && std::none_of(run.results.begin(), run.results.end(), [&](const Result& result) {
    return !result.as_expected && result.cause == cause.id;
  });
}

int64_t CountUnexpected(const Run& run) {
  return Count(run.results, Scope::kAll).unexpected +
         std::count_if(run.causes.begin(), run.causes.end(),
                       [&](const Cause& cause) { return IsUnexpectedAlone(run, cause); });
}

bool IsDeviation(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFail:
    case Verdict::kWarn:
    case Verdict::kCrash:
    case Verdict::kTimeout:
    case Verdict::kLeak:
    case Verdict::kUnsafe:
      return true;
    case Verdict::kPass:
    case Verdict::kNote:
    case Verdict::kSkip:
    case Verdict::kBlocked:
      break;
  }
  return false;
}

bool IsJudged(Verdict verdict) { return verdict != Verdict::kSkip && verdict != Verdict::kBlocked; }

bool IsOnInvalidInput(const Run& run, const Cause& cause) {
  if (cause.limitation) return false;
  return std::none_of(run.results.begin(), run.results.end(), [&](const Result& result) {
    return !result.hostile && std::count(cause.cases.begin(), cause.cases.end(), result.seen.case_id) > 0;
  });
}

const std::vector<std::string>& RulesNamed(const Result& result) {
  return result.breached.empty() ? result.rules : result.breached;
}

bool IsListed(const Result& result) {
  return result.as_expected && IsDeviation(result.verdict) && !IsUncounted(result.expectation);
}

void Add(const Result& result, Tally& tally) {
  ++tally.counts[static_cast<size_t>(result.verdict)];
  ++tally.total;
  if (!result.as_expected) ++tally.unexpected;
  if (IsListed(result)) ++tally.listed;
}

Tally Count(const std::vector<Result>& results, Scope scope) {
  Tally tally;
  for (const Result& result : results) {
    if (scope != Scope::kAll && result.hostile != (scope == Scope::kHostile)) continue;
    Add(result, tally);
  }
  return tally;
}

nlohmann::json CountsOf(const std::vector<Result>& results) {
  const Tally tally = Count(results, Scope::kAll);
  nlohmann::json counts = nlohmann::json::object();
  for (size_t i = 0; i < kWordsOf<Verdict>.all().size(); ++i) {
    const auto verdict = static_cast<Verdict>(i);
    if (const int64_t number = tally.of(verdict); number > 0) counts[std::string(ToText(verdict))] = number;
  }
  return counts;
}

}  // namespace dlpack_cts
