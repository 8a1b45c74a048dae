// tests/recipe/generator_test.cc: the generator reaches everything, and stays inside its tier and limits.
#include "harness/recipe/generator.h"

#include <gtest/gtest.h>

#include <algorithm>

#include <set>
#include <tuple>

#include "harness/recipe/dtypes.h"
#include "harness/recipe/elements.h"
#include "harness/recipe/laws.h"
#include "harness/recipe/walk.h"
#include "tests/recipe/normal.h"
#include "tests/recipe/random_recipe.h"

namespace dlpack_cts {
namespace {

TEST(Random, StaysWithinItsBounds) {
  Random random(1);
  EXPECT_EQ(random.Below(0), 0u);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_LT(random.Below(7), 7u);
    const int64_t between = random.Between(-3, 4);
    EXPECT_GE(between, -3);
    EXPECT_LE(between, 4);
  }
  EXPECT_EQ(random.Between(INT64_MIN, INT64_MIN), INT64_MIN);
}

TEST(Walk, VisitsEveryCombinationOnceInARound) {
  std::set<std::tuple<StructKind, int, int>> seen;
  const int product = 2 * 6 * static_cast<int>(WholeByteTypes().size());
  for (int i = 17; i < 17 + product; ++i) {
    const Combination chosen = WalkCombinations(i, Limits{});
    seen.insert({chosen.kind, chosen.dims, chosen.dtype});
  }
  EXPECT_EQ(seen.size(), static_cast<size_t>(product));
}

TEST(Walk, ReachesEveryTypeRankAndKindInFewExamples) {
  for (int start : {0, 1000, 77777}) {
    std::set<int> types, dims, kinds;
    for (int i = start; i < start + 60; ++i) {
      const Combination chosen = WalkCombinations(i, Limits{});
      types.insert(chosen.dtype);
      dims.insert(chosen.dims);
      kinds.insert(static_cast<int>(chosen.kind));
    }
    EXPECT_EQ(types.size(), WholeByteTypes().size());
    EXPECT_EQ(dims.size(), 6u);
    EXPECT_EQ(kinds.size(), 2u);
  }
}

TEST(DrawImport, ReachesEveryTypeRankAndKindThatTheVersionsKnowIn500Examples) {
  std::set<std::tuple<int, int, int>> seen;
  for (int i = 0; i < 500; ++i) {
    Random random(static_cast<uint64_t>(i));
    const Offer offer = DrawImport(random, i, Tier::kLegal, Limits{}).offer();
    seen.insert({DataTypeIndex(offer.dtype), offer.dims, static_cast<int>(offer.kind)});
  }
  for (int type = 0; type < static_cast<int>(WholeByteTypes().size()); ++type) {
    for (int dims = 0; dims <= 5; ++dims) {
      EXPECT_TRUE(seen.contains({type, dims, static_cast<int>(StructKind::kVersioned)})) << type << " " << dims;
      if (DataTypes()[static_cast<size_t>(type)].dtype.code > abi::kDLBool) continue;
      EXPECT_TRUE(seen.contains({type, dims, static_cast<int>(StructKind::kLegacy)})) << type << " " << dims;
    }
  }
}

TEST(DrawImport, LegalRecipesBreakNoLaw) {
  for (uint64_t i = 0; i < 20000; ++i) {
    Random random(i);
    const Recipe recipe = DrawImport(random, static_cast<int>(i), Tier::kLegal, Limits{});
    ASSERT_EQ(BrokenLaws(recipe.offer()), 0u) << "seed " << i;
    ASSERT_EQ(recipe.offer().dims, recipe.offer().ndim);
  }
}

TEST(DrawImport, OnlyHostileRecipesBreakHostileLaws) {
  uint32_t edge = 0;
  uint32_t hostile = 0;
  for (uint64_t i = 0; i < 20000; ++i) {
    Random random(i);
    const uint32_t laws = BrokenLaws(DrawImport(random, static_cast<int>(i), Tier::kEdge, Limits{}).offer());
    ASSERT_EQ(laws & kHostileLaws, 0u) << "seed " << i;
    edge |= laws;
    const uint32_t lies = BrokenLaws(DrawImport(random, static_cast<int>(i), Tier::kHostile, Limits{}).offer());
    ASSERT_NE(lies & kHostileLaws, 0u) << "seed " << i;
    hostile |= lies;
  }
  for (uint32_t law :
       {kLawMajor, kLawName, kLawDevice, kLawDtype, kLawFlags, kLawManners, kLawNdim, kLawHuge, kLawWithheld}) {
    EXPECT_NE(edge & law, 0u) << law;
  }
  for (uint32_t law : {kLawData, kLawStrides, kLawShape, kLawExtents, kLawItem}) EXPECT_NE(hostile & law, 0u) << law;
}

TEST(DrawImport, ReachesEveryTriggerOfLegalOffers) {
  int negative = 0, zero = 0, null_strides = 0, empty = 0, null_data = 0, read_only = 0, copied = 0, offset = 0,
      newer = 0, no_deleter = 0, odd = 0, scalar_null = 0, starts = 0, large = 0, wide = 0;
  for (uint64_t i = 0; i < 5000; ++i) {
    Random random(i);
    const Offer offer = DrawImport(random, static_cast<int>(i), Tier::kLegal, Limits{}).offer();
    for (int d = 0; d < offer.dims && offer.strides_kind == StridesKind::kExplicit; ++d) {
      negative += offer.shape[d] > 1 && offer.strides[d] < 0;
      zero += offer.shape[d] > 1 && offer.strides[d] == 0;
      odd += offer.shape[d] == 1 && offer.strides[d] == 777;
    }
    null_strides += offer.strides_kind == StridesKind::kNull && offer.dims > 0;
    empty += IsEmpty(offer);
    null_data += offer.placement == Placement::kNull;
    read_only += offer.placement == Placement::kReadOnlyPage;
    copied += (offer.flags & abi::kFlagIsCopied) != 0;
    offset += offer.byte_offset != 0;
    newer += offer.minor > 3;
    no_deleter += offer.deleter == DeleterKind::kNull;
    scalar_null += offer.dims == 0 && offer.null_shape != 0;
    starts += offer.placement == Placement::kStartsAtGuard;
    large += ElementCount(offer.shape, offer.dims) > 512;
    wide += offer.alignment_log2 == 12;
  }
  for (int count : {negative, zero, null_strides, empty, null_data, read_only, copied, offset, newer, no_deleter, odd,
                    scalar_null, starts, large, wide}) {
    EXPECT_GT(count, 2);
  }
}

TEST(DrawImport, KeepsItsLimits) {
  Limits limits;
  limits.dtypes = (1u << DataTypeIndex("float32")) | (1u << DataTypeIndex("int8"));
  limits.versioned = limits.strided = limits.empty = limits.scalar = limits.offset = limits.read_only = false;
  limits.max_dims = 3;
  for (uint64_t i = 0; i < 2000; ++i) {
    Random random(i);
    const Offer offer = DrawImport(random, static_cast<int>(i), Tier::kLegal, limits).offer();
    EXPECT_TRUE(DataTypeName(offer.dtype) == "float32" || DataTypeName(offer.dtype) == "int8");
    EXPECT_EQ(offer.kind, StructKind::kLegacy);
    EXPECT_GE(offer.dims, 1);
    EXPECT_LE(offer.dims, 3);
    EXPECT_FALSE(IsEmpty(offer));
    EXPECT_EQ(offer.byte_offset, 0u);
    EXPECT_EQ(offer.flags, 0u);
    int64_t compact[kDims];
    int64_t effective[kDims];
    CompactStrides(offer.shape, offer.dims, compact);
    EffectiveStrides(offer, effective);
    for (int d = 0; d < offer.dims; ++d) EXPECT_EQ(effective[d], compact[d]);
  }
}

TEST(DrawImport, DrawsHighRanksAndLargeTensorsIfTheLimitsAllowThem) {
  Limits limits;
  limits.deepest = kDims;
  limits.large = true;
  int deep = 0, deepest = 0, large = 0, behind_8 = 0, behind_32 = 0;
  for (uint64_t i = 0; i < 20000; ++i) {
    Random random(i);
    const Offer offer = DrawImport(random, static_cast<int>(i), Tier::kLegal, limits).offer();
    ASSERT_EQ(BrokenLaws(offer), 0u) << i;
    ASSERT_TRUE(offer.dims <= 5 || offer.dims > 8);
    deep += offer.dims > 8;
    deepest = std::max<int>(deepest, offer.dims);
    large += offer.large;
    const auto more_than_one = [](int64_t extent) { return extent > 1; };
    behind_8 += offer.dims > 8 && std::any_of(offer.shape + 8, offer.shape + offer.dims, more_than_one);
    behind_32 += offer.dims > 32 && std::any_of(offer.shape + 32, offer.shape + offer.dims, more_than_one);
    const int64_t bytes = ElementCount(offer.shape, offer.dims) * ItemSize(offer.dtype);
    ASSERT_LE(bytes, offer.large != 0 ? 4 << 20 : 64 << 10);
  }
  EXPECT_GT(deep, 300);
  EXPECT_LT(deep, 1000) << "now and then";
  EXPECT_EQ(deepest, kDims);
  EXPECT_GT(large, 20);
  EXPECT_LT(large, 300);
  EXPECT_GT(behind_8, deep * 3 / 4) << "who keeps eight dimensions has to lose something";
  EXPECT_GT(behind_32, deep / 4);
}

TEST(DrawExport, ReachesEveryLayoutAndWayOfMaking) {
  int views = 0, negative = 0, broadcast = 0, offset = 0, read_only = 0, empty = 0, legacy = 0, two = 0;
  for (uint64_t i = 0; i < 3000; ++i) {
    Random random(i);
    const Recipe recipe = DrawExport(random, static_cast<int>(i), Tier::kLegal, Limits{});
    const Request& request = recipe.request();
    views += request.making == Making::kView;
    for (int d = 0; d < request.dims && request.strides_kind == StridesKind::kExplicit; ++d) {
      negative += request.shape[d] > 1 && request.strides[d] < 0;
      broadcast += request.shape[d] > 1 && request.strides[d] == 0;
    }
    offset += request.offset != 0;
    read_only += request.read_only;
    empty += IsEmpty(request);
    legacy += recipe.call().max_version.kind == ArgumentKind::kAbsent;
    two += recipe.call().max_version.a == 2;
    EXPECT_TRUE(request.making == Making::kView || request.offset == 0);
  }
  for (int count : {views, negative, broadcast, offset, read_only, empty, legacy, two}) EXPECT_GT(count, 50);
}

TEST(Generator, EqualSeedsGiveEqualRecipes) {
  for (uint64_t seed = 0; seed < 200; ++seed) EXPECT_TRUE(Same(DrawAny(seed), DrawAny(seed)));
}

TEST(Generator, DrawsNormalRecipes) {
  for (uint64_t seed = 0; seed < 20000; ++seed) ASSERT_TRUE(IsNormal(DrawAny(seed))) << seed;
}

}  // namespace
}  // namespace dlpack_cts
