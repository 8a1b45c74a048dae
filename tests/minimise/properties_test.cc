// tests/minimise/properties_test.cc: what holds of every minimised recipe, whatever the recipe and the predicate are.
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstring>
#include <functional>

#include "harness/minimise/minimise.h"
#include "harness/recipe/laws.h"
#include "tests/recipe/normal.h"
#include "tests/recipe/random_recipe.h"

namespace dlpack_cts {
namespace {

Recipe Normal(uint64_t seed) {
  Recipe recipe = DrawAny(seed);
  Normalize(recipe);
  return recipe;
}

/// Needs some of the non-default values of the recipe, as a failure does.
struct NeedsSome {
  NeedsSome(const Recipe& recipe, uint64_t seed) {
    Random random(seed);
    const TriggerSet set = TriggersOf(recipe);
    for (size_t i = 0; i < set.size(); ++i) needed[i] = set[i] && random.OneIn(4);
  }

  bool operator()(const Recipe& candidate) {
    ++runs;
    normal = normal && IsNormal(candidate);
    return (needed & ~TriggersOf(candidate)).none();
  }

  TriggerSet needed;
  int runs = 0;
  bool normal = true;
};

TEST(MinimiseProperty, TheTriggersOfARecipeAreTheValuesThatItHolds) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    const Recipe recipe = Normal(seed);
    const TriggerSet set = TriggersOf(recipe);
    for (size_t i = 0; i < AllTriggers().size(); ++i) RC_ASSERT(set[i] == AllTriggers()[i]->Holds(recipe));
  }));
}

TEST(MinimiseProperty, TheResultStillFails) {
  EXPECT_TRUE(rc::check([](uint64_t seed, uint64_t needs) {
    const Recipe recipe = Normal(seed);
    NeedsSome fails(recipe, needs);
    RC_ASSERT(fails(Minimise(recipe, std::ref(fails), {300, 1000}).recipe));
    RC_ASSERT(fails(MinimiseValues(recipe, std::ref(fails), {300, 1000})));
  }));
}

TEST(MinimiseProperty, CandidatesAndResultAreNormal) {
  EXPECT_TRUE(rc::check([](uint64_t seed, uint64_t needs) {
    const Recipe recipe = Normal(seed);
    NeedsSome fails(recipe, needs);
    RC_ASSERT(IsNormal(Minimise(recipe, std::ref(fails), {200, 1000}).recipe));
    RC_ASSERT(IsNormal(MinimiseValues(recipe, std::ref(fails), {200, 1000})));
    RC_ASSERT(fails.normal);
  }));
}

TEST(MinimiseProperty, TheResultIsNeverLessSimple) {
  EXPECT_TRUE(rc::check([](uint64_t seed, uint64_t needs) {
    const Recipe recipe = Normal(seed);
    NeedsSome fails(recipe, needs);
    const Minimised minimised = Minimise(recipe, std::ref(fails), {300, 1000});
    RC_ASSERT(minimised.set == TriggersOf(minimised.recipe));
    RC_ASSERT(!IsPlainer(TriggersOf(recipe), minimised.set));
  }));
}

TEST(MinimiseProperty, ItEndsWithinItsRuns) {
  EXPECT_TRUE(rc::check([](uint64_t seed, uint64_t needs) {
    const Recipe recipe = Normal(seed);
    const int runs = *rc::gen::inRange(0, 50);
    for (const bool values : {false, true}) {
      NeedsSome fails(recipe, needs);
      if (values) {
        MinimiseValues(recipe, std::ref(fails), {runs, 1000});
      } else {
        Minimise(recipe, std::ref(fails), {runs, 1000});
      }
      RC_ASSERT(fails.runs <= runs);
    }
  }));
}

TEST(MinimiseProperty, NoLawIsBrokenThatTheRecipeKeeps) {
  EXPECT_TRUE(rc::check([](uint64_t seed, uint64_t needs) {
    const Recipe recipe = Normal(seed);
    uint32_t broken = 0;
    for (int i = 0; i < recipe.used.offers; ++i) broken |= BrokenLaws(recipe.offer(i));
    NeedsSome fails(recipe, needs);
    const Recipe smallest = Minimise(recipe, std::ref(fails), {300, 1000}).recipe;
    for (int i = 0; i < smallest.used.offers; ++i) RC_ASSERT((BrokenLaws(smallest.offer(i)) & ~broken) == 0u);
  }));
}

TEST(MinimiseProperty, MinimisingValuesKeepsTheSteps) {
  EXPECT_TRUE(rc::check([](uint64_t seed, uint64_t needs) {
    const Recipe recipe = Normal(seed);
    const Recipe smallest = MinimiseValues(recipe, NeedsSome(recipe, needs), {300, 1000});
    RC_ASSERT(smallest.kind == recipe.kind);
    RC_ASSERT(smallest.used.steps == recipe.used.steps);
    RC_ASSERT(std::memcmp(smallest.steps, recipe.steps, recipe.used.steps * sizeof(Step)) == 0);
  }));
}

TEST(MinimiseProperty, ASecondCallChangesNothing) {
  EXPECT_TRUE(rc::check([](uint64_t seed, uint64_t needs) {
    const Recipe recipe = Normal(seed);
    NeedsSome fails(recipe, needs);
    const Minimised once = Minimise(recipe, std::ref(fails), {100000, 1000});
    RC_ASSERT(Minimise(once.recipe, std::ref(fails), {100000, 1000}).set == once.set);
  }));
}

TEST(NeededStepsProperty, TheNeededStepsAloneFail) {
  EXPECT_TRUE(rc::check([](uint64_t seed) {
    const Recipe recipe = Normal(seed);
    if (recipe.life().empty()) return;
    const Op op = recipe.life()[seed % recipe.life().size()].op;
    const auto fails = [op](const Recipe& fewer) {
      return std::ranges::any_of(fewer.life(), [op](const Step& step) { return step.op == op; });
    };
    const Recipe fewer = WithSteps(recipe, NeededSteps(recipe, fails, {100, 1000}));
    RC_ASSERT(fails(fewer));
    RC_ASSERT(fewer.used.steps == 1);
  }));
}

}  // namespace
}  // namespace dlpack_cts
