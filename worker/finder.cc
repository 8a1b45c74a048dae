// worker/finder.cc: reduces a failing example over the coordinates while its symptom stays.
#include "worker/finder.h"

#include "harness/judge/reduce.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/normalize.h"

namespace dlpack_cts::worker {
namespace {

constexpr ShrinkBudget kBudget = {600, 5};

}  // namespace

/// A plain life of the same tensor may tell why: a stride that was read wrongly, before an element is sought with it in
/// memory that may not be touched; an import that is wrong already, before it is exported again.
Recipe Finder::ShowMore(const Case& tested, const Recipe& recipe, Symptom& symptom) {
  const bool touched = symptom.fact == "faultF";
  const bool again = recipe.kind == RecipeKind::kImport && symptom.side == Side::kExport;
  if (!touched && !again) return recipe;
  Recipe plain;
  Copy(recipe, plain);
  SetPlainLife(plain);
  FollowWays(profile_, plain);
  Normalize(plain);
  const Symptom more = trial_.Examine(tested, plain);
  const bool tells = again || (more.family < symptom.family && more.family >= Family::kDtype);
  if (!more.Any() || !tells) return recipe;
  symptom = more;
  return plain;
}

Finding Finder::Follow(const Case& tested, const Recipe& recipe, Symptom symptom, std::string_view fact) {
  const Reduced reduced = Reduce(recipe, profile_, kBudget, [&](const Recipe& candidate) {
    const Symptom again = trial_.Examine(tested, candidate, fact);
    if (!symptom.IsShownBy(again)) return false;
    symptom = again;
    return true;
  });
  return FindingOf(symptom, reduced, Shows::kAlone);
}

std::vector<Finding> Finder::Find(const Case& tested, const Recipe& recipe) {
  Symptom symptom = trial_.Examine(tested, recipe);
  if (!symptom.Any()) {
    const Example example = trial_.Run(tested, recipe);
    if (!example.Broken()) return {};
    // The reference shows the same: nothing smaller says more.
    return {FindingOf(trial_.SymptomOfOwn(example), {trial_.recipe(), PeculiaritySet()}, Shows::kAlone)};
  }
  Recipe normal;
  Copy(trial_.recipe(), normal);
  const std::string own = trial_.own_fact();
  std::vector<Finding> found;
  if (!own.empty() && own != symptom.fact && StandsAlone(symptom.family)) {
    const Symptom beside = trial_.Examine(tested, normal, own);
    if (beside.Any() && beside.family != symptom.family) found.push_back(Follow(tested, normal, beside, own));
  }
  const Recipe shown = ShowMore(tested, normal, symptom);
  found.push_back(Follow(tested, shown, symptom, {}));
  return found;
}

}  // namespace dlpack_cts::worker
