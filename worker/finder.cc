// worker/finder.cc: reduces a failing example over the coordinates while its symptom stays.
#include "worker/finder.h"

#include <algorithm>
#include <utility>

#include "harness/judge/reduce.h"
#include "harness/ledger/fact_table.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/normalize.h"
#include "worker/domain.h"

namespace dlpack_cts::worker {
namespace {

/// The recipe with these steps behind its export; nothing where its capsule is taken, or lost, already.
std::optional<Recipe> BehindExport(const Recipe& recipe, std::initializer_list<Op> operations) {
  std::optional<Recipe> more(std::in_place);
  Copy(recipe, *more);
  more->used.steps = 0;
  int exports = 0;
  for (const Step& step : recipe.life()) {
    if (step.op == Op::kTakeCapsule || step.op == Op::kLoseCapsule || step.op == Op::kDelete) return std::nullopt;
    AddStep(*more, step);
    if (step.op != Op::kExport) continue;
    ++exports;
    for (const Op op : operations) AddStep(*more, op, step.slot);
  }
  return exports == 1 ? more : std::nullopt;
}

/// What is asked, answered or raised: no fact of these follows from another one.
bool IsAnswer(Family family) {
  return family == Family::kAsks || family == Family::kDeviceAnswer || family == Family::kException;
}

}  // namespace

/// What the recipe shows with a plain life; nothing where that is known to kill.
Symptom Finder::ExaminePlainly(const Case& tested, Recipe& recipe) {
  SetPlainLife(recipe);
  FollowWays(profile_, recipe);
  Normalize(recipe);
  return Kills(recipe) ? Symptom() : trial_.Examine(tested, recipe);
}

/// A plain life of the same tensor may tell why: a stride that was read wrongly, before an element is sought with it in
/// memory that may not be touched; an import that is wrong already, before it is exported again.
Recipe Finder::ShowMore(const Case& tested, const Recipe& recipe, Symptom& symptom) {
  const bool touched = symptom.fact == "faultF";
  const bool again = recipe.kind == RecipeKind::kImport && symptom.side == Side::kExport;
  if (!touched && !again) return recipe;
  Recipe plain;
  Copy(recipe, plain);
  Symptom more = ExaminePlainly(tested, plain);
  const bool tells = again || (more.family < symptom.family && more.family >= Family::kDtype);
  if (!more.Any() || !tells) return recipe;
  more.swept = symptom.swept;
  symptom = std::move(more);
  return plain;
}

/// What is read or written behind a tensor of some sizes is so behind one of any size whose memory ends with it.
Recipe Finder::AtTheGuard(const Case& tested, const Recipe& recipe, const Symptom& symptom) {
  if (symptom.fact != "faultF" || symptom.side != Side::kImport) return recipe;
  Recipe plain = MakeRecipe(recipe.kind);
  plain.offer().alignment_log2 = 2;  // as a single float32 needs it: nothing lies between it and the guard
  return symptom.IsShownBy(ExaminePlainly(tested, plain)) ? plain : recipe;
}

bool Finder::Kills(const Recipe& candidate) const {
  return std::any_of(killers_.begin(), killers_.end(), [&](const Recipe& one) { return Same(one, candidate); });
}

/// The plainest tensor has no dimensions, whether what is wrong needs that or not.
Reduced Finder::TellScalar(const Reduced& reduced, const Symptom& symptom, const Examine& examine) const {
  const std::optional<Recipe> more = budget_.runs == 0 ? std::nullopt : WithADimension(reduced, profile_);
  if (!more || Kills(*more)) return reduced;
  return {reduced.recipe, reduced.set, !examine(*more).Has(symptom.family)};
}

/// The plainest export ends as a capsule that nobody consumes, so what stays of it may be the deleter's fault or that
/// of the capsule's destructor. Where nothing stays once a deleter was called, it needs the lost capsule.
Reduced Finder::TellDestructor(const Reduced& reduced, const Symptom& symptom, const Examine& examine) const {
  if (budget_.runs == 0 || symptom.family != Family::kRelease || symptom.side != Side::kExport) return reduced;
  std::optional<Recipe> released = BehindExport(reduced.recipe, {Op::kTakeCapsule, Op::kDelete});
  std::optional<Recipe> lost = BehindExport(reduced.recipe, {Op::kLoseCapsule});
  if (!released || !lost) return reduced;
  Normalize(*released);
  Normalize(*lost);
  // A deleter that kills tells nothing of what it would have left.
  if (Kills(*released) || Kills(*lost)) return reduced;
  if (symptom.IsShownBy(examine(*released)) || !symptom.IsShownBy(examine(*lost))) return reduced;
  return {*lost, PeculiaritiesOf(*lost), reduced.scalar};
}

Finding Finder::Follow(const Case& tested, const Recipe& recipe, Symptom symptom, const Examine& examine) {
  const bool swept = symptom.swept;
  std::optional<Domain> domain;
  if (!symptom.rule.empty()) domain.emplace(tested, profile_, recipe);
  const Reduced reduced = Reduce(recipe, profile_, budget_, [&](const Recipe& candidate) {
    if (Kills(candidate) || LeadsTo(avoided_, candidate)) return false;
    if (domain && !domain->Holds(candidate)) return false;
    const Symptom again = examine(candidate);
    if (!symptom.IsShownBy(again)) return false;
    symptom = again;
    return true;
  });
  symptom.swept = swept;
  return FindingOf(symptom, TellDestructor(TellScalar(reduced, symptom, examine), symptom, examine), Shows::kAlone);
}

/// What the case's own judge sees where memory was touched as it may not be: what was asked or answered before that
/// does not follow from it.
std::optional<Finding> Finder::BeforeFault(const Case& tested, const Recipe& recipe, const Symptom& symptom) {
  const Symptom own = trial_.ExamineOwn(tested, recipe);
  if (!own.Any() || !StandsAlone(own) || own.family >= symptom.family) return std::nullopt;
  return Follow(tested, recipe, own, [&](const Recipe& candidate) { return trial_.ExamineOwn(tested, candidate); });
}

/// What the case's own judge saw, where that is another fact, and neither follows from the other.
std::optional<Finding> Finder::Beside(const Case& tested, const Recipe& recipe, const Symptom& symptom,
                                      const Example& seen) {
  if (seen.showed == Showed::kUnsafe) {
    if (symptom.fact == "faultF" || !StandsAlone(symptom)) return BeforeFault(tested, recipe, symptom);
    const auto rest = [&](const Recipe& candidate) { return trial_.ExamineBeside(tested, candidate, symptom.family); };
    const Symptom fault = rest(recipe);
    return fault.Any() ? std::optional(Follow(tested, recipe, fault, rest)) : std::nullopt;
  }
  const bool names_fact = seen.showed == Showed::kBreach || seen.showed == Showed::kLeak;
  const int row = names_fact ? FactIndex(seen.breach.fact) : -1;
  if (row < 0 || !StandsAlone(symptom)) return std::nullopt;
  const std::string& own = FactRows()[static_cast<size_t>(row)].pattern;
  if (own == symptom.fact) return std::nullopt;
  if (const Symptom beside = trial_.Examine(tested, recipe, own); beside.Any()) {
    if (beside.family == symptom.family) {
      if (!IsAnswer(symptom.family)) return std::nullopt;
      return Follow(tested, recipe, beside,
                    [&](const Recipe& candidate) { return trial_.Examine(tested, candidate, own); });
    }
    // Of all that the first symptom does not explain, the case's fact may be a consequence.
    const auto examine = [&](const Recipe& candidate) {
      return trial_.ExamineBeside(tested, candidate, symptom.family);
    };
    return Follow(tested, recipe, examine(recipe), examine);
  }
  // No comparison tells it: it is free, or it varies, and the case knows more.
  const Symptom judged = trial_.ExamineOwn(tested, recipe);
  if (!judged.Any()) {
    const Example& own_example = trial_.seen().Broken() ? trial_.seen() : seen;
    return FindingOf(trial_.SymptomOfOwn(own_example), {recipe, PeculiaritySet()}, Shows::kAlone);
  }
  return Follow(tested, recipe, judged, [&](const Recipe& candidate) { return trial_.ExamineOwn(tested, candidate); });
}

std::vector<Finding> Finder::Find(const Case& tested, const Recipe& recipe, bool swept) {
  Symptom symptom = trial_.Examine(tested, recipe);
  symptom.swept = swept;
  Recipe normal;
  Copy(trial_.recipe(), normal);
  const Example seen = trial_.seen();
  if (const std::string_view fault = trial_.FaultOfReference(); !fault.empty()) {
    symptom.observed = "unjudged";
    symptom.message = fault;
    return {FindingOf(symptom, {normal, PeculiaritySet()}, Shows::kAlone)};
  }
  if (!symptom.Any()) {
    if (!seen.Broken()) return {};
    // The reference shows the same: nothing smaller says more.
    return {FindingOf(trial_.SymptomOfOwn(seen), {normal, PeculiaritySet()}, Shows::kAlone)};
  }
  std::vector<Finding> found;
  if (std::optional<Finding> beside = Beside(tested, normal, symptom, seen)) found.push_back(*std::move(beside));
  const Recipe told = ShowMore(tested, normal, symptom);
  const Recipe shown = AtTheGuard(tested, told, symptom);
  found.push_back(
      Follow(tested, shown, symptom, [&](const Recipe& candidate) { return trial_.Examine(tested, candidate); }));
  return found;
}

}  // namespace dlpack_cts::worker
