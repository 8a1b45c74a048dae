// harness/recipe/generator.cc: random numbers, the combinations of dtype, rank and kind, and the default lives.
#include "harness/recipe/generator.h"

#include <algorithm>

#include "harness/recipe/dtypes.h"
#include "harness/recipe/walk.h"

namespace dlpack_cts {

uint64_t Random::Next() {
  state_ += 0x9E3779B97F4A7C15u;
  uint64_t x = state_;
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
  return x ^ (x >> 31);
}

uint64_t Random::Below(uint64_t bound) {
  return static_cast<uint64_t>((static_cast<unsigned __int128>(Next()) * bound) >> 64);
}

int64_t Random::Between(int64_t low, int64_t high) {
  const uint64_t width = static_cast<uint64_t>(high) - static_cast<uint64_t>(low) + 1;
  const uint64_t drawn = width == 0 ? Next() : Below(width);
  return static_cast<int64_t>(static_cast<uint64_t>(low) + drawn);
}

void SetPlainLife(Recipe& recipe) {
  static constexpr Op kImport[] = {Op::kImport,       Op::kDescribe,  Op::kRead,   Op::kCompute,
                                   Op::kDropProducer, Op::kDropArray, Op::kCollect};
  static constexpr Op kExport[] = {Op::kMake,       Op::kAskDevice,  Op::kExport,      Op::kReadExport,
                                   Op::kInspect,    Op::kReadSource, Op::kTakeCapsule, Op::kDropSource,
                                   Op::kReadExport, Op::kInspect,    Op::kDelete,      Op::kCollect};
  recipe.used.steps = 0;
  for (const Op op : recipe.kind == RecipeKind::kImport ? std::span<const Op>(kImport) : std::span<const Op>(kExport)) {
    AddStep(recipe, op);
  }
}

bool Limits::Rank(int dims) const {
  if (dims < 0 || dims > std::min(max_dims, kWalkedDims) || (dims == 0 && !scalar)) return false;
  return ranks == 0 || ((ranks >> dims) & 1u) != 0;
}

Combination WalkCombinations(int index, const Limits& limits) {
  uint8_t types[64];
  uint32_t count = 0;
  for (size_t i = 0; i < WholeByteTypes().size(); ++i) {
    if (limits.dtypes == 0 || ((limits.dtypes >> i) & 1u) != 0) types[count++] = static_cast<uint8_t>(i);
  }
  if (count == 0) types[count++] = static_cast<uint8_t>(DataTypeIndex("float32"));
  uint8_t dims[kWalkedDims + 1];
  uint32_t ranks = 0;
  for (int rank = 0; rank <= kWalkedDims; ++rank) {
    if (limits.Rank(rank)) dims[ranks++] = static_cast<uint8_t>(rank);
  }
  if (ranks == 0) dims[ranks++] = limits.max_dims > 0 ? 1 : 0;
  const uint32_t kinds = limits.legacy && limits.versioned ? 2 : 1;

  // A step near the golden section of the product, and coprime to it, visits each combination once per round, and any
  // few consecutive examples are spread over all of them.
  const uint32_t product = count * ranks * kinds;
  uint32_t step = static_cast<uint32_t>(product * 0.6180339887);
  const auto common_divisor = [](uint32_t a, uint32_t b) {
    while (b != 0) {
      const uint32_t rest = a % b;
      a = b;
      b = rest;
    }
    return a;
  };
  while (step > 1 && common_divisor(product, step) != 1) --step;
  if (step == 0) step = 1;
  const uint64_t place = uint64_t{static_cast<uint32_t>(index)} * step % product;

  Combination chosen;
  const auto kind = static_cast<uint32_t>(place % kinds);
  const bool legacy = limits.legacy && (kind == 0 || !limits.versioned);
  chosen.kind = legacy ? StructKind::kLegacy : StructKind::kVersioned;
  chosen.dims = dims[place / kinds % ranks];
  chosen.dtype = types[place / kinds / ranks];
  return chosen;
}

void SetPlainShape(int dims, int64_t* shape) {
  for (int d = 0; d < dims; ++d) shape[d] = d == 0 ? 2 : 1;
  if (dims > 0) shape[dims - 1] = dims == 1 ? 6 : 3;
}

Recipe PlainImport(StructKind kind) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  recipe.offer().kind = kind;
  recipe.offer().minor = 0;
  recipe.offer().dims = 1;
  recipe.offer().ndim = 1;
  SetPlainShape(1, recipe.offer().shape);
  recipe.offer().strides_kind = StridesKind::kCompact;
  recipe.offer().alignment_log2 = 8;
  SetPlainLife(recipe);
  return recipe;
}

}  // namespace dlpack_cts
