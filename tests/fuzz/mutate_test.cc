// tests/fuzz/mutate_test.cc: whatever bytes come, the mutator makes recipes that its tier may offer.
#include "fuzz/mutate.h"

#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <string>
#include <vector>

#include "harness/recipe/codec.h"
#include "harness/recipe/dtypes.h"
#include "harness/recipe/laws.h"

namespace dlpack_cts {
namespace {

constexpr uint64_t kRounds = 8000;

std::vector<uint8_t> WildBytes(Random& random) {
  std::vector<uint8_t> bytes(random.Below(2 * sizeof(Recipe)));
  for (uint8_t& byte : bytes) byte = random.OneIn(3) ? 0 : static_cast<uint8_t>(random.Next());
  if (bytes.size() > 8 && random.OneIn(2)) {
    // A drawn recipe with a few wild bytes in it comes further than noise does.
    const auto drawn = Encode(DrawImport(random, static_cast<int>(random.Below(1000)), Tier::kHostile, Limits{}));
    bytes.assign(drawn.begin(), drawn.end());
    for (int i = 0; i < 6; ++i) bytes[random.Below(bytes.size())] = static_cast<uint8_t>(random.Next());
  }
  return bytes;
}

bool Same(const Recipe& a, const Recipe& b) { return std::memcmp(&a, &b, sizeof(Recipe)) == 0; }

/// The laws that a tier must keep.
uint32_t Forbidden(Tier tier) { return tier == Tier::kLegal ? ~0u : tier == Tier::kEdge ? kHostileLaws : 0u; }

void ExpectOffered(const Recipe& recipe, const Offering& offering, uint64_t seed) {
  const Offer& offer = recipe.offer;
  const std::string json = ToJson(recipe);
  ASSERT_EQ(BrokenLaws(offer) & Forbidden(offering.tier), 0u) << "seed " << seed << ": " << json;
  ASSERT_EQ(recipe.kind, RecipeKind::kImport) << "seed " << seed;
  ASSERT_EQ(recipe.life[0].op, Op::kImport) << "seed " << seed << ": " << json;
  ASSERT_NE(offer.kind, StructKind::kView) << "seed " << seed;
  for (int d = 0; d < offer.dims && !offering.negative; ++d) ASSERT_GE(offer.strides[d], 0) << json;
  Recipe again = recipe;
  FoldImport(again, offering);
  ASSERT_TRUE(Same(again, recipe)) << "seed " << seed << ": " << json << " folds again to " << ToJson(again);
}

class Tiers : public testing::TestWithParam<Offering> {};

TEST_P(Tiers, AnyBytesFoldToARecipeOfTheTier) {
  for (uint64_t seed = 0; seed < kRounds; ++seed) {
    Random random(seed);
    Recipe recipe = DecodeAny(WildBytes(random));
    FoldImport(recipe, GetParam());
    ASSERT_NO_FATAL_FAILURE(ExpectOffered(recipe, GetParam(), seed));
  }
}

TEST_P(Tiers, LongWalksOfTheMutatorStayInTheTier) {
  Random random(1);
  Recipe recipe = DecodeAny({});
  for (uint64_t step = 0; step < kRounds; ++step) {
    recipe = Mutate(recipe, GetParam(), random);
    ASSERT_NO_FATAL_FAILURE(ExpectOffered(recipe, GetParam(), step));
  }
}

TEST_P(Tiers, CrossedRecipesStayInTheTier) {
  for (uint64_t seed = 0; seed < kRounds; ++seed) {
    Random random(seed);
    const Recipe a = DecodeAny(WildBytes(random));
    const Recipe b = DecodeAny(WildBytes(random));
    ASSERT_NO_FATAL_FAILURE(ExpectOffered(Cross(a, b, GetParam(), random), GetParam(), seed));
  }
}

INSTANTIATE_TEST_SUITE_P(Import, Tiers,
                         testing::Values(Offering{Tier::kLegal, true}, Offering{Tier::kLegal, false},
                                         Offering{Tier::kEdge, true}, Offering{Tier::kEdge, false},
                                         Offering{Tier::kHostile, true}));

TEST(Mutate, IsAFunctionOfItsSeed) {
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    Random first(seed);
    Random second(seed);
    const Recipe a = Mutate(DecodeAny({}), Offering{}, first);
    ASSERT_TRUE(Same(a, Mutate(DecodeAny({}), Offering{}, second))) << "seed " << seed;
  }
}

TEST(Mutate, StoredBytesComeBackAsTheSameRecipe) {
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    Random random(seed);
    const Recipe recipe = Mutate(DecodeAny({}), Offering{}, random);
    ASSERT_TRUE(Same(recipe, DecodeAny(Encode(recipe)))) << "seed " << seed;
  }
}

TEST(Mutate, AWalkInTheLegalTierReachesEveryTypeRankAndLayout) {
  std::set<int> types;
  std::set<int> ranks;
  std::set<StridesKind> layouts;
  std::set<StructKind> kinds;
  Random random(7);
  Recipe recipe = DecodeAny({});
  for (int step = 0; step < 4000; ++step) {
    recipe = Mutate(recipe, Offering{Tier::kLegal, true}, random);
    types.insert(DataTypeIndex(recipe.offer.dtype));
    ranks.insert(recipe.offer.dims);
    layouts.insert(recipe.offer.strides_kind);
    kinds.insert(recipe.offer.kind);
  }
  EXPECT_EQ(types.size(), DataTypes().size());
  EXPECT_EQ(ranks.size(), static_cast<size_t>(kDims) + 1);
  EXPECT_EQ(layouts.size(), 3u);
  EXPECT_EQ(kinds.size(), 2u);
}

TEST(Mutate, AWalkInTheEdgeTierBreaksEveryLawThatATierMayBreak) {
  uint32_t seen = 0;
  Random random(7);
  Recipe recipe = DecodeAny({});
  for (int step = 0; step < 20000; ++step) {
    recipe = Mutate(recipe, Offering{}, random);
    seen |= BrokenLaws(recipe.offer);
  }
  for (const uint32_t law :
       {kLawMajor, kLawName, kLawDevice, kLawDtype, kLawFlags, kLawRelease, kLawManners, kLawNdim, kLawFar, kLawHuge}) {
    EXPECT_NE(seen & law, 0u) << law;
  }
}

}  // namespace
}  // namespace dlpack_cts
