// harness/forge/layout.h: decides where the elements of an offer lie; pure arithmetic on addresses.
#ifndef DLPACK_CTS_HARNESS_FORGE_LAYOUT_H_
#define DLPACK_CTS_HARNESS_FORGE_LAYOUT_H_

#include <cstdint>

#include "harness/recipe/recipe.h"

namespace dlpack_cts::forge {

/// What shape and strides reach. `backed` is false where that is nothing, or more than a slot holds.
struct Reach {
  bool backed;
  int64_t lowest;  // element indices relative to element 0
  int64_t highest;
};
Reach ReachOf(const Offer& offer, const int64_t* effective_strides);

/// Addresses of an offer's data. begin <= elements < end; canaries lie in [canary_begin, begin) and [end, canary_end).
struct DataPlan {
  uint64_t data;  // as written into the struct
  uint64_t element0;
  uint64_t begin;
  uint64_t end;
  uint64_t canary_begin;
  uint64_t canary_end;
};

/// Bytes of canary on the side that has no guard.
inline constexpr uint64_t kCanaryBytes = 64;

/// Places the elements in the area [begin, end), at its end or at its start. Element 0's address is a multiple of
/// 1 << alignment_log2 and not of twice that; also a packed element 0 starts a byte.
DataPlan PlanData(const Offer& offer, const Reach& reach, uint64_t begin, uint64_t end, bool at_start);

/// Largest address <= `limit`, or smallest >= `limit`, that is a multiple of 1 << log2 and of no more.
uint64_t AlignedBelow(uint64_t limit, int log2);
uint64_t AlignedAbove(uint64_t limit, int log2);

}  // namespace dlpack_cts::forge

#endif  // DLPACK_CTS_HARNESS_FORGE_LAYOUT_H_
