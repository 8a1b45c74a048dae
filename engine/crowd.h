// engine/crowd.h: hundreds of exports or imports of one thread that are alive at the same time, and elements far apart.
//
// A table of 64 or 256 entries, or memory that is used in turn, shows only then. Each array has extents and elements of
// its own, so that a mistaken one is found. What is wrong is run once more alone: if it is wrong then too, the number
// of exchanges does not matter, and the race was not run.
#ifndef DLPACK_CTS_ENGINE_CROWD_H_
#define DLPACK_CTS_ENGINE_CROWD_H_

#include <algorithm>
#include <cstdint>

#include "base/clock.h"
#include "engine/life_state.h"
#include "engine/releases.h"

namespace dlpack_cts {

inline constexpr int kMembers = 300;  // of a crowd, unless the library is slow
inline constexpr int kFewMembers = 8;

/// The number of members of a crowd: so many as take no longer than the patience for a race, judged by a few exchanges
/// that are made and released alone. `alone` makes one, and returns false if the library refuses it.
template <typename Alone>
int SizeOf(const LifeState& life, const Alone& alone) {
  if (life.effort != Effort::kFull) return kFewMembers;
  constexpr int kTrials = 3;  // the first one may take longer
  double fastest = life.patience.measuring;
  for (int trial = 0; trial < kTrials; ++trial) {
    const double begun = Now();
    if (!alone()) return kFewMembers;
    fastest = std::min(fastest, Now() - begun);
  }
  const double most = life.patience.measuring / 4 / std::max(fastest, 1e-6);
  return static_cast<int>(std::clamp(most, double{kFewMembers}, double{kMembers}));
}

/// Gives an offer or a request the extents and elements of that member: at least one element, at most kMembers or so.
template <typename Block>
void SetMember(int number, Block& block) {
  const int64_t each = block.dims == 1 ? kMembers : block.dims == 2 ? 18 : 7;
  int64_t rest = number;
  for (int d = 0; d < block.dims; ++d) {
    block.shape[d] = 1 + rest % each;
    rest /= each;
  }
  block.seed += static_cast<uint64_t>(number) * 0x9E3779B97F4A7C15u;
}

/// Many exports, by the function that Beside names. crowd_exports.cc
Race RunExportCrowd(LifeState& life, const Step& step);
/// Many imports. crowd_imports.cc
Race RunImportCrowd(LifeState& life, Releases& releases, const Step& step);
/// Many exports of one imported array. crowd_reexports.cc
Race RunReexportCrowd(LifeState& life, Releases& releases, const Step& step);
/// Imports of tensors whose elements lie far apart. crowd_imports.cc
Race RunFarImports(LifeState& life, Releases& releases, const Step& step);

}  // namespace dlpack_cts

#endif  // DLPACK_CTS_ENGINE_CROWD_H_
