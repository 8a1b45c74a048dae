// harness/recipe/large.h: whether an exchange has tensors that take kLargeCapacity bytes.
#ifndef DLPACK_CTS_HARNESS_RECIPE_LARGE_H_
#define DLPACK_CTS_HARNESS_RECIPE_LARGE_H_

#include <algorithm>

#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// Such an exchange takes as long as a hundred others.
inline bool HasLargeTensor(const Recipe& recipe) {
  const auto large = [](const auto* blocks, int count) {
    return std::any_of(blocks, blocks + count, [](const auto& block) { return block.large != 0; });
  };
  return large(recipe.offers, recipe.used.offers) || large(recipe.requests, recipe.used.requests);
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_LARGE_H_
