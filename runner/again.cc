// runner/again.cc: selects the cases that run again, and the properties that they avoid.
#include "runner/again.h"

#include <algorithm>

#include "results/tally.h"

namespace dlpack_cts::runner {
namespace {

bool Contains(const std::vector<std::string>& list, const std::string& id) {
  return std::find(list.begin(), list.end(), id) != list.end();
}

/// True if a result reports the cause.
bool IsTold(const Cause& cause, const std::vector<Result>& results) {
  return std::any_of(results.begin(), results.end(),
                     [&](const Result& result) { return result.cause == cause.id && IsDeviation(result.verdict); });
}

/// The example of the cause that the case itself found, or else the example of the cause.
const nlohmann::json& ExampleOf(const Cause& cause, const std::string& case_id, const std::vector<Finding>& findings) {
  const auto own = std::find_if(findings.begin(), findings.end(), [&](const Finding& finding) {
    return finding.case_id == case_id && !finding.superseded && finding.side == cause.side &&
           finding.peculiarities == cause.peculiarities;
  });
  return own == findings.end() ? cause.recipe : own->recipe;
}

bool IsSame(const nlohmann::json& a, const nlohmann::json& b) {
  return a.at("side") == b.at("side") && a.at("peculiarities") == b.at("peculiarities");
}

/// Adds the properties that a blocked case has to avoid. False if they cannot be avoided.
bool AddAvoided(const Result& result, const Attributed& seen, nlohmann::json& avoided) {
  const nlohmann::json before = avoided;
  for (const Cause& cause : seen.causes) {
    const std::string& id = result.seen.case_id;
    const bool told = cause.own || (IsDeviation(cause.verdict) && IsTold(cause, seen.results));
    if (!told || !Contains(cause.cases, id)) continue;
    // A cause that needs no trigger cannot be avoided. If it is not the cause of this case, the case can run all the
    // same.
    if (cause.peculiarities.empty() && cause.id == result.cause) return false;
    if (cause.peculiarities.empty()) continue;
    nlohmann::json one = {{"side", ToText(cause.side)},
                          {"peculiarities", cause.peculiarities},
                          {"recipe", ExampleOf(cause, id, seen.findings)}};
    const bool still = std::any_of(before.begin(), before.end(), [&](const auto& other) { return IsSame(one, other); });
    // Every attempt at a hang takes the whole time limit.
    if (still && cause.verdict == Verdict::kTimeout) return false;
    one["widely"] = still;
    avoided.push_back(std::move(one));
  }
  return avoided != before;
}

}  // namespace

Avoid ToRunAgain(const std::vector<CaseInfo>& cases, const Attributed& seen, const Avoid& before) {
  Avoid avoid;
  for (const Result& result : seen.results) {
    // A result that is BLOCKED without a cause is blocked by the profile of the library.
    if (result.verdict != Verdict::kBlocked || result.cause.empty()) continue;
    const auto info =
        std::find_if(cases.begin(), cases.end(), [&](const CaseInfo& one) { return one.id == result.seen.case_id; });
    if (info == cases.end() || info->hostile || info->whole) continue;
    const auto earlier = before.find(info->id);
    nlohmann::json avoided = earlier == before.end() ? nlohmann::json::array() : earlier->second;
    if (AddAvoided(result, seen, avoided)) avoid[info->id] = std::move(avoided);
  }
  return avoid;
}

bool GivesVerdict(const Observation& observation) {
  return observation.observed != Observed::kBlocked && observation.observed != Observed::kSkip;
}

void Join(const std::vector<Finding>& later, const std::vector<std::string>& answered, std::vector<Finding>& findings) {
  for (Finding& finding : findings) finding.superseded = finding.superseded || Contains(answered, finding.case_id);
  for (const Finding& finding : later) {
    if (Contains(answered, finding.case_id)) findings.push_back(finding);
  }
}

}  // namespace dlpack_cts::runner
