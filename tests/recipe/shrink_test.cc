// tests/recipe/shrink_test.cc: shrinking ends, keeps to the law, and finds small counterexamples.
#include "harness/recipe/shrink.h"

#include <gtest/gtest.h>

#include "harness/recipe/elements.h"
#include "harness/recipe/laws.h"
#include "tests/recipe/random_recipe.h"

namespace dlpack_cts {
namespace {

/// Follows the first candidate that still fails, as a property's shrinking does.
template <typename Fails>
Recipe ShrinkWhile(Recipe recipe, Fails fails, int* steps) {
  for (*steps = 0; *steps < 100000; ++*steps) {
    bool found = false;
    for (const Recipe& candidate : ShrinkCandidates(recipe)) {
      if (!fails(candidate)) continue;
      recipe = candidate;
      found = true;
      break;
    }
    if (!found) return recipe;
  }
  return recipe;
}

/// A recipe of any tier, or of wild bytes. Blocks of up to kDims dimensions have thousands of candidates each, so only
/// one recipe in `deep` keeps them; none for 0.
Recipe AnyRecipe(uint64_t seed, uint64_t deep) {
  Recipe recipe = seed % 2 == 0 ? DrawAny(seed) : WildBytes(seed);
  Normalize(recipe);
  if (deep != 0 && seed / 2 % deep == 0) return recipe;
  for (int i = 0; i < recipe.used.offers; ++i) recipe.offers[i].dims %= kWalkedDims + 1;
  for (int i = 0; i < recipe.used.requests; ++i) recipe.requests[i].dims %= kWalkedDims + 1;
  Normalize(recipe);
  return recipe;
}

TEST(Shrink, CandidatesAreNormalDifferentAndAddNoLie) {
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    const Recipe recipe = AnyRecipe(seed, 100);
    for (const Recipe& candidate : ShrinkCandidates(recipe)) {
      ASSERT_TRUE(IsNormal(candidate)) << seed;
      ASSERT_FALSE(Same(candidate, recipe)) << seed;
      ASSERT_EQ(BrokenLaws(candidate.offer()) & ~BrokenLaws(recipe.offer()), 0u) << seed;
      ASSERT_EQ(candidate.kind, recipe.kind);
      ASSERT_EQ(candidate.used.steps, recipe.used.steps);
      ASSERT_EQ(std::memcmp(candidate.steps, recipe.steps, recipe.used.steps * sizeof(Step)), 0);
    }
  }
}

TEST(Shrink, EveryChainEnds) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Recipe recipe = AnyRecipe(seed, 0);
    // A random walk down wild extents takes hundreds of steps for each block.
    recipe.used.offers = recipe.used.requests = recipe.used.calls = 1;
    Normalize(recipe);
    Random random(seed);
    int steps = 0;
    // A chain of its own for every seed: any candidate may be the next one.
    for (;; ++steps) {
      const std::vector<Recipe> candidates = ShrinkCandidates(recipe);
      if (candidates.empty()) break;
      ASSERT_LT(steps, 5000) << seed;
      recipe = candidates[random.Below(candidates.size())];
    }
  }
}

TEST(Shrink, ReachesThePlainRecipe) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    Limits limits;
    limits.empty = false;
    limits.legacy = false;
    const Recipe recipe = DrawImport(random, static_cast<int>(seed), Tier::kLegal, limits);
    int steps = 0;
    const Recipe smallest = ShrinkWhile(recipe, [](const Recipe&) { return true; }, &steps);
    Recipe plain = MakeRecipe(RecipeKind::kImport);
    SetPlainLife(plain);
    EXPECT_TRUE(Same(smallest, plain)) << seed;
  }
}

TEST(Shrink, FindsTheSmallestNegativeStride) {
  const auto fails = [](const Recipe& recipe) {
    const Offer& offer = recipe.offer();
    for (int d = 0; d < offer.dims && offer.strides_kind == StridesKind::kExplicit; ++d) {
      if (offer.shape[d] > 1 && offer.strides[d] < 0) return true;
    }
    return false;
  };
  int found = 0;
  for (uint64_t seed = 0; seed < 1000; ++seed) {
    Random random(seed);
    const Recipe recipe = DrawImport(random, static_cast<int>(seed), Tier::kLegal, Limits{});
    if (!fails(recipe) || IsEmpty(recipe.offer())) continue;
    int steps = 0;
    const Recipe smallest = ShrinkWhile(recipe, fails, &steps);
    EXPECT_EQ(smallest.offer().dims, 1) << seed;
    EXPECT_EQ(smallest.offer().shape[0], 2) << seed;
    EXPECT_EQ(smallest.offer().strides[0], -1) << seed;
    EXPECT_EQ(smallest.offer().byte_offset, 0u) << seed;
    EXPECT_LT(steps, 100) << seed;
    ++found;
  }
  EXPECT_GT(found, 20);
}

TEST(Shrink, ReachesAGreatExtentInFewSteps) {
  // Only extents from 4294967298 on fail, as where a product overflows: one less at a time would never get there.
  const auto fails = [](const Recipe& recipe) {
    const Offer& offer = recipe.offer();
    return offer.dims == 2 && offer.shape[1] == 0 && offer.shape[0] >= 4294967298;
  };
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  recipe.offer().dims = 2;
  recipe.offer().shape[0] = int64_t{1} << 62;
  recipe.offer().shape[1] = 0;
  Normalize(recipe);
  ASSERT_TRUE(fails(recipe));
  int steps = 0;
  EXPECT_EQ(ShrinkWhile(recipe, fails, &steps).offer().shape[0], 4294967298);
  EXPECT_LT(steps, 200);
}

TEST(Shrink, KeepsAnEmptyTensorEmpty) {
  int steps = 0;
  Random random(3);
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  recipe.offer().dims = 3;
  recipe.offer().ndim = 3;
  recipe.offer().shape[0] = 4;
  recipe.offer().shape[2] = 5;
  recipe.offer().placement = Placement::kNull;
  const Recipe smallest = ShrinkWhile(recipe, [](const Recipe&) { return true; }, &steps);
  EXPECT_EQ(smallest.offer().dims, 1);
  EXPECT_EQ(smallest.offer().shape[0], 0);
}

TEST(Shrink, MakesARequestPlain) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    Limits limits;
    limits.empty = false;
    int steps = 0;
    const Recipe smallest = ShrinkWhile(
        DrawExport(random, static_cast<int>(seed), Tier::kLegal, limits), [](const Recipe&) { return true; }, &steps);
    EXPECT_EQ(smallest.request().dims, 0) << seed;
    EXPECT_EQ(smallest.request().making, Making::kFresh) << seed;
    EXPECT_EQ(smallest.request().offset, 0) << seed;
    EXPECT_EQ(smallest.call().max_version.kind, ArgumentKind::kAbsent) << seed;
  }
}

}  // namespace
}  // namespace dlpack_cts
