// harness/recipe/walk.h: the systematic part of the generator: the dtype, rank and kind of an example index.
#ifndef DLPACK_CTS_HARNESS_RECIPE_WALK_H_
#define DLPACK_CTS_HARNESS_RECIPE_WALK_H_

#include "harness/recipe/generator.h"

namespace dlpack_cts {

struct Combination {
  StructKind kind;
  int dims;
  int dtype;  // index into DataTypes()
};

/// Combination number `index` of those that the limits allow. Consecutive indices are far apart, and as many indices as
/// there are combinations reach each of them once.
Combination WalkCombinations(int index, const Limits& limits);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_WALK_H_
