// worker/probe/rank_probes.cc: tries other extents and strides of a rank, and ranks above 8.
#include "worker/probe/rank_probes.h"

#include <algorithm>

#include "harness/recipe/layout.h"
#include "worker/probe/limit_changes.h"

namespace dlpack_cts::worker {
namespace {

/// Which last extents are accepted, if one of the simplest is.
template <typename Works>
bool LearnExtents(const Works& works, uint64_t* extents) {
  if (std::ranges::none_of(kLastExtents, works)) return false;
  constexpr int64_t kMost = 16;
  uint64_t learnt = 0;
  for (int64_t extent = 0; extent <= kMost; ++extent) learnt |= works(extent) ? uint64_t{1} << extent : 0;
  *extents = learnt;
  return true;
}

}  // namespace

bool RankProbes::TakesAnother(int dims) {
  if (dims == 0 || !profile_.Claims(Claim::kConsumer)) return false;
  const auto takes = [&](const auto& change) {
    Recipe recipe = OfRank(dims);
    change(recipe.offer());
    return Imports(recipe);
  };
  const auto no_units = [](Offer& offer) {
    std::replace(offer.shape, offer.shape + offer.dims, int64_t{1}, int64_t{2});
  };
  const auto null = [](Offer& offer) { offer.strides_kind = StridesKind::kNull; };
  const bool may_be_null = MayHaveNullStrides(Plain().offer());
  if (dims > 2 && profile_.unit_extents == UnitExtents::kTaken && takes(no_units)) {
    profile_.unit_extents = may_be_null && takes(null) ? UnitExtents::kWithNullStrides : UnitExtents::kRefused;
    return true;
  }
  const auto with_last = [&](int64_t extent) { return takes([&](Offer& offer) { offer.shape[dims - 1] = extent; }); };
  if (profile_.takes_last_extents == 0 && LearnExtents(with_last, &profile_.takes_last_extents)) return true;
  if (!may_be_null || !takes(null)) return false;
  profile_.null_ranks |= 1u << dims;
  return true;
}

bool RankProbes::MakesAnother(int dims) {
  if (dims == 0 || !profile_.Claims(Claim::kProducer) || profile_.makes_last_extents != 0) return false;
  const auto with_last = [&](int64_t extent) {
    Recipe recipe = ExportOfRank(dims);
    recipe.request().shape[dims - 1] = extent;
    return Exported(recipe);
  };
  return LearnExtents(with_last, &profile_.makes_last_extents);
}

void RankProbes::Deep() {
  const auto deepest = [](uint8_t* most, const auto& works) {
    for (const int dims : {kDims, 32, 16}) {
      *most = static_cast<uint8_t>(dims);
      if (works(dims)) return;
    }
    *most = 0;
  };
  if (profile_.declared.ranks != 0) return;
  deepest(&profile_.takes_deepest, [this](int dims) { return Imports(OfRank(dims)); });
  deepest(&profile_.makes_deepest, [this](int dims) { return Exported(ExportOfRank(dims)); });
}

}  // namespace dlpack_cts::worker
