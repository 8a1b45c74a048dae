// worker/diagnose/diagnosis.cc: finds the causes of findings and crashes, and which library of a pair has them.
#include "worker/diagnose/diagnosis.h"

#include <algorithm>
#include <utility>

#include "base/failure.h"
#include "harness/case/case.h"
#include "harness/recipe/codec.h"
#include "harness/recipe/normalize.h"
#include "worker/diagnose/finder.h"

namespace dlpack_cts::worker {
namespace {

constexpr int kTries = 12;  // to minimise a finding, if candidates crash

std::optional<Recipe> RecipeOf(const Finding& finding) {
  return IfValid([&] { return RecipeFromJson(finding.recipe.dump()); });
}

}  // namespace

std::vector<Finding> Diagnosis::Find(const Finding& suspect) {
  std::optional<Recipe> recipe = RecipeOf(suspect);
  if (FindCase(suspect.case_id) == nullptr || !recipe) return {};
  if (const Finding* const known = KnownFor(suspect, *recipe); known != nullptr) {
    Finding again = *known;
    again.case_id = suspect.case_id;
    again.count = suspect.count;
    again.judged.clear();
    again.swept = true;
    return {again};
  }
  Normalize(*recipe);
  std::vector<Finding> found = Accuse(Controlled(Reduce(suspect, *recipe)));
  // If the exchange shows nothing when it runs alone, earlier exchanges may have caused the finding.
  if (found.empty()) return BehindOthers(suspect, *recipe);
  for (const Finding& one : found) Remember(one);
  return found;
}

/// If too many candidates crash, the finding is reported as it is.
std::vector<Finding> Diagnosis::Reduce(const Finding& suspect, const Recipe& recipe) {
  const Budget budget = profile_.Claims(Claim::kCuda) ? Finder::kDeviceBudget : Finder::kBudget;
  std::vector<Recipe> crashing;
  for (int tries = 0; tries <= kTries; ++tries) {
    Tried tried = processes_.Find(suspect, recipe, crashing, tries < kTries ? budget : Budget{});
    if (!tried.ending.Crashed() || tried.ending.stillborn) return std::move(tried.findings);
    const Remains remains = tried.remains.value_or(Remains{});
    if (Same(remains.recipe, recipe)) {
      // It crashes a new process: the crash is its first violated fact.
      for (Finding& one : OfCrash(suspect.case_id, tried.ending, remains, suspect.count)) {
        tried.findings.push_back(std::move(one));
      }
      if (!tried.findings.empty()) return std::move(tried.findings);
    } else {
      // A smaller candidate crashed, which may have another cause.
      crashing.push_back(remains.recipe);
    }
  }
  return {};
}

std::vector<Finding> Diagnosis::OfCrash(const std::string& case_id, const Ending& ending, const Remains& remains,
                                        int64_t count) {
  std::vector<Finding> found = crashes_.Find(case_id, ending, remains);
  for (Finding& one : found) {
    one.mutant = mutant_;
    one.count = count;
  }
  return found;
}

std::vector<Finding> Diagnosis::FindCrash(const std::string& case_id, const Ending& ending, const Remains& remains) {
  return Accuse(Controlled(OfCrash(case_id, ending, remains, 1)));
}

void Diagnosis::Remember(const Finding& found) {
  if (!found.message.empty()) return;
  if (const std::optional<Recipe> recipe = RecipeOf(found)) known_.push_back({found, TriggersOf(*recipe)});
}

/// The earlier finding with the triggers of this exchange. A finding by a case's judge is always examined: it may be
/// about something else.
const Finding* Diagnosis::KnownFor(const Finding& seen, const Recipe& recipe) const {
  if (!seen.swept) return nullptr;
  const TriggerSet set = TriggersOf(recipe);
  const auto holds = [&](const Property* needed) { return needed->values.front().Holds(recipe); };
  const auto known = std::find_if(known_.begin(), known_.end(), [&](const Known& one) {
    return one.finding.side == seen.side && one.finding.family == seen.family && one.finding.fact == seen.fact &&
           IsWithin(one.set, set) && std::ranges::all_of(DefaultsOf(one.finding), holds);
  });
  return known == known_.end() ? nullptr : &known->finding;
}

/// The finding for one library of the pair, if it fails in the same way with the reference.
std::optional<Finding> Diagnosis::ShownBy(Side side, const Finding& found) {
  const std::optional<Recipe> recipe = RecipeOf(found);
  if (FindCase(found.case_id) == nullptr || !recipe) return std::nullopt;
  Tried tried = processes_.FindInHalf(side, *recipe, found);
  if (!tried.findings.empty()) return std::move(tried.findings.front());
  if (!tried.ending.Crashed() || tried.ending.stillborn) return std::nullopt;
  const ViolatedFact crash =
      ViolatedFactOf(tried.ending, tried.remains.value_or(Remains{}), profile_, Look::kFirstFact);
  return IsOf(found, crash) ? std::optional(AccusedOf(found, crash, side, *recipe)) : std::nullopt;
}

/// Attributes each finding to the library of the pair that shows it with the reference. If neither does, it belongs to
/// both together.
std::vector<Finding> Diagnosis::Accuse(std::vector<Finding> found) {
  if (!job_.pair) return found;
  std::vector<Finding> accused;
  for (Finding& one : found) {
    const size_t before = accused.size();
    for (const Side side : {Side::kExport, Side::kImport}) {
      if (std::optional<Finding> finding = ShownBy(side, one)) accused.push_back(*std::move(finding));
    }
    if (accused.size() != before) continue;
    one.triggers = {"only-together"};
    accused.push_back(std::move(one));
  }
  return accused;
}

}  // namespace dlpack_cts::worker
