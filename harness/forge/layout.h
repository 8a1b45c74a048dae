// harness/forge/layout.h: decides the address of the elements of an offer; only arithmetic.
#ifndef DLPACK_CTS_HARNESS_FORGE_LAYOUT_H_
#define DLPACK_CTS_HARNESS_FORGE_LAYOUT_H_

#include <cstdint>

#include "harness/recipe/recipe.h"

namespace dlpack_cts::forge {

/// The range of elements that shape and strides reach. `backed` is false if it is empty, or larger than a slot.
struct Reach {
  bool backed;
  int64_t lowest;  // in elements, relative to element 0
  int64_t highest;
};
Reach ReachOf(const Offer& offer, const int64_t* effective_strides);

/// Addresses of an offer's data. begin <= elements < end; canaries are in [canary_begin, begin) and [end, canary_end).
struct DataPlan {
  uint64_t data;  // the field data of the struct
  uint64_t element0;
  uint64_t begin;
  uint64_t end;
  uint64_t canary_begin;
  uint64_t canary_end;
};

/// Bytes of canary on the side that has no guard.
inline constexpr uint64_t kCanaryBytes = 64;

/// Places the elements in [begin, end), at its end or at its start. The address of element 0 is a multiple of 1 <<
/// alignment_log2, and not of twice that. A packed element 0 starts at a byte.
DataPlan PlanData(const Offer& offer, const Reach& reach, uint64_t begin, uint64_t end, bool at_start);

/// The largest address <= `limit` (or smallest >= `limit`) that is a multiple of 1 << log2, and not of twice that.
uint64_t AlignedBelow(uint64_t limit, int log2);
uint64_t AlignedAbove(uint64_t limit, int log2);

}  // namespace dlpack_cts::forge

#endif  // DLPACK_CTS_HARNESS_FORGE_LAYOUT_H_
