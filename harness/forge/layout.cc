// harness/forge/layout.cc: places elements next to guards, with the requested alignment.
#include "harness/forge/layout.h"

#include <algorithm>

#include "harness/recipe/normalize.h"
#include "harness/recipe/packing.h"

namespace dlpack_cts::forge {

Reach ReachOf(const Offer& offer, const int64_t* effective_strides) {
  constexpr Reach kNothing = {false, 0, 0};
  const int64_t item = ItemSize(offer.dtype);
  if (item <= 0) return kNothing;
  int64_t lowest = 0;
  int64_t highest = 0;
  const auto add = [&](int64_t extent, int64_t stride) {
    int64_t distance;
    if (__builtin_mul_overflow(extent - 1, stride, &distance)) return false;
    int64_t& side = distance < 0 ? lowest : highest;
    return !__builtin_add_overflow(side, distance, &side);
  };
  for (int d = 0; d < offer.dims; ++d) {
    if (offer.shape[d] <= 0 || !add(offer.shape[d], effective_strides[d])) return kNothing;
  }
  if (offer.ndim > offer.dims) {
    if (offer.fill_extent <= 0 || !add(offer.fill_extent, offer.ndim - offer.dims)) return kNothing;
  }
  const int64_t capacity = static_cast<int64_t>(CapacityOf(offer.large != 0)) / item;
  if (lowest < -capacity || highest > capacity || highest - lowest + 1 > capacity) return kNothing;
  return {true, lowest, highest};
}

uint64_t AlignedBelow(uint64_t limit, int log2) {
  const uint64_t unit = uint64_t{1} << log2;
  const uint64_t odd = (limit & ~(2 * unit - 1)) + unit;
  return odd <= limit ? odd : odd - 2 * unit;
}

uint64_t AlignedAbove(uint64_t limit, int log2) {
  const uint64_t unit = uint64_t{1} << log2;
  const uint64_t odd = (limit & ~(2 * unit - 1)) + unit;
  return odd >= limit ? odd : odd + 2 * unit;
}

DataPlan PlanData(const Offer& offer, const Reach& reach, uint64_t begin, uint64_t end, bool at_start) {
  const int packed = PackedBits(offer);
  const int64_t item = ItemSize(offer.dtype);
  const auto bytes = [&](int64_t elements) {
    return !reach.backed ? uint64_t{0}
                         : static_cast<uint64_t>(packed != 0 ? PackedBytes(elements * packed) : elements * item);
  };
  const uint64_t below = bytes(-reach.lowest);
  const uint64_t above = bytes(reach.highest + 1);
  DataPlan plan;
  plan.element0 =
      at_start ? AlignedAbove(begin + below, offer.alignment_log2) : AlignedBelow(end - above, offer.alignment_log2);
  plan.data = plan.element0 - offer.byte_offset;
  plan.begin = plan.element0 - below;
  plan.end = plan.element0 + above;
  // A library that ignores byte_offset reads the bytes before element 0. Canaries there give the same result every
  // time.
  const uint64_t front = std::max(kCanaryBytes, std::min<uint64_t>(offer.byte_offset, 1024));
  plan.canary_begin = at_start || plan.begin - begin < front ? begin : plan.begin - front;
  plan.canary_end = !at_start || end - plan.end < kCanaryBytes ? end : plan.end + kCanaryBytes;
  return plan;
}

}  // namespace dlpack_cts::forge
