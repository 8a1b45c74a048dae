// harness/recipe/layout.cc: generates shapes and strides.
#include "harness/recipe/layout.h"

#include <algorithm>
#include <utility>

#include "harness/recipe/normalize.h"

namespace dlpack_cts {
namespace {

constexpr int64_t kMostBytes = static_cast<int64_t>(kDataCapacity) / 2;

/// Strides for the dimensions in the given order (the last one varies fastest), with steps and gaps if `stepped`. False
/// if the memory would become too large.
bool Spread(Random& random, const int64_t* shape, int dims, const int* order, bool stepped, int64_t most,
            int64_t* strides) {
  int64_t reach = 1;  // elements of memory that the dimensions so far take
  for (int i = dims - 1; i >= 0; --i) {
    const int d = order[i];
    const int64_t step = stepped && !random.OneIn(3) ? random.Between(2, 3) : 1;
    strides[d] = reach * step;
    reach = strides[d] * std::max<int64_t>(1, shape[d]) + (stepped && random.OneIn(3) ? random.Between(1, 2) : 0);
    if (reach > most) return false;
  }
  return true;
}

}  // namespace

Layout DrawLayoutOf(Random& random, uint32_t mask) {
  Layout allowed[kLayouts];
  uint64_t count = 0;
  for (int i = 1; i < kLayouts; ++i) {
    if (mask == 0 || ((mask >> i) & 1u) != 0) allowed[count++] = static_cast<Layout>(i);
  }
  return count == 0 ? Layout::kCompact : allowed[random.Below(count)];
}

bool AllowsStride(uint32_t mask, int64_t extent, int64_t stride) {
  const auto has = [mask](Layout layout) { return mask == 0 || ((mask >> static_cast<int>(layout)) & 1u) != 0; };
  if (extent <= 1) return true;
  return stride < 0 ? has(Layout::kNegative) : stride > 0 || has(Layout::kBroadcast);
}

void DrawShape(Random& random, int dims, int64_t item, bool empty, int64_t* shape) {
  static constexpr int64_t kExtents[16] = {1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 4, 4, 5, 5, 6, 7};
  int64_t room = std::min<int64_t>(random.OneIn(64) ? 4096 : 512, kMostBytes / std::max<int64_t>(1, item));
  const int longer = random.OneIn(8) ? static_cast<int>(random.Below(static_cast<uint64_t>(dims))) : -1;
  // Not every extent of a tensor of high rank can be above 1, and the last dimensions matter as much as the first.
  const bool deep = dims > kWalkedDims;
  const bool backwards = deep && random.OneIn(2);
  for (int i = 0; i < dims; ++i) {
    const int d = backwards ? dims - 1 - i : i;
    int64_t extent = kExtents[random.Below(16)];
    if (deep && i > 0 && !random.OneIn(static_cast<uint64_t>(dims) / 6)) extent = 1;
    if (backwards && i == 0) extent = std::max<int64_t>(2, extent);
    if (d == longer) extent = random.Between(1, room);
    shape[d] = std::min(extent, room);
    room /= shape[d];
  }
  if (empty && dims > 0) shape[random.Below(static_cast<uint64_t>(dims))] = 0;
}

void DrawLargeShape(Random& random, int dims, int64_t item, int64_t* shape) {
  const int64_t most = int64_t{random.OneIn(16) ? 4096 : 256} * 1024;  // the cost of an exchange grows with the bytes
  int64_t elements = random.Between(static_cast<int64_t>(kDataCapacity), most) / std::max<int64_t>(1, item);
  for (int d = 0; d + 1 < dims; ++d) {
    shape[d] = d < 3 ? random.Between(1, 3) : 1;
    elements /= shape[d];
  }
  shape[dims - 1] = std::max<int64_t>(1, elements);
}

int DrawRank(Random& random, int walked, const Limits& limits) {
  constexpr int kDeep = 9;
  const int deepest = std::min(limits.deepest, kDims);
  if (deepest < kDeep || !random.OneIn(32)) return walked;
  return static_cast<int>(random.Between(kDeep, deepest));
}

void DrawStrides(Random& random, Layout layout, const int64_t* shape, int dims, int64_t item, int64_t* strides) {
  const int64_t most = kMostBytes / std::max<int64_t>(1, item);
  int order[kDims];
  for (int d = 0; d < dims; ++d) order[d] = d;
  if (layout == Layout::kFortran) std::reverse(order, order + dims);
  if (layout == Layout::kPermuted || layout == Layout::kMixed) {
    for (int d = dims - 1; d > 0; --d) std::swap(order[d], order[random.Below(static_cast<uint64_t>(d) + 1)]);
    // The identity would be row-major.
    if (dims > 1 && std::is_sorted(order, order + dims)) std::swap(order[0], order[dims - 1]);
  }
  const bool stepped =
      layout == Layout::kStepped || layout == Layout::kMixed || (layout == Layout::kNegative && random.OneIn(2));
  if (!stepped || !Spread(random, shape, dims, order, true, most, strides)) {
    Spread(random, shape, dims, order, false, most, strides);
  }
  if (dims == 0) return;
  const auto any = static_cast<int>(random.Below(static_cast<uint64_t>(dims)));
  switch (layout) {
    case Layout::kNegative:
    case Layout::kMixed:
      for (int d = 0; d < dims; ++d) {
        if (d == any || random.OneIn(2)) strides[d] = -strides[d];
      }
      break;
    case Layout::kBroadcast:
      for (int d = 0; d < dims; ++d) {
        if (d == any || random.OneIn(3)) strides[d] = 0;
      }
      break;
    case Layout::kOverlapping:
      for (int d = 0; d + 1 < dims; ++d) strides[d] = random.Between(1, std::min<int64_t>(3, strides[d]));
      break;
    default:
      break;
  }
}

}  // namespace dlpack_cts
