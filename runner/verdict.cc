// runner/verdict.cc: turns an observation into a verdict.
#include "runner/verdict.h"

#include <algorithm>

#include "runner/failure.h"

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
  Verdict verdict = found->second.breach;
  if (observation.degree == Degree::kWarn) verdict = Lighter(verdict, Verdict::kWarn);
  if (observation.degree == Degree::kNote) verdict = Lighter(verdict, Verdict::kNote);
  const bool lower =
      found->second.ArrayApiOnly() && !claims_array_api && found->second.strength_class != Level::kImplied;
  return lower ? OneLower(verdict) : verdict;
}

}  // namespace

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

}  // namespace dlpack_cts::runner
