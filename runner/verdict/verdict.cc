// runner/verdict/verdict.cc: makes the verdicts of observations, findings and causes.
#include "runner/verdict/verdict.h"

#include <algorithm>

#include "base/failure.h"

namespace dlpack_cts::runner {
namespace {

/// The less severe of two of FAIL, WARN and NOTE.
Verdict Lighter(Verdict a, Verdict b) { return std::max(a, b); }
static_assert(Verdict::kFail < Verdict::kWarn && Verdict::kWarn < Verdict::kNote);

Verdict OneLower(Verdict verdict) { return verdict == Verdict::kFail ? Verdict::kWarn : Verdict::kNote; }

Verdict OfBreach(const Observation& observation, const Rules& rules, bool claims_array_api) {
  const auto found = rules.find(observation.rule);
  if (found == rules.end()) {
    throw Failure("the case " + observation.case_id + " names the rule " + observation.rule + ", which does not exist",
                  "this is a bug in dlpack-cts; please report it", kHarness);
  }
  const Rule& rule = found->second;
  Verdict verdict = rule.breach;
  if (observation.degree == Degree::kWarn) verdict = Lighter(verdict, Verdict::kWarn);
  if (observation.degree == Degree::kNote) verdict = Lighter(verdict, Verdict::kNote);
  const bool severe = rule.stake == Stake::kMemory || rule.stake == Stake::kValues;
  if (claims_array_api || !rule.ArrayApiOnly() || (severe && observation.degree == Degree::kRule)) return verdict;
  return OneLower(verdict);
}

}  // namespace

int WeightOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kCrash:
    case Verdict::kTimeout:
    case Verdict::kLeak:
    case Verdict::kUnsafe:
    case Verdict::kFail:
      return 3;
    case Verdict::kWarn:
      return 2;
    case Verdict::kNote:
      return 1;
    default:
      return 0;
  }
}

Verdict VerdictOf(const Observation& observation, const Rules& rules, bool claims_array_api) {
  switch (observation.observed) {
    case Observed::kBreach:
      return OfBreach(observation, rules, claims_array_api);
    case Observed::kHeld:
      return Verdict::kPass;
    case Observed::kLeak:
      return Verdict::kLeak;
    case Observed::kUnsafe:
      return Verdict::kUnsafe;
    case Observed::kCrash:
    case Observed::kMemory:
      return Verdict::kCrash;
    case Observed::kTimeout:
      return Verdict::kTimeout;
    case Observed::kSkip:
      return Verdict::kSkip;
    case Observed::kBlocked:
      return Verdict::kBlocked;
    case Observed::kUnjudged:
    case Observed::kOwn:
      break;
  }
  const std::string& message = observation.message;
  throw Failure("the case " + observation.case_id + " gave no judgement" + (message.empty() ? "" : ": " + message),
                "this is a bug in dlpack-cts; please report it", kHarness);
}

Verdict VerdictOf(const Finding& finding, bool checked, const Rules& rules, bool claims_array_api) {
  // The library does it without any exchange, so it violates no rule.
  if (finding.observed == Observed::kOwn) return Verdict::kNote;
  Observation seen;
  seen.case_id = finding.case_id;
  seen.observed = finding.observed;
  seen.degree = finding.degree;
  seen.rule = finding.rule;
  // The sweep itself reports a crash or a timeout.
  const bool ends = finding.observed == Observed::kCrash || finding.observed == Observed::kTimeout;
  if (finding.degree == Degree::kNote && !ends) {
    if (!checked) return Verdict::kNote;
    seen.degree = Degree::kRule;
  }
  const Verdict verdict = VerdictOf(seen, rules, claims_array_api);
  if (finding.observed != Observed::kBreach || finding.judged.empty()) return verdict;
  seen.rule = finding.judged;
  return Lighter(verdict, VerdictOf(seen, rules, claims_array_api));
}

Verdict VerdictOf(Ground ground, bool sweep, Verdict observed, Verdict cause) {
  switch (ground) {
    case Ground::kObservation:
      return observed;
    case Ground::kSameEnd:
      return Verdict::kNote;
    case Ground::kCause:
      return cause;
    case Ground::kBlocked:
      return Verdict::kBlocked;
    case Ground::kNoExchange:
      return sweep ? Verdict::kNote : Verdict::kBlocked;
  }
  return observed;
}

}  // namespace dlpack_cts::runner
