// harness/case/tensor_ways.cc: the last extents, the unit extents and the NULL strides of a subject.
#include "harness/case/tensor_ways.h"

#include <algorithm>

namespace dlpack_cts {
namespace {

constexpr uint32_t kNullStridesEnd = 2;  // since 1.2, NULL strides need ndim 0

template <typename Tensor>
void KeepLastExtent(uint64_t extents, Tensor& tensor) {
  if (extents == 0 || tensor.dims == 0 || tensor.dims > kDims) return;
  int64_t& last = tensor.shape[tensor.dims - 1];
  const auto allowed = [&](int64_t extent) { return ((extents >> extent) & 1u) != 0; };
  if (last < 0 || (last <= Declared::kLargestExtent && allowed(last))) return;
  const bool empty = last == 0;
  if (empty && tensor.dims == 1) return;  // with elements it would need memory
  int64_t nearest = std::min(last, Declared::kLargestExtent);
  while (nearest > 0 && !allowed(nearest)) --nearest;
  if (!allowed(nearest) || (nearest == 0 && !empty)) {
    nearest = 1;
    while (nearest < Declared::kLargestExtent && !allowed(nearest)) ++nearest;
    if (!allowed(nearest)) return;  // empty tensors only
    // With the old strides, elements of a larger tensor could overlap.
    tensor.strides_kind = StridesKind::kCompact;
  }
  last = nearest;
  if (empty && tensor.dims > 1) tensor.shape[0] = 0;
}

bool NeedsNullStrides(const Profile& profile, const Offer& offer) {
  if (offer.dims > kDims || offer.ndim != offer.dims || offer.negative_metadata != 0) return false;
  const bool rank = offer.dims < 32 && ((profile.null_ranks >> offer.dims) & 1u) != 0;
  return rank || (profile.unit_extents == UnitExtents::kWithNullStrides && HasUnitExtent(offer));
}

}  // namespace

bool MayHaveNullStrides(const Offer& offer) {
  return offer.kind == StructKind::kLegacy || (offer.major == 1 && offer.minor < kNullStridesEnd);
}

bool HasUnitExtent(const Offer& offer) {
  return offer.dims > 1 && std::find(offer.shape, offer.shape + offer.dims, 1) != offer.shape + offer.dims;
}

void KeepExtents(const Declared& declared, Recipe& recipe) {
  for (int block = 0; block < recipe.used.offers; ++block) KeepLastExtent(declared.last_extents, recipe.offer(block));
  for (int block = 0; block < recipe.used.requests; ++block) {
    KeepLastExtent(declared.last_extents, recipe.request(block));
  }
}

void KeepTensors(const Profile& profile, Recipe& recipe) {
  for (int block = 0; block < recipe.used.requests; ++block) {
    KeepLastExtent(profile.makes_last_extents, recipe.request(block));
  }
  for (int block = 0; block < recipe.used.offers; ++block) {
    Offer& offer = recipe.offer(block);
    KeepLastExtent(profile.takes_last_extents, offer);
    const bool plain = offer.strides_kind == StridesKind::kCompact && MayHaveNullStrides(offer);
    if (plain && NeedsNullStrides(profile, offer)) offer.strides_kind = StridesKind::kNull;
  }
}

void FitTensor(const Profile& profile, Offer& offer) {
  if (profile.unit_extents == UnitExtents::kRefused && HasUnitExtent(offer) && offer.large == 0) {
    // The other extents may be 2 at most, or a tensor of many dimensions would be large.
    for (int d = 0; d < offer.dims; ++d) offer.shape[d] = std::min<int64_t>(offer.shape[d], 2) == 0 ? 0 : 2;
    offer.strides_kind = StridesKind::kCompact;
  }
  if (!NeedsNullStrides(profile, offer)) return;
  offer.strides_kind = StridesKind::kNull;
  if (offer.kind == StructKind::kVersioned) offer.minor = std::min(offer.minor, kNullStridesEnd - 1);
}

}  // namespace dlpack_cts
