// harness/case/thresholds.cc: draws huge extents and strides for tensors without elements.
#include "harness/case/thresholds.h"

#include <algorithm>
#include <iterator>
#include <limits>

namespace dlpack_cts {
namespace {

/// Both the item size and the alignment that the consumer needs for `data` divide it.
uint64_t UnitOf(const Profile& profile, abi::DLDataType dtype) {
  const auto item = static_cast<uint64_t>(std::max<int64_t>(1, ItemSize(dtype)));
  return std::max(item, uint64_t{1} << profile.takes_alignment_log2);
}

/// An extent of 0, a huge one, and small ones between them. `dims` is at least 2.
void SetVastShape(Random& random, int dims, int64_t* shape) {
  std::fill_n(shape, kDims, 0);
  for (int d = 0; d < dims; ++d) shape[d] = random.Between(1, 3);
  const auto count = static_cast<uint64_t>(dims);
  const uint64_t empty = random.Below(count);
  shape[empty] = 0;
  shape[(empty + 1 + random.Below(count - 1)) % count] = DrawMagnitude(random);
}

/// A rank of at least 2 that is nearest to the drawn one, or 0 if the subject has none.
int VastRank(Draw& draw) {
  const int deepest = std::min<int>(draw.profile.takes_deepest, kDims);
  const bool deep = deepest > kWalkedDims && draw.Pick(4) == 0;
  const int dims = deep ? static_cast<int>(draw.random.Between(kWalkedDims + 1, deepest))
                        : draw.Rank(2 + draw.Pick(kWalkedDims - 1));
  return dims < 2 ? 0 : dims;
}

}  // namespace

int64_t DrawMagnitude(Random& random) {
  constexpr int kBits[] = {15, 16, 31, 32, 62};
  const uint64_t row = random.Below(std::size(kBits) + 1);
  if (row == std::size(kBits)) return random.OneIn(2) ? std::numeric_limits<int64_t>::max() : int64_t{1} << 33;
  return (int64_t{1} << kBits[row]) + random.Between(-1, 1);
}

uint64_t FarOffset(const Profile& profile, int row, abi::DLDataType dtype) {
  constexpr int kBits[] = {15, 16, 31, 32};
  constexpr int kBeside = 3;
  static_assert(kFarOffsets == kBeside * std::size(kBits));
  const uint64_t unit = UnitOf(profile, dtype);
  const uint64_t edge = uint64_t{1} << kBits[row / kBeside];
  return edge - unit + static_cast<uint64_t>(row % kBeside) * unit;
}

uint64_t VastOffset(const Profile& profile, int row, abi::DLDataType dtype) {
  const uint64_t unit = UnitOf(profile, dtype);
  if (row == 0) return 0 - unit;  // the largest one
  const uint64_t edge = uint64_t{1} << (row <= 3 ? 62 : 63);
  return edge - unit + static_cast<uint64_t>((row - 1) % 3) * unit;
}

void PutFar(const Profile& profile, int row, Offer& offer) {
  offer.byte_offset = FarOffset(profile, row, offer.dtype);
  offer.placement = Placement::kFarOffset;
  offer.large = 0;
  offer.flags = 0;
}

void MakeVast(Draw& draw, Offer& offer) {
  const int dims = VastRank(draw);
  if (dims == 0) return;
  offer.dims = static_cast<uint8_t>(dims);
  offer.ndim = dims;
  offer.null_shape = 0;
  offer.large = 0;
  offer.byte_offset = 0;
  offer.placement = draw.Pick(2) == 0 ? Placement::kNull : Placement::kUnmapped;
  SetVastShape(draw.random, dims, offer.shape);
  offer.strides_kind = StridesKind::kExplicit;
  std::fill_n(offer.strides, kDims, 0);
  CompactStrides(offer.shape, dims, offer.strides);
  if (draw.Pick(2) == 0) {
    for (int d = 0; d < dims; ++d) offer.strides[d] = DrawMagnitude(draw.random);
  }
}

}  // namespace dlpack_cts
