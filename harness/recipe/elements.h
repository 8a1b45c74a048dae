// harness/recipe/elements.h: the bits and the position of every element of an offer or request.
//
// The forge and the oracle both use these functions, so written and expected elements cannot differ.
#ifndef DLPACK_CTS_HARNESS_RECIPE_ELEMENTS_H_
#define DLPACK_CTS_HARNESS_RECIPE_ELEMENTS_H_

#include <cstdint>

#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// The bits of one element of the backing store, little-endian, by its position in the store. The value is valid for
/// the dtype (bool is 0 or 1, floats are finite), and neighbours differ if the dtype has enough values. Writes ItemSize
/// bytes. Position 0 of an offer's store is the lowest element that shape and strides reach (ElementSpan().lowest).
void ElementBits(abi::DLDataType dtype, uint64_t seed, int64_t position, uint8_t* out);

/// The bits of `count` elements at `position`, `position + step`, ...: the same as that many calls of ElementBits().
void ElementRun(abi::DLDataType dtype, uint64_t seed, int64_t position, int64_t step, int64_t count, uint8_t* out);

/// The strides of an offer or request, in elements. Compact ones if the recipe says compact or NULL.
void EffectiveStrides(const Offer& offer, int64_t* strides);
void EffectiveStrides(const Request& request, int64_t* strides);

inline constexpr uint64_t kSalts = 64;  // attempts before a dtype counts as having one value

/// Bits that differ from `before`, because a write that changes nothing cannot be observed. False if the dtype has only
/// one value.
bool OtherBits(abi::DLDataType dtype, uint64_t seed, int64_t index, const uint8_t* before, uint8_t* bits);

/// The seed of a slot's elements: the slots hold the same tensor with different values.
inline uint64_t SlotSeed(uint64_t seed, int slot) { return seed + static_cast<uint64_t>(slot) * 0x9E3779B97F4A7C15u; }

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_ELEMENTS_H_
