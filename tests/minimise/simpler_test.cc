// tests/minimise/simpler_test.cc: shrinking ends, keeps to the law, and finds small counterexamples.
#include "harness/minimise/simpler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <initializer_list>
#include <set>
#include <string>
#include <vector>

#include "harness/minimise/minimise.h"
#include "harness/recipe/codec.h"
#include "harness/recipe/laws.h"
#include "tests/recipe/normal.h"
#include "tests/recipe/random_recipe.h"

namespace dlpack_cts {
namespace {

/// Searches without a bound; `runs` counts the recipes that were tried.
template <typename Fails>
Recipe ShrinkWhile(const Recipe& recipe, Fails fails, int* runs) {
  *runs = 0;
  return MinimiseValues(recipe,
                        [&](const Recipe& candidate) {
                          ++*runs;
                          return fails(candidate);
                        },
                        {1000000, 1000});
}

/// A recipe of any tier, or of wild bytes: up to four blocks of 64 dimensions.
Recipe AnyRecipe(uint64_t seed) {
  Recipe recipe = seed % 2 == 0 ? DrawAny(seed) : WildBytes(seed);
  Normalize(recipe);
  return recipe;
}

TEST(Simpler, CandidatesAreNormalDifferentAndBreakNoNewLaw) {
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    const Recipe recipe = AnyRecipe(seed);
    Random random(seed);
    // Each of a few, and then some of all: they cost more to judge than to make.
    const uint64_t every = 1 + recipe.used.offers * recipe.offer().dims / 4;
    VisitSimpler(recipe, 0, [&](const Recipe& candidate) {
      if (!random.OneIn(every)) return false;
      EXPECT_TRUE(IsNormal(candidate)) << seed;
      EXPECT_FALSE(Same(candidate, recipe)) << seed;
      for (int i = 0; i < recipe.used.offers; ++i) {
        EXPECT_EQ(BrokenLaws(candidate.offer(i)) & ~BrokenLaws(recipe.offer(i)), 0u) << seed;
      }
      EXPECT_EQ(candidate.kind, recipe.kind);
      EXPECT_EQ(candidate.used.steps, recipe.used.steps);
      EXPECT_EQ(std::memcmp(candidate.steps, recipe.steps, recipe.used.steps * sizeof(Step)), 0);
      return testing::Test::HasFailure();
    });
    ASSERT_FALSE(testing::Test::HasFailure()) << seed;
  }
}

TEST(Simpler, CandidatesDifferFromEachOther) {
  for (uint64_t seed = 0; seed < 60; ++seed) {
    const Recipe recipe = AnyRecipe(seed);
    std::set<std::string> texts;
    int candidates = 0;
    VisitSimpler(recipe, 0, [&](const Recipe& candidate) {
      texts.insert(ToJson(candidate));
      return ++candidates == 200;
    });
    EXPECT_EQ(texts.size(), static_cast<size_t>(candidates)) << seed;
  }
}

TEST(Simpler, VisitStartsAtAnyChangeAndReachesAll) {
  const Recipe recipe = AnyRecipe(6);
  const auto count = [&](int first) {
    int candidates = 0;
    EXPECT_EQ(VisitSimpler(recipe, first, [&](const Recipe&) { return ++candidates < 0; }), -1);
    return candidates;
  };
  const int all = count(0);
  EXPECT_GT(all, 10);
  for (const int first : {1, 7, 30, 1000000}) EXPECT_EQ(count(first), all) << first;
  // The number that it returns is that of the change.
  Recipe third;
  const auto take = [&](int left) {
    return [&third, left](const Recipe& candidate) mutable {
      Copy(candidate, third);
      return --left == 0;
    };
  };
  const int change = VisitSimpler(recipe, 0, take(3));
  const Recipe seen = third;
  EXPECT_EQ(VisitSimpler(recipe, change, take(1)), change);
  EXPECT_TRUE(Same(third, seen));
}

TEST(Simpler, EveryChainEnds) {
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    Recipe recipe = AnyRecipe(seed);
    Random random(seed);
    // A chain of its own for every seed: any candidate may be the next one.
    int steps = 0;
    Recipe next;
    while (PickSimpler(recipe, random, next)) {
      Copy(next, recipe);
      ASSERT_LT(++steps, 2000) << seed;
    }
  }
}

TEST(Simpler, HighRankIsReducedInFewRuns) {
  // An array of 32 dimensions that a 33rd overflows, in recipes of four wild blocks of 64.
  const auto fails = [](const Recipe& recipe) { return recipe.offer(2).dims > 32; };
  int found = 0;
  for (uint64_t seed = 0; seed < 3000; ++seed) {
    const Recipe recipe = AnyRecipe(seed);
    if (recipe.kind != RecipeKind::kImport || recipe.used.offers < 3 || !fails(recipe)) continue;
    int runs = 0;
    const Recipe smallest = ShrinkWhile(recipe, fails, &runs);
    EXPECT_EQ(smallest.offer(2).dims, 33) << seed;
    EXPECT_LT(runs, 1000) << seed;
    ++found;
  }
  EXPECT_GT(found, 50);
}

TEST(Simpler, BudgetLimitsTheRuns) {
  const Recipe recipe = AnyRecipe(6);
  int runs = 0;
  const auto fails = [&](const Recipe&) { return ++runs < 0; };
  EXPECT_TRUE(Same(MinimiseValues(recipe, fails, {5, 1000}), recipe));
  EXPECT_EQ(runs, 5);
  EXPECT_TRUE(Same(MinimiseValues(recipe, fails, {5, 0}), recipe));
  EXPECT_EQ(runs, 5);
}

TEST(Simpler, ReachesTheDefaultRecipe) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    Limits limits;
    limits.empty = false;
    limits.legacy = false;
    const Recipe recipe = DrawImport(random, static_cast<int>(seed), Tier::kLegal, limits);
    int runs = 0;
    const Recipe smallest = ShrinkWhile(recipe, [](const Recipe&) { return true; }, &runs);
    Recipe plain = MakeRecipe(RecipeKind::kImport);
    SetPlainLife(plain);
    EXPECT_TRUE(Same(smallest, plain)) << seed;
  }
}

TEST(Simpler, FindsTheSmallestNegativeStride) {
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
    int runs = 0;
    const Recipe smallest = ShrinkWhile(recipe, fails, &runs);
    EXPECT_EQ(smallest.offer().dims, 1) << seed;
    EXPECT_EQ(smallest.offer().shape[0], 2) << seed;
    EXPECT_EQ(smallest.offer().strides[0], -1) << seed;
    EXPECT_EQ(smallest.offer().byte_offset, 0u) << seed;
    EXPECT_LT(runs, 500) << seed;
    ++found;
  }
  EXPECT_GT(found, 20);
}

TEST(Simpler, FindsALargeExtentInFewRuns) {
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
  int runs = 0;
  EXPECT_EQ(ShrinkWhile(recipe, fails, &runs).offer().shape[0], 4294967298);
  EXPECT_LT(runs, 400);
}

TEST(Simpler, KeepsAnEmptyTensorEmpty) {
  int runs = 0;
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  recipe.offer().dims = 3;
  recipe.offer().ndim = 3;
  recipe.offer().shape[0] = 4;
  recipe.offer().shape[2] = 5;
  recipe.offer().placement = Placement::kNull;
  const Recipe smallest = ShrinkWhile(recipe, [](const Recipe&) { return true; }, &runs);
  EXPECT_EQ(smallest.offer().dims, 1);
  EXPECT_EQ(smallest.offer().shape[0], 0);
}

Recipe WithLife(std::initializer_list<Op> ops) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  recipe.used.steps = 0;
  for (const Op op : ops) recipe.steps[recipe.used.steps++].op = op;
  return recipe;
}

TEST(NeededSteps, AreThoseThatTheFailureNeeds) {
  const Recipe recipe = WithLife({Op::kImport, Op::kDescribe, Op::kRead, Op::kDropProducer, Op::kDropArray});
  const auto has = [](const Recipe& fewer, Op op) {
    return std::ranges::any_of(fewer.life(), [op](const Step& step) { return step.op == op; });
  };
  const auto shows = [&](const Recipe& fewer) { return has(fewer, Op::kImport) && has(fewer, Op::kRead); };
  EXPECT_EQ(NeededSteps(recipe, shows, {100, 100}), (std::vector<unsigned>{0, 2}));
  EXPECT_TRUE(shows(WithSteps(recipe, std::vector<unsigned>{0, 2, 99})));
  EXPECT_EQ(WithSteps(recipe, std::vector<unsigned>{0, 2, 99}).used.steps, 2);
}

TEST(NeededSteps, IncludeTheEarlierOfTwoAlternatives) {
  const Recipe recipe = WithLife({Op::kRead, Op::kCompute, Op::kRead});
  const auto shows = [](const Recipe& fewer) {
    return std::ranges::any_of(fewer.life(), [](const Step& step) { return step.op == Op::kRead; });
  };
  EXPECT_EQ(NeededSteps(recipe, shows, {100, 100}), std::vector<unsigned>{0});
}

TEST(NeededSteps, AreAllWithoutABudget) {
  const Recipe recipe = WithLife({Op::kImport, Op::kRead});
  EXPECT_EQ(NeededSteps(recipe, [](const Recipe&) { return true; }, {0, 100}), (std::vector<unsigned>{0, 1}));
}

TEST(Simpler, SimplifiesARequest) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    Random random(seed);
    Limits limits;
    limits.empty = false;
    int runs = 0;
    const Recipe smallest = ShrinkWhile(
        DrawExport(random, static_cast<int>(seed), Tier::kLegal, limits), [](const Recipe&) { return true; }, &runs);
    EXPECT_EQ(smallest.request().dims, 0) << seed;
    EXPECT_EQ(smallest.request().making, Making::kFresh) << seed;
    EXPECT_EQ(smallest.request().offset, 0) << seed;
    EXPECT_EQ(smallest.call().max_version.kind, ArgumentKind::kAbsent) << seed;
  }
}

}  // namespace
}  // namespace dlpack_cts
