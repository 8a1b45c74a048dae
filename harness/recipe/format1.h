// harness/recipe/format1.h: recipes as the first format had them, for the codec.
//
// One offer, one request, one call and sixteen steps, whose special behaviour lay in operations and arguments of their
// own; eight dimensions. What such a recipe says stays what it says.
#ifndef DLPACK_CTS_HARNESS_RECIPE_FORMAT1_H_
#define DLPACK_CTS_HARNESS_RECIPE_FORMAT1_H_

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "harness/recipe/recipe.h"

namespace dlpack_cts::format1 {

inline constexpr int kOldDims = 8;
inline constexpr int kOldSteps = 16;

/// A step as it was; `op` is an index into OpWords().
struct OldStep {
  uint8_t op;
  uint8_t slot;
  int16_t argument;
};

std::span<const std::string_view> OpWords();
std::span<const std::string_view> MannersWords();

/// Size of a stored recipe.
size_t Size();

/// Reads the bytes, which missing ones follow as zeros; the result is not normal yet.
Recipe Read(std::span<const uint8_t> bytes);

/// Says in the new fields what the old ones said.
void SetManners(size_t manners, Offer& offer);
void SetOldLife(std::span<const OldStep> steps, Recipe& recipe);

}  // namespace dlpack_cts::format1

#endif  // DLPACK_CTS_HARNESS_RECIPE_FORMAT1_H_
