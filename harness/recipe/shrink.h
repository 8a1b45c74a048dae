// harness/recipe/shrink.h: the one shrinker of recipes.
#ifndef DLPACK_CTS_HARNESS_RECIPE_SHRINK_H_
#define DLPACK_CTS_HARNESS_RECIPE_SHRINK_H_

#include <vector>

#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// Recipes simpler than this one by one step each, boldest first: fewer dimensions, smaller extents, compact strides,
/// no offset, plainer dtype, flags, context, capsule and call. Every candidate is normal and differs from the input;
/// a chain of candidates ends. The life is left alone: a case's life is part of its meaning.
std::vector<Recipe> ShrinkCandidates(const Recipe& recipe);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_SHRINK_H_
