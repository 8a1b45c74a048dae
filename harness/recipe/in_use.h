// harness/recipe/in_use.h: a recipe with the blocks and operations that its steps use.
#ifndef DLPACK_CTS_HARNESS_RECIPE_IN_USE_H_
#define DLPACK_CTS_HARNESS_RECIPE_IN_USE_H_

#include <bitset>
#include <cstddef>
#include <cstdint>

#include "harness/recipe/ops.h"
#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// A recipe, and what its steps use: looked up once for all questions about it. The recipe must outlive it.
struct RecipeInUse {
  const Recipe& recipe;
  uint32_t offers = 0;    // bit i: a step uses offers[i]
  uint32_t requests = 0;  // bit i: a step uses requests[i]
  std::bitset<256> ops;   // the operations of the steps

  explicit RecipeInUse(const Recipe& one) : recipe(one) {
    for (const Step& step : recipe.life()) {
      if (UsesOffer(step.op)) offers |= 1u << step.block;
      if (UsesRequest(step.op)) requests |= 1u << step.block;
      ops.set(static_cast<size_t>(step.op));
    }
  }
};

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_IN_USE_H_
