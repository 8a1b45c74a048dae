// runner/verdict/rounds.cc: merges the rounds of a library, and finds its causes after each round.
#include "runner/verdict/rounds.h"

#include <algorithm>
#include <utility>

#include "results/tally.h"
#include "runner/session/session.h"
#include "runner/verdict/attribution.h"
#include "runner/verdict/causes.h"
#include "runner/verdict/verdict.h"

namespace dlpack_cts::runner {
namespace {

bool IsReported(const Cause& cause, const std::vector<Result>& results) {
  return std::any_of(results.begin(), results.end(),
                     [&](const Result& result) { return result.cause == cause.id && IsDeviation(result.verdict); });
}

/// The example of the cause that the case itself found, or else the example of the cause.
const nlohmann::json& ExampleOf(const Cause& cause, const std::string& case_id, const std::vector<Finding>& findings) {
  const auto own = std::find_if(findings.begin(), findings.end(), [&](const Finding& finding) {
    return finding.case_id == case_id && !finding.superseded && finding.side == cause.side &&
           finding.triggers == cause.triggers;
  });
  return own == findings.end() ? cause.recipe : own->recipe;
}

/// Adds the properties that a blocked case has to avoid. False if they cannot be avoided.
bool AddAvoided(const Result& result, const Attributed& attributed, const std::vector<Finding>& findings,
                std::vector<LeftOut>& avoided) {
  const std::vector<LeftOut> before = avoided;
  for (const Cause& cause : attributed.causes) {
    const std::string& id = result.seen.case_id;
    const bool reported = cause.own || (IsDeviation(cause.verdict) && IsReported(cause, attributed.results));
    if (!reported || std::find(cause.cases.begin(), cause.cases.end(), id) == cause.cases.end()) continue;
    // A cause without triggers cannot be avoided. If it is not the cause of this case, the case can still run.
    if (cause.triggers.empty() && cause.id == result.cause) return false;
    if (cause.triggers.empty()) continue;
    const bool still = std::any_of(before.begin(), before.end(), [&](const LeftOut& other) {
      return other.side == cause.side && other.triggers == cause.triggers;
    });
    // Every attempt at a hang takes the whole time limit.
    if (still && cause.verdict == Verdict::kTimeout) return false;
    avoided.push_back({cause.side, cause.triggers, ExampleOf(cause, id, findings), still});
  }
  return avoided != before;
}

/// False if no example was left.
bool GivesVerdict(const Observation& observation) {
  return observation.observed != Observed::kBlocked && observation.observed != Observed::kSkip;
}

}  // namespace

Avoid ToRunAgain(const Catalogue& catalogue, const Attributed& attributed, const std::vector<Finding>& findings,
                 const Avoid& before) {
  Avoid avoid;
  for (const Result& result : attributed.results) {
    // A result that is BLOCKED without a cause is blocked by the library's profile.
    if (result.verdict != Verdict::kBlocked || result.cause.empty()) continue;
    const CaseInfo* const info = catalogue.Find(result.seen.case_id);
    if (info == nullptr || info->hostile || info->whole) continue;
    const auto earlier = before.find(info->id);
    std::vector<LeftOut> avoided = earlier == before.end() ? std::vector<LeftOut>() : earlier->second;
    if (AddAvoided(result, attributed, findings, avoided)) avoid[info->id] = std::move(avoided);
  }
  return avoid;
}

Result MakeResult(const Catalogue& catalogue, const Library& library, const Observation& observation) {
  const CaseInfo* const info = catalogue.Find(observation.case_id);
  if (info == nullptr) {
    throw Failure("the worker reports the case " + observation.case_id + ", which does not exist",
                  "build the program again", kHarness);
  }
  Result result;
  result.library = library.name;
  result.suite = info->suite;
  result.rules = info->rules;
  result.role = info->role;
  result.hostile = info->hostile;
  result.verdict = VerdictOf(observation, catalogue.rules, library.Claims("array_api"));
  const std::string& rule = observation.rule.empty() ? info->rules.front() : observation.rule;
  if (WeightOf(result.verdict) > 0) result.breached = {rule};
  const auto known = catalogue.rules.find(rule);
  result.level = known == catalogue.rules.end() ? Level::kImplied : known->second.strength;
  result.seen = observation;
  return result;
}

/// An invalid observation is a bug of the harness. Only its case is lost.
Result Rounds::ResultOf(const Observation& observation) {
  try {
    return MakeResult(catalogue_, library_, observation);
  } catch (const Failure& failure) {
    if (!trouble_) trouble_ = failure;
    return MakeResult(catalogue_, library_,
                      Lost(observation.case_id, "dlpack-cts could not judge what it observed", failure.what()));
  }
}

void Rounds::See(const Observation& observation) {
  Result result = ResultOf(observation);
  const auto [known, is_new] = results_.try_emplace(catalogue_.PlaceOf(observation.case_id), result);
  if (is_new) return;
  if (round_ == 0) {
    if (!IsDeviation(known->second.verdict)) known->second = std::move(result);
  } else if (GivesVerdict(observation)) {
    superseded_.push_back(std::exchange(known->second, std::move(result)));
    answered_.insert(observation.case_id);
  }
}

void Rounds::Find(Finding finding) {
  if (finding.observed != Observed::kUnjudged) return found_.push_back(std::move(finding));
  if (trouble_) return;
  trouble_ = Failure("an exchange of " + finding.case_id + " cannot be judged: " + finding.message,
                     "this is a bug in dlpack-cts; please report it", kHarness);
}

void Rounds::EndRound() {
  for (Finding& finding : findings_) finding.superseded = finding.superseded || answered_.contains(finding.case_id);
  for (Finding& finding : found_) {
    if (round_ == 0 || answered_.contains(finding.case_id)) findings_.push_back(std::move(finding));
  }
  found_.clear();
  answered_.clear();
}

Avoid Rounds::Next() {
  attributed_ = Conclude();
  avoid_ = round_++ == kRoundsAgain ? Avoid{} : ToRunAgain(catalogue_, attributed_, findings_, avoid_);
  return avoid_;
}

Attributed Rounds::Conclude(const std::function<void(Attributed& attributed)>& complete) {
  EndRound();
  Attributed attributed{.results = {}, .causes = CausesOf(catalogue_, library_.Claims("array_api"), findings_)};
  for (const auto& [place, result] : results_) attributed.results.push_back(result);
  if (complete) complete(attributed);
  Attribute(catalogue_, attributed.causes, attributed.results);
  return attributed;
}

std::vector<Result> Rounds::FirstResults() const {
  std::map<size_t, Result> first = results_;
  for (auto result = superseded_.rbegin(); result != superseded_.rend(); ++result) {
    first[catalogue_.PlaceOf(result->seen.case_id)] = *result;
  }
  std::vector<Result> results;
  for (auto& [place, result] : first) results.push_back(std::move(result));
  return results;
}

}  // namespace dlpack_cts::runner
