// harness/recipe/layout.h: generates shapes and strides, for imports and exports.
#ifndef DLPACK_CTS_HARNESS_RECIPE_LAYOUT_H_
#define DLPACK_CTS_HARNESS_RECIPE_LAYOUT_H_

#include <cstdint>

#include "harness/recipe/generator.h"

namespace dlpack_cts {

enum class Layout : uint8_t {
  kCompact,
  kPermuted,     // compact memory, the dimensions in another order
  kFortran,      // compact memory, column-major
  kStepped,      // every second or third element, with gaps between rows
  kNegative,     // element 0 does not have the lowest address
  kBroadcast,    // strides of 0
  kOverlapping,  // windows that share elements
  kMixed,        // permuted, stepped and negative
};
inline constexpr int kLayouts = 8;

/// A layout other than kCompact. `mask` has one bit for each allowed layout; 0: all.
Layout DrawLayoutOf(Random& random, uint32_t mask);

/// Whether a consumer that accepts the layouts in `mask` (as above) can be offered this stride of a tensor without
/// elements. A stride of an extent of 0 or 1 has no meaning. In other extents a negative stride or a stride of 0 is a
/// layout that a consumer need not accept (C-STRIDES-09, C-STRIDES-10).
bool AllowsStride(uint32_t mask, int64_t extent, int64_t stride);

/// Writes extents with a small product: usually 1 to 6 each and at most 512 elements, rarely a few thousand. `empty`
/// makes one of them 0.
void DrawShape(Random& random, int dims, int64_t item, bool empty, int64_t* shape);

/// One of so many is large, if the limits allow it.
inline constexpr uint64_t kLargeOneIn = 128;

/// Writes extents of more data than kDataCapacity, up to a few MiB. `dims` is at least 1.
void DrawLargeShape(Random& random, int dims, int64_t item, int64_t* shape);

/// `walked`, or rarely a higher rank, if the limits allow one.
int DrawRank(Random& random, int walked, const Limits& limits);

/// Writes explicit strides of that layout, in elements. The distance between two elements is at most kDataCapacity / 2.
void DrawStrides(Random& random, Layout layout, const int64_t* shape, int dims, int64_t item, int64_t* strides);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_HARNESS_RECIPE_LAYOUT_H_
