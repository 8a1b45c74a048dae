// tests/judge/properties_test.cc: every value of a property can be given, recognised, and taken away again.
#include "harness/attribute/properties.h"

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

TEST(AllProperties, HaveUniqueIds) {
  std::set<std::string> ids;
  for (const Trigger* one : AllTriggers()) {
    EXPECT_TRUE(ids.insert(one->id).second) << one->id;
    EXPECT_FALSE(one->words.empty()) << one->id;
    EXPECT_EQ(AllTriggers()[static_cast<size_t>(TriggerIndex(one->id))], one);
  }
}

TEST(AllProperties, FindNoTriggerInTheDefaultExchange) {
  for (const RecipeKind kind : {RecipeKind::kImport, RecipeKind::kExport}) {
    const TriggerSet set = TriggersOf(Plain(kind));
    EXPECT_TRUE(set.none()) << testing::PrintToString(IdsOf(set));
  }
}

/// A value that one kind of exchange does not have (a byte_offset of an export) belongs to the other kind.
TEST(AllProperties, FindTheValueThatWasSet) {
  for (const Trigger* one : AllTriggers()) {
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

TEST(AllProperties, AreRemovedByTheirDefaultValue) {
  for (const Property& property : AllProperties()) {
    if (!property.plain) continue;
    for (const Trigger& one : property.values) {
      if (one.set == nullptr) continue;
      for (const RecipeKind kind : {RecipeKind::kImport, RecipeKind::kExport}) {
        Recipe recipe = Plain(kind);
        one.set(recipe, one.argument);
        property.plain(recipe);
        Normalize(recipe);
        EXPECT_FALSE(one.Holds(recipe)) << one.id;
      }
    }
  }
}

// So that a library that never adds byte_offset is reported once.
TEST(AllProperties, CountAnOddOffsetAsAnOffsetToo) {
  Recipe recipe = Plain(RecipeKind::kImport);
  recipe.offer().byte_offset = 64;
  EXPECT_EQ(IdsOf(TriggersOf(recipe)), (std::vector<std::string>{"byte-offset"}));
  recipe.offer().byte_offset = 65;
  EXPECT_EQ(IdsOf(TriggersOf(recipe)), (std::vector<std::string>{"byte-offset", "odd-byte-offset"}));
}

TEST(AllProperties, OrderRecipesByTheirLeastSimpleDifference) {
  TriggerSet low;
  TriggerSet high;
  low[0] = low[1] = true;
  high[2] = true;
  EXPECT_TRUE(IsPlainer(low, high));
  EXPECT_FALSE(IsPlainer(high, low));
  EXPECT_FALSE(IsPlainer(low, low));
  EXPECT_TRUE(IsPlainer({}, low));
}

}  // namespace
}  // namespace dlpack_cts
