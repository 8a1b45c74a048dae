// tests/suites/grammar_test.cc: the random sequences of steps that the sweep draws.
#include "suites/whole/grammar.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <span>

#include "harness/recipe/normalize.h"
#include "tests/recipe/normal.h"

namespace dlpack_cts {
namespace {

constexpr uint64_t kLives = 2000;

Recipe Drawn(const Profile& profile, RecipeKind kind, uint64_t seed) {
  Draw draw{Random(seed), 0, profile};
  Recipe recipe = MakeRecipe(kind);
  DrawLife(draw, recipe);
  return recipe;
}

std::set<Op> OpsOf(const Profile& profile, RecipeKind kind) {
  std::set<Op> ops;
  for (uint64_t seed = 0; seed < kLives; ++seed) {
    const Recipe recipe = Drawn(profile, kind, seed);
    for (const Step& step : recipe.life()) ops.insert(step.op);
  }
  return ops;
}

Profile Claiming(std::initializer_list<Claim> claims) {
  Profile profile{};
  for (const Claim claim : claims) profile.claims |= 1u << static_cast<uint32_t>(claim);
  return profile;
}

TEST(Grammar, DrawsTheSameLifeForTheSameSeed) {
  const Profile profile = Claiming({Claim::kReexport, Claim::kWrite, Claim::kView});
  for (const RecipeKind kind : {RecipeKind::kImport, RecipeKind::kExport}) {
    EXPECT_TRUE(Same(Drawn(profile, kind, 7), Drawn(profile, kind, 7)));
    EXPECT_FALSE(Same(Drawn(profile, kind, 7), Drawn(profile, kind, 8)));
  }
}

TEST(Grammar, DrawsNormalLivesAboutTheFirstBlock) {
  const Profile profile = Claiming({Claim::kReexport, Claim::kWrite, Claim::kView});
  for (const RecipeKind kind : {RecipeKind::kImport, RecipeKind::kExport}) {
    const Op first = kind == RecipeKind::kImport ? Op::kImport : Op::kMake;
    for (uint64_t seed = 0; seed < kLives; ++seed) {
      const Recipe recipe = Drawn(profile, kind, seed);
      EXPECT_TRUE(IsNormal(recipe)) << seed;
      EXPECT_LT(recipe.used.steps, kSteps) << "the recipe has no room for the last steps";
      const std::span<const Step> life = recipe.life();
      EXPECT_TRUE(std::any_of(life.begin(), life.end(), [&](const Step& step) {
        return step.op == first && step.slot == 0 && step.block == 0;
      })) << seed;
    }
  }
}

TEST(Grammar, TakesTheStepsThatTheAdapterClaims) {
  const std::set<Op> all = OpsOf(Claiming({Claim::kReexport, Claim::kWrite, Claim::kView}), RecipeKind::kImport);
  const std::set<Op> few = OpsOf(Profile{}, RecipeKind::kImport);
  for (const Op op : {Op::kReexport, Op::kWriteArray, Op::kTakeView}) {
    EXPECT_TRUE(all.contains(op)) << static_cast<int>(op);
    EXPECT_FALSE(few.contains(op)) << static_cast<int>(op);
  }
  for (const Op op : {Op::kImportAgain, Op::kWriteSource, Op::kCompute, Op::kDropCapsule, Op::kCollect}) {
    EXPECT_TRUE(few.contains(op)) << static_cast<int>(op);
  }
  const std::set<Op> exports = OpsOf(Profile{}, RecipeKind::kExport);
  for (const Op op : {Op::kWriteExport, Op::kUseSource, Op::kLoseCapsule, Op::kDelete, Op::kAskDevice}) {
    EXPECT_TRUE(exports.contains(op)) << static_cast<int>(op);
  }
}

TEST(Grammar, TakesSomeLivesOnTwoThreadsOneAfterTheOther) {
  const Profile profile = Claiming({Claim::kReexport, Claim::kWrite, Claim::kView});
  const auto is_elsewhere = [](const Step& step) { return step.lane != 0; };
  for (const RecipeKind kind : {RecipeKind::kImport, RecipeKind::kExport}) {
    std::set<Op> elsewhere;
    uint64_t lives = 0;
    for (uint64_t seed = 0; seed < kLives; ++seed) {
      const Recipe recipe = Drawn(profile, kind, seed);
      const std::span<const Step> life = recipe.life();
      if (std::none_of(life.begin(), life.end(), is_elsewhere)) continue;
      ++lives;
      for (const Step& step : life) {
        EXPECT_EQ(step.barrier, 1) << seed;
        if (is_elsewhere(step)) elsewhere.insert(step.op);
      }
    }
    EXPECT_GT(lives, kLives / 16);
    EXPECT_LT(lives, kLives / 4);
    EXPECT_TRUE(elsewhere.contains(kind == RecipeKind::kImport ? Op::kImport : Op::kExport));
    EXPECT_TRUE(elsewhere.contains(Op::kDelete));
  }
}

TEST(Grammar, HasHistoriesOfRefusalsOfAddressesAndOfOtherTensors) {
  int refused = 0;
  int same_address = 0;
  int others = 0;
  for (uint64_t seed = 0; seed < kLives; ++seed) {
    const Recipe recipe = Drawn(Profile{}, RecipeKind::kImport, seed);
    for (const Step& step : recipe.life()) {
      if (step.op != Op::kImport) continue;
      refused += step.block != 0;
      same_address += step.other != Other::kNone;
      others += step.slot == 1;
    }
  }
  EXPECT_GT(refused, 100);
  EXPECT_GT(same_address, 100);
  EXPECT_GT(others, 100);
}

}  // namespace
}  // namespace dlpack_cts
