// tests/recipe/normal.h: whether a recipe is in its normal form.
#ifndef DLPACK_CTS_TESTS_RECIPE_NORMAL_H_
#define DLPACK_CTS_TESTS_RECIPE_NORMAL_H_

#include "harness/recipe/normalize.h"

namespace dlpack_cts {

/// Whether Normalize() would not change it.
inline bool IsNormal(const Recipe& recipe) {
  Recipe copy;
  Copy(recipe, copy);
  Normalize(copy);
  return Same(copy, recipe);
}

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_TESTS_RECIPE_NORMAL_H_
