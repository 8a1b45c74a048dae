// tests/judge/coordinates_test.cc: every value of a property can be given, recognised, and taken away again.
#include "harness/attribute/coordinates.h"

#include <gtest/gtest.h>

#include <set>
#include <string>
#include <vector>

#include "harness/minimise/minimise.h"
#include "harness/recipe/generator.h"
#include "harness/recipe/normalize.h"

namespace dlpack_cts {
namespace {

Recipe Plain(RecipeKind kind) {
  Recipe recipe = MakeRecipe(kind);
  SetPlainLife(recipe);
  Normalize(recipe);
  return recipe;
}

TEST(Coordinates, HaveUniqueIds) {
  std::set<std::string> ids;
  for (const Peculiarity* one : Peculiarities()) {
    EXPECT_TRUE(ids.insert(one->id).second) << one->id;
    EXPECT_FALSE(one->words.empty()) << one->id;
    EXPECT_EQ(Peculiarities()[static_cast<size_t>(PeculiarityIndex(one->id))], one);
  }
}

TEST(Coordinates, FindNoTriggerInTheDefaultExchange) {
  for (const RecipeKind kind : {RecipeKind::kImport, RecipeKind::kExport}) {
    const PeculiaritySet set = PeculiaritiesOf(Plain(kind));
    EXPECT_TRUE(set.none()) << testing::PrintToString(IdsOf(set));
  }
}

/// A value that one kind of exchange does not have (a byte_offset of an export) belongs to the other kind.
TEST(Coordinates, FindTheValueThatWasSet) {
  for (const Peculiarity* one : Peculiarities()) {
    if (one->set == nullptr) continue;
    bool told = false;
    for (const RecipeKind kind : {RecipeKind::kImport, RecipeKind::kExport}) {
      Recipe recipe = Plain(kind);
      // The value of an argument can be another one only where there is one.
      for (Argument Call::* const argument : {&Call::max_version, &Call::dl_device, &Call::copy, &Call::stream}) {
        recipe.call().*argument = {ArgumentKind::kPair, {}, 7, 7};
      }
      one->set(recipe, one->argument);
      Normalize(recipe);
      told = told || one->Holds(recipe);
    }
    EXPECT_TRUE(told) << one->id;
  }
}

TEST(Coordinates, AreRemovedByTheirDefaultValue) {
  for (const Coordinate& coordinate : Coordinates()) {
    if (!coordinate.plain) continue;
    for (const Peculiarity& one : coordinate.values) {
      if (one.set == nullptr) continue;
      for (const RecipeKind kind : {RecipeKind::kImport, RecipeKind::kExport}) {
        Recipe recipe = Plain(kind);
        one.set(recipe, one.argument);
        coordinate.plain(recipe);
        Normalize(recipe);
        EXPECT_FALSE(one.Holds(recipe)) << one.id;
      }
    }
  }
}

// So that a library that never adds byte_offset is reported once.
TEST(Coordinates, CountAnOddOffsetAsAnOffsetToo) {
  Recipe recipe = Plain(RecipeKind::kImport);
  recipe.offer().byte_offset = 64;
  EXPECT_EQ(IdsOf(PeculiaritiesOf(recipe)), (std::vector<std::string>{"byte-offset"}));
  recipe.offer().byte_offset = 65;
  EXPECT_EQ(IdsOf(PeculiaritiesOf(recipe)), (std::vector<std::string>{"byte-offset", "odd-byte-offset"}));
}

TEST(Coordinates, OrderRecipesByTheirLeastSimpleDifference) {
  PeculiaritySet low;
  PeculiaritySet high;
  low[0] = low[1] = true;
  high[2] = true;
  EXPECT_TRUE(IsPlainer(low, high));
  EXPECT_FALSE(IsPlainer(high, low));
  EXPECT_FALSE(IsPlainer(low, low));
  EXPECT_TRUE(IsPlainer({}, low));
}

}  // namespace
}  // namespace dlpack_cts
