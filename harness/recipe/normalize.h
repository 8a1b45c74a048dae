// harness/recipe/normalize.h: folds any bytes into a recipe that the forge can build.
#ifndef DLPACK_CTS_HARNESS_RECIPE_NORMALIZE_H_
#define DLPACK_CTS_HARNESS_RECIPE_NORMALIZE_H_

#include <cstddef>

#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// Bytes of element memory that one slot of the forge backs: usually, and for an offer or request that says `large`.
inline constexpr size_t kDataCapacity = size_t{64} * 1024;
inline constexpr size_t kLargeCapacity = size_t{64} * 1024 * 1024;
constexpr size_t CapacityOf(bool large) { return large ? kLargeCapacity : kDataCapacity; }

/// Folds every field into its range: enumerators, dims, steps and the blocks that they name, and shape x strides so
/// that every element lies within the capacity (the declared values stay as they are where nothing is backed: zero
/// elements, unmapped or NULL data, foreign majors, hostile metadata). Idempotent; a recipe of the generator comes out
/// unchanged. What lies behind the used blocks is not touched.
void Normalize(Recipe& recipe);

/// One block alone: no fold reads two of them.
void Normalize(Offer& offer);
void Normalize(Request& request);
void Normalize(Call& call);

/// The header alone, so that the blocks which it counts can be read.
void NormalizeHeader(Recipe& recipe);

/// A slot that no step names, where deleters that call the library have it import; -1 for none.
int SpareSlot(const Recipe& recipe);

/// True when Normalize() would not change it.
bool IsNormal(const Recipe& recipe);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_NORMALIZE_H_
