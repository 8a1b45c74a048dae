// harness/recipe/draw_export.cc: generates the array that a library makes, and the arguments of its export.
#include "harness/recipe/dtypes.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/layout.h"
#include "harness/recipe/normalize.h"
#include "harness/recipe/walk.h"

namespace dlpack_cts {
namespace {

Argument Pair(int64_t a, int64_t b) { return {ArgumentKind::kPair, {}, a, b}; }

/// A max_version for that kind of struct. (1, 99) and (2, 0) allow version 1.
void DrawMaxVersion(Random& random, StructKind kind, Argument& max_version) {
  static constexpr int64_t kVersions[][2] = {{1, 0}, {1, 1}, {1, 2}, {1, 3}, {1, 3}, {1, 99}, {2, 0}};
  if (kind == StructKind::kLegacy) {
    if (random.OneIn(3)) max_version.kind = ArgumentKind::kNone;
    return;
  }
  const auto& version = kVersions[random.Below(7)];
  max_version = Pair(version[0], version[1]);
}

void DrawRequest(Random& random, const Combination& combination, const Limits& limits, Request& request) {
  request.dtype = DataTypes()[static_cast<size_t>(combination.dtype)].dtype;
  request.dims = static_cast<uint8_t>(DrawRank(random, combination.dims, limits));
  const int64_t item = ItemSize(request.dtype);
  DrawShape(random, request.dims, item, limits.empty && random.OneIn(10), request.shape);
  request.read_only = limits.read_only && random.OneIn(6);
  request.seed = random.Next();
  if (limits.large && request.dims > 0 && random.OneIn(kLargeOneIn)) {
    request.large = 1;
    return DrawLargeShape(random, request.dims, item, request.shape);
  }
  if (random.OneIn(2)) return;
  request.making = Making::kView;
  if (limits.offset && random.OneIn(2)) request.offset = random.Between(1, 9);
  if (!limits.strided || request.dims == 0 || random.OneIn(5)) return;
  // Libraries without negative strides cannot make such an array, so it is drawn rarely.
  static constexpr Layout kLayoutsOfViews[] = {Layout::kPermuted,    Layout::kPermuted,  Layout::kFortran,
                                               Layout::kFortran,     Layout::kStepped,   Layout::kStepped,
                                               Layout::kBroadcast,   Layout::kBroadcast, Layout::kNegative,
                                               Layout::kOverlapping, Layout::kMixed,     Layout::kStepped};
  request.strides_kind = StridesKind::kExplicit;
  Layout layout = kLayoutsOfViews[random.Below(12)];
  if (limits.layouts != 0 && ((limits.layouts >> static_cast<int>(layout)) & 1u) == 0) {
    layout = DrawLayoutOf(random, limits.layouts);
  }
  DrawStrides(random, layout, request.shape, request.dims, item, request.strides);
  int64_t lowest = ElementSpan(request.shape, request.strides, request.dims).lowest;
  request.offset -= lowest;
}

/// Legal but rare: arguments that few callers pass, and undefined ones.
void MakeEdge(Random& random, Call& call) {
  static constexpr ArgumentKind kOdd[] = {ArgumentKind::kList,   ArgumentKind::kOneTuple, ArgumentKind::kString,
                                          ArgumentKind::kFloats, ArgumentKind::kHuge,     ArgumentKind::kObject,
                                          ArgumentKind::kTrue,   ArgumentKind::kInt,      ArgumentKind::kBools};
  switch (random.Below(6)) {
    case 0:
      call.max_version = {kOdd[random.Below(9)], {}, 1, 3};
      return;
    case 1:
      call.max_version = random.OneIn(2) ? Pair(0, 8) : Pair(-1, 0);
      return;
    case 2:
      call.dl_device = random.OneIn(2) ? Pair(abi::kDLCPU, 0) : Pair(random.Between(2, 21), 0);
      return;
    case 3:
      call.copy.kind = random.OneIn(2) ? ArgumentKind::kTrue : ArgumentKind::kFalse;
      return;
    case 4:
      call.stream = {random.OneIn(2) ? ArgumentKind::kNone : ArgumentKind::kInt, {}, random.Between(-1, 2), 0};
      return;
    default:
      call.unknown_keyword = 1;
  }
}

/// Arguments outside of every range.
void MakeHostile(Random& random, Call& call) {
  const Argument hostile = {static_cast<ArgumentKind>(2 + random.Below(10)),
                            {},
                            static_cast<int64_t>(random.Next()),
                            static_cast<int64_t>(random.Next())};
  Argument* const arguments[] = {&call.max_version, &call.dl_device, &call.copy, &call.stream};
  *arguments[random.Below(4)] = hostile;
}

}  // namespace

Recipe DrawExport(Random& random, int index, Tier tier, const Limits& limits) {
  Recipe recipe = MakeRecipe(RecipeKind::kExport);
  const Combination combination = WalkCombinations(index, limits);
  DrawRequest(random, combination, limits, recipe.request());
  DrawMaxVersion(random, combination.kind, recipe.call().max_version);
  if (tier == Tier::kEdge) MakeEdge(random, recipe.call());
  if (tier == Tier::kHostile) MakeHostile(random, recipe.call());
  SetPlainLife(recipe);
  Normalize(recipe);
  return recipe;
}

}  // namespace dlpack_cts
