// harness/recipe/normalize.h: folds any bytes into a recipe that the forge can build.
#ifndef DLPACK_CTS_HARNESS_RECIPE_NORMALIZE_H_
#define DLPACK_CTS_HARNESS_RECIPE_NORMALIZE_H_

#include <cstddef>

#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// Bytes of element memory that one slot of the forge backs.
inline constexpr size_t kDataCapacity = size_t{64} * 1024;

/// Folds every field into its range: enumerators, dims, steps, and shape x strides so that every element lies within
/// kDataCapacity (the declared values stay as they are where nothing is backed: zero elements, unmapped or NULL data,
/// foreign majors, hostile metadata). Idempotent; a recipe of the generator comes out unchanged.
void Normalize(Recipe& recipe);

/// True when Normalize() would not change it.
bool IsNormal(const Recipe& recipe);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_NORMALIZE_H_
