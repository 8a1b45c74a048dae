// harness/recipe/normalize.h: changes any bytes into a recipe that the forge can build.
#ifndef DLPACK_CTS_HARNESS_RECIPE_NORMALIZE_H_
#define DLPACK_CTS_HARNESS_RECIPE_NORMALIZE_H_

#include <cstddef>

#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// Bytes of element memory in one slot of the forge: usually, and for an offer or request with `large`.
inline constexpr size_t kDataCapacity = size_t{64} * 1024;
inline constexpr size_t kLargeCapacity = size_t{64} * 1024 * 1024;
constexpr size_t CapacityOf(bool large) { return large ? kLargeCapacity : kDataCapacity; }

/// Moves every field into its range: enumerators, dims, steps and their blocks, and shape x strides so that every
/// element lies within the capacity. Declared values stay as they are if there is no element memory: zero elements,
/// unmapped or NULL data, other major versions, invalid metadata. Idempotent; a recipe of the generator stays
/// unchanged. Does not access unused blocks.
void Normalize(Recipe& recipe);

/// A single block. No rule depends on two blocks.
void Normalize(Offer& offer);
void Normalize(Request& request);
void Normalize(Call& call);

/// Only the header, so that the blocks can be read that it counts.
void NormalizeHeader(Recipe& recipe);

/// A slot that no step names, for imports inside a deleter; -1 if every slot is named.
int SpareSlot(const Recipe& recipe);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_NORMALIZE_H_
