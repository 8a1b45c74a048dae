// tests/minimise/minimise_test.cc: what a failing exchange is about is what is left of it.
#include "harness/minimise/minimise.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "harness/recipe/generator.h"
#include "harness/recipe/laws.h"
#include "harness/recipe/normalize.h"
#include "tests/recipe/normal.h"

namespace dlpack_cts {
namespace {

using Ids = std::vector<std::string>;

constexpr Budget kBudget = {2000, 10};

/// Everything at once that the generator draws of a legal import.
Recipe Rich(uint64_t seed) {
  Random random(seed);
  Limits limits;
  return DrawImport(random, static_cast<int>(seed), Tier::kLegal, limits);
}

Ids ReduceWhile(const Recipe& recipe, const std::function<bool(const Recipe&)>& fails) {
  return IdsOf(Minimise(recipe, fails, kBudget).set);
}

TEST(Minimise, RemovesEverythingIfAllCandidatesFail) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    EXPECT_EQ(ReduceWhile(Rich(seed), [](const Recipe&) { return true; }), Ids{}) << seed;
  }
}

TEST(Minimise, EndsInTheSameTriggersFromAnyRecipe) {
  const auto fails = [](const Recipe& recipe) { return recipe.offer().byte_offset != 0; };
  int met = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const Recipe recipe = Rich(seed);
    if (!fails(recipe)) continue;
    ++met;
    EXPECT_EQ(ReduceWhile(recipe, fails), Ids{"byte-offset"}) << seed;
  }
  EXPECT_GT(met, 10);
}

TEST(Minimise, KeepsTwoTriggersThatAreNeededTogether) {
  const auto fails = [](const Recipe& recipe) {
    return recipe.offer().byte_offset != 0 && recipe.offer().kind == StructKind::kLegacy;
  };
  int met = 0;
  for (uint64_t seed = 0; seed < 200; ++seed) {
    const Recipe recipe = Rich(seed);
    if (!fails(recipe)) continue;
    ++met;
    EXPECT_EQ(ReduceWhile(recipe, fails), (Ids{"byte-offset", "legacy"})) << seed;
  }
  EXPECT_GT(met, 5);
}

TEST(Minimise, BreaksNoLawThatTheRecipeKeeps) {
  for (uint64_t seed = 0; seed < 50; ++seed) {
    ReduceWhile(Rich(seed), [](const Recipe& candidate) {
      EXPECT_EQ(BrokenLaws(candidate.offer()) & kHostileLaws, 0u);
      EXPECT_TRUE(IsNormal(candidate));
      return candidate.offer().dims >= 2;
    });
  }
}

TEST(Minimise, TriesHugeExtentsOnlyIfTheRecipeHasThem) {
  const int huge = TriggerIndex("huge-extents");
  ASSERT_GE(huge, 0);
  for (uint64_t seed = 0; seed < 50; ++seed) {
    ReduceWhile(Rich(seed), [&](const Recipe& candidate) {
      EXPECT_FALSE(TriggersOf(candidate)[static_cast<size_t>(huge)]);
      return candidate.offer().dims >= 2;
    });
  }
  Recipe recipe = Rich(7);
  const Trigger& value = *AllTriggers()[static_cast<size_t>(huge)];
  value.set(recipe, value.argument);
  Normalize(recipe);
  EXPECT_EQ(ReduceWhile(recipe, [&](const Recipe& candidate) { return value.Holds(candidate); }),
            (Ids{"rank-1", "rank-2", "empty", "huge-extents"}));
}

TEST(Minimise, ExtentsNextToZeroAreHugeIfTheirProductOverflows) {
  const auto is_huge = [](uint8_t dims) {
    Recipe recipe = MakeRecipe(RecipeKind::kImport);
    SetPlainLife(recipe);
    recipe.offer().dims = dims;
    recipe.offer().ndim = dims;
    for (int dim = 0; dim < dims; ++dim) recipe.offer().shape[dim] = dim + 1 < dims ? 3 : 0;
    Normalize(recipe);
    return TriggersOf(recipe)[static_cast<size_t>(TriggerIndex("huge-extents"))];
  };
  EXPECT_FALSE(is_huge(10));
  EXPECT_TRUE(is_huge(45));
}

TEST(Minimise, FindsTheLeastExtentThatFails) {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  SetPlainLife(recipe);
  recipe.offer().dims = 1;
  recipe.offer().ndim = 1;
  recipe.offer().shape[0] = 900;
  Normalize(recipe);
  const Minimised minimised =
      Minimise(recipe, [](const Recipe& candidate) { return candidate.offer().shape[0] >= 137; }, kBudget);
  EXPECT_EQ(minimised.recipe.offer().shape[0], 137);
}

TriggerSet SetOf(std::initializer_list<std::string_view> ids) {
  TriggerSet set;
  for (const std::string_view id : ids) set.set(static_cast<size_t>(TriggerIndex(id)));
  return set;
}

TEST(Minimise, MayReduceToWhatMinimisingTries) {
  const TriggerSet whole = SetOf({"rank-1", "rank-2", "null-strides", "legacy"});
  EXPECT_TRUE(MayReduceTo(whole, whole));
  EXPECT_TRUE(MayReduceTo(whole, SetOf({"rank-1", "null-strides"})));
  EXPECT_TRUE(MayReduceTo(whole, SetOf({"rank-1", "null-strides", "minor-0"}))) << "a plainer version";
  EXPECT_FALSE(MayReduceTo(whole, SetOf({"rank-1", "byte-offset"}))) << "nothing was said of the offset";
  EXPECT_FALSE(MayReduceTo(SetOf({"minor-0"}), SetOf({"legacy"}))) << "less plain";
  EXPECT_FALSE(MayReduceTo(SetOf({"impossible-extents"}), SetOf({"null-shape"}))) << "tried for nothing else";
}

TEST(Minimise, MakesScalarsOneDimensional) {
  const Profile profile{};
  for (const RecipeKind kind : {RecipeKind::kImport, RecipeKind::kExport}) {
    Recipe recipe = MakeRecipe(kind);
    SetPlainLife(recipe);
    recipe.offer().byte_offset = 4;
    recipe.request().making = Making::kView;
    recipe.request().offset = 3;
    Normalize(recipe);
    const TriggerSet set = TriggersOf(recipe);
    const std::optional<Recipe> more = WithADimension({recipe, set}, profile);
    ASSERT_TRUE(more);
    const Recipe wider = more.value_or(recipe);
    EXPECT_TRUE(IsNormal(wider));
    EXPECT_EQ(TriggersOf(wider), set | SetOf({"rank-1"}));
    EXPECT_FALSE(WithADimension({wider, TriggersOf(wider)}, profile)) << "it has one";
  }
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  SetPlainLife(recipe);
  recipe.offer().null_shape = 1;
  Normalize(recipe);
  EXPECT_FALSE(WithADimension({recipe, TriggersOf(recipe)}, profile)) << "no dimension goes without a shape";
}

TEST(Minimise, StaysWithinItsBudget) {
  int runs = 0;
  Minimise(Rich(7), [&](const Recipe&) { return ++runs < 0; }, {5, 10});
  EXPECT_LE(runs, 5);
}

}  // namespace
}  // namespace dlpack_cts
