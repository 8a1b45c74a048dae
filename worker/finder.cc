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

std::optional<Finding> Finder::Find(const Case& tested, const Recipe& recipe) {
  Symptom symptom = trial_.Examine(tested, recipe);
  if (!symptom.Any()) return std::nullopt;
  Recipe normal;
  Copy(trial_.recipe(), normal);
  const Recipe shown = ShowMore(tested, normal, symptom);
  const Reduced reduced = Reduce(shown, profile_, kBudget, [&](const Recipe& candidate) {
    const Symptom again = trial_.Examine(tested, candidate);
    if (!symptom.IsShownBy(again)) return false;
    symptom = again;
    return true;
  });
  return FindingOf(symptom, reduced, Shows::kAlone);
}

}  // namespace dlpack_cts::worker
