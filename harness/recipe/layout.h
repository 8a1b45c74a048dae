// harness/recipe/layout.h: draws shapes and strides; shared by the generators of imports and exports.
#ifndef DLPACK_CTS_HARNESS_RECIPE_LAYOUT_H_
#define DLPACK_CTS_HARNESS_RECIPE_LAYOUT_H_

#include <cstdint>

#include "harness/recipe/generator.h"

namespace dlpack_cts {

enum class Layout : uint8_t {
  kCompact,
  kPermuted,     // compact memory, dimensions in another order
  kFortran,      // compact memory, dimensions reversed
  kStepped,      // every second or third element, and gaps between rows
  kNegative,     // element 0 is not the lowest address
  kBroadcast,    // strides of 0
  kOverlapping,  // windows that share elements
  kMixed,        // permuted, stepped and negative together
};
inline constexpr int kLayouts = 8;

/// A layout other than kCompact; `mask` has a bit for each that may be drawn, 0 for all.
Layout DrawLayoutOf(Random& random, uint32_t mask);

/// Writes extents whose product is small: mostly 1 to 6 each and at most 512 elements, now and then a few thousand.
/// `empty` makes one of them 0.
void DrawShape(Random& random, int dims, int64_t item, bool empty, int64_t* shape);

/// One in so many is large, where the limits allow it.
inline constexpr uint64_t kLargeOneIn = 128;

/// Writes extents of more data than kDataCapacity, up to a few MiB. There is at least one dimension.
void DrawLargeShape(Random& random, int dims, int64_t item, int64_t* shape);

/// Now and then a rank beyond those that are walked, where the limits have any.
int DrawRank(Random& random, int walked, const Limits& limits);

/// Writes explicit strides of that layout. Every element lies within kDataCapacity / 2 of every other.
void DrawStrides(Random& random, Layout layout, const int64_t* shape, int dims, int64_t item, int64_t* strides);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_LAYOUT_H_
