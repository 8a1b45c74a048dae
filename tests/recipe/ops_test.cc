// tests/recipe/ops_test.cc: the rows of the operations agree with each other and with the default lives.
#include "harness/recipe/ops.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "harness/recipe/generator.h"

namespace dlpack_cts {
namespace {

TEST(Ops, DefaultLivesHaveTheOperationsOfTheRows) {
  for (const RecipeKind kind : {RecipeKind::kImport, RecipeKind::kExport}) {
    Recipe recipe = MakeRecipe(kind);
    SetPlainLife(recipe);
    for (const OpRow& row : kOpRows) {
      const bool there = std::ranges::any_of(recipe.life(), [&](const Step& step) { return step.op == row.op; });
      EXPECT_EQ(there, IsPlain(kind, row.op) && row.op != Op::kEnd) << row.word;
    }
  }
}

TEST(Ops, HaveConsistentTraits) {
  for (const OpRow& row : kOpRows) {
    const auto both = [&](OpTrait a, OpTrait b) { return HasTrait(row.op, a) && HasTrait(row.op, b); };
    EXPECT_FALSE(both(OpTrait::kImportSide, OpTrait::kExportSide)) << row.word;
    EXPECT_FALSE(both(OpTrait::kTakesOffer, OpTrait::kTakesRequest)) << row.word;
    EXPECT_FALSE(both(OpTrait::kFillsSlot, OpTrait::kFillsOther)) << row.word;
    EXPECT_FALSE(both(OpTrait::kTouchesElements, OpTrait::kTouchesRelease)) << row.word;
    EXPECT_FALSE(both(OpTrait::kScriptedAlone, OpTrait::kUnscripted)) << row.word;
    EXPECT_FALSE(both(OpTrait::kOnlyReads, OpTrait::kWrites)) << row.word;
    EXPECT_TRUE(!HasTrait(row.op, OpTrait::kRaces) || HasTrait(row.op, OpTrait::kTakesLong)) << row.word;
    EXPECT_TRUE(!HasTrait(row.op, OpTrait::kOnlyLooks) || HasTrait(row.op, OpTrait::kOnlyReads)) << row.word;
  }
}

TEST(Ops, HaveTriggersOnlyForArgumentsOfAProperty) {
  std::set<std::string_view> ids;
  for (const OpRow& row : kOpRows) {
    for (const Named& argument : row.arguments) {
      if (argument.id.empty()) continue;
      EXPECT_FALSE(row.argument_property.empty()) << row.word;
      EXPECT_TRUE(ids.insert(argument.id).second) << argument.id;
    }
  }
  EXPECT_EQ(ids.size(), 35u);
}

TEST(Ops, TreatAnUnknownNumberAsTheEnd) { EXPECT_EQ(RowOf(static_cast<Op>(200)).op, Op::kEnd); }

TEST(Ops, NameTheSlotThatTheyFill) {
  EXPECT_EQ(FilledSlot({.op = Op::kImport, .slot = 2}), 2);
  EXPECT_EQ(FilledSlot({.op = Op::kReexport, .slot = 2, .other = Other::kSlot3}), 3);
  EXPECT_EQ(FilledSlot({.op = Op::kRead, .slot = 2}), -1);
}

}  // namespace
}  // namespace dlpack_cts
