// harness/recipe/walk.h: the systematic part of the generator: which dtype, rank and kind the example's index names.
#ifndef DLPACK_CTS_HARNESS_RECIPE_WALK_H_
#define DLPACK_CTS_HARNESS_RECIPE_WALK_H_

#include "harness/recipe/generator.h"

namespace dlpack_cts {

struct Combination {
  StructKind kind;
  int dims;
  int dtype;  // index into DataTypes()
};

/// Combination number `index` of all that the limits allow. Consecutive indices lie far apart in the product, and as
/// many as it has members come to each of them once.
Combination WalkCombinations(int index, const Limits& limits);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_WALK_H_
