// runner/verdict.cc: turns an observation into a verdict.
#include "runner/verdict.h"

#include <algorithm>
#include <map>

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
  if (observation.degree == "warn") verdict = Lighter(verdict, Verdict::kWarn);
  if (observation.degree == "note") verdict = Lighter(verdict, Verdict::kNote);
  const bool lower = found->second.ArrayApiOnly() && !claims_array_api && found->second.strength_class != "implied";
  return lower ? OneLower(verdict) : verdict;
}

}  // namespace

Verdict VerdictOf(const Observation& observation, const Rules& rules, bool claims_array_api) {
  static const std::map<std::string, Verdict> kOwn = {{"held", Verdict::kPass},     {"leak", Verdict::kLeak},
                                                      {"unsafe", Verdict::kUnsafe}, {"crash", Verdict::kCrash},
                                                      {"memory", Verdict::kCrash},  {"timeout", Verdict::kTimeout},
                                                      {"skip", Verdict::kSkip},     {"blocked", Verdict::kBlocked}};
  if (observation.observed == "breach") return OfBreach(observation, rules, claims_array_api);
  const auto own = kOwn.find(observation.observed);
  if (own != kOwn.end()) return own->second;
  const std::string& message = observation.message;
  throw Failure("the case " + observation.case_id + " gave no judgement" + (message.empty() ? "" : ": " + message),
                "this is a bug in dlpack-cts; please report it", kHarness);
}

}  // namespace dlpack_cts::runner
