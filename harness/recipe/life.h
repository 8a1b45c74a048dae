// harness/recipe/life.h: questions about the steps of a recipe.
#ifndef DLPACK_CTS_HARNESS_RECIPE_LIFE_H_
#define DLPACK_CTS_HARNESS_RECIPE_LIFE_H_

#include <algorithm>
#include <span>

#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// The first step for which that holds; NULL without one.
template <typename Holds>
const Step* FindStep(const Recipe& recipe, Holds holds) {
  const std::span<const Step> life = recipe.life();
  const auto found = std::find_if(life.begin(), life.end(), holds);
  return found == life.end() ? nullptr : &*found;
}

template <typename Holds>
bool HasStep(const Recipe& recipe, Holds holds) {
  return FindStep(recipe, holds) != nullptr;
}
inline bool HasStep(const Recipe& recipe, Op op) {
  return HasStep(recipe, [op](const Step& step) { return step.op == op; });
}

/// Whether the library imports an offer, as an object or as a bare capsule.
constexpr bool ImportsOffer(Op op) { return op == Op::kImport || op == Op::kImportCapsule || op == Op::kImportByTable; }

/// The step that imports an offer into the slot; NULL without one.
inline const Step* ImportOf(const Recipe& recipe, int slot) {
  return FindStep(recipe, [slot](const Step& step) { return step.slot == slot && ImportsOffer(step.op); });
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_LIFE_H_
