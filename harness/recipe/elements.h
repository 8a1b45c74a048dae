// harness/recipe/elements.h: which bits every element of an offer or request holds, and where it lies.
//
// Forge and oracle both stand on these, so that what is written and what is expected cannot drift apart.
#ifndef DLPACK_CTS_HARNESS_RECIPE_ELEMENTS_H_
#define DLPACK_CTS_HARNESS_RECIPE_ELEMENTS_H_

#include <cstdint>

#include "harness/recipe/recipe.h"

namespace dlpack_cts {

/// Bits of one element of the backing store, little-endian, by its position in the store: a value that the dtype can
/// hold (bool is 0 or 1, floats are finite), and different for neighbours where the type has room. Writes ItemSize
/// bytes. Position 0 of an offer's store is the lowest element that shape and strides reach (ElementSpan().lowest).
void ElementBits(abi::DLDataType dtype, uint64_t seed, int64_t position, uint8_t* out);

/// The bits of `count` elements at positions `position`, `position + step`, ...; the same as that many ElementBits().
void ElementRun(abi::DLDataType dtype, uint64_t seed, int64_t position, int64_t step, int64_t count, uint8_t* out);

/// Effective strides (elements) of an offer or request: compact where the recipe says compact or NULL.
void EffectiveStrides(const Offer& offer, int64_t* strides);
void EffectiveStrides(const Request& request, int64_t* strides);

inline constexpr uint64_t kSalts = 64;  // tries before a type counts as having one value

/// Bits of the type that differ from `before`: a write that changes nothing (a bool has two values) shows nothing.
/// False where the type has but one value.
bool OtherBits(abi::DLDataType dtype, uint64_t seed, int64_t index, const uint8_t* before, uint8_t* bits);

/// The seed of a slot's elements: slots hold the same tensor with other values.
inline uint64_t SlotSeed(uint64_t seed, int slot) { return seed + static_cast<uint64_t>(slot) * 0x9E3779B97F4A7C15u; }

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_ELEMENTS_H_
