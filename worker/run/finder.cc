// worker/run/finder.cc: reduces a failing example property by property while its first violated fact stays the same.
#include "worker/run/finder.h"

#include <algorithm>
#include <utility>

#include "harness/ledger/fact_table.h"
#include "harness/minimise/minimise.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/normalize.h"
#include "worker/diagnose/domain.h"

namespace dlpack_cts::worker {
namespace {

/// The recipe with these steps after its export. Nothing if the capsule is already consumed or lost.
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

/// Families of questions, answers and exceptions: none of their facts is a consequence of another one.
bool IsAnswer(Family family) {
  return family == Family::kAsks || family == Family::kDeviceAnswer || family == Family::kException;
}

}  // namespace

/// What the recipe shows with the default steps. Nothing if that is known to crash.
Symptom Finder::ExaminePlainly(const Case& tested, Recipe& recipe) {
  SetPlainLife(recipe);
  FollowWays(profile_, recipe);
  Normalize(recipe);
  return Kills(recipe) ? Symptom() : trial_.Examine(tested, recipe);
}

/// The default steps with the same tensor may show the reason: a stride was read wrongly before it led to forbidden
/// memory, or an import was already wrong before it was re-exported.
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

/// An access past the end of some tensor also appears with the default tensor if inaccessible memory follows it.
Recipe Finder::AtTheGuard(const Case& tested, const Recipe& recipe, const Symptom& symptom) {
  if (symptom.fact != "faultF" || symptom.side != Side::kImport) return recipe;
  Recipe plain = MakeRecipe(recipe.kind);
  plain.offer().alignment_log2 = 2;  // as a single float32 needs it: nothing lies between it and the guard
  return symptom.IsShownBy(ExaminePlainly(tested, plain)) ? plain : recipe;
}

bool Finder::Kills(const Recipe& candidate) const {
  return std::any_of(killers_.begin(), killers_.end(), [&](const Recipe& one) { return Same(one, candidate); });
}

/// The default tensor has no dimensions. Checks whether the failure needs that.
Minimised Finder::TellScalar(const Minimised& reduced, const Symptom& symptom, const Examine& examine) const {
  const std::optional<Recipe> more = budget_.runs == 0 ? std::nullopt : WithADimension(reduced, profile_);
  if (!more || Kills(*more)) return reduced;
  return {reduced.recipe, reduced.set, !examine(*more).Has(symptom.family)};
}

/// The default export ends as a capsule that is never consumed. A leak may then be the fault of the deleter or of the
/// capsule's destructor. If nothing leaks after a call of the deleter, the failure needs the lost capsule.
Minimised Finder::TellDestructor(const Minimised& reduced, const Symptom& symptom, const Examine& examine) const {
  if (budget_.runs == 0 || symptom.family != Family::kRelease || symptom.side != Side::kExport) return reduced;
  std::optional<Recipe> released = BehindExport(reduced.recipe, {Op::kTakeCapsule, Op::kDelete});
  std::optional<Recipe> lost = BehindExport(reduced.recipe, {Op::kLoseCapsule});
  if (!released || !lost) return reduced;
  Normalize(*released);
  Normalize(*lost);
  // A deleter that crashes does not show what it would have leaked.
  if (Kills(*released) || Kills(*lost)) return reduced;
  if (symptom.IsShownBy(examine(*released)) || !symptom.IsShownBy(examine(*lost))) return reduced;
  return {*lost, PeculiaritiesOf(*lost), reduced.scalar};
}

Finding Finder::Follow(const Case& tested, const Recipe& recipe, Symptom symptom, const Examine& examine) {
  const bool swept = symptom.swept;
  std::optional<Domain> domain;
  if (!symptom.rule.empty()) domain.emplace(tested, profile_, recipe);
  const Minimised reduced = Minimise(
      recipe,
      [&](const Recipe& candidate) {
        if (Kills(candidate) || LeadsTo(avoided_, candidate)) return false;
        if (domain && !domain->Holds(candidate)) return false;
        const Symptom again = examine(candidate);
        if (!symptom.IsShownBy(again)) return false;
        symptom = again;
        return true;
      },
      budget_, profile_);
  symptom.swept = swept;
  return FindingOf(symptom, TellDestructor(TellScalar(reduced, symptom, examine), symptom, examine), Shows::kAlone);
}

/// What the case's judge reports if forbidden memory was accessed. Questions and answers before the access are not a
/// consequence of it.
std::optional<Finding> Finder::BeforeFault(const Case& tested, const Recipe& recipe, const Symptom& symptom) {
  const Symptom own = trial_.ExamineOwn(tested, recipe);
  if (!own.Any() || !StandsAlone(own) || own.family >= symptom.family) return std::nullopt;
  return Follow(tested, recipe, own, [&](const Recipe& candidate) { return trial_.ExamineOwn(tested, candidate); });
}

/// What the case's judge reported, if it is another fact and neither fact is a consequence of the other.
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
    // The fact of the case may be a consequence of another one that the first violated fact does not explain.
    const auto examine = [&](const Recipe& candidate) {
      return trial_.ExamineBeside(tested, candidate, symptom.family);
    };
    return Follow(tested, recipe, examine(recipe), examine);
  }
  // The comparison does not show it: the specification leaves it open, or it varies. The case knows more.
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
    symptom.observed = Observed::kUnjudged;
    symptom.message = fault;
    return {FindingOf(symptom, {normal, PeculiaritySet()}, Shows::kAlone)};
  }
  if (!symptom.Any()) {
    if (!seen.Broken()) return {};
    // The reference shows the same, so a smaller example would not help.
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
