// tests/judge/choice_test.cc: the table of choices is one that a reader can trust.
#include "harness/choices/choice.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <vector>

#include "harness/attribute/attribution.h"
#include "harness/recipe/generator.h"

namespace dlpack_cts {
namespace {

std::vector<Choice> Explaining() {
  std::vector<Choice> choices(Choices().begin(), Choices().end());
  std::erase_if(choices, [](const Choice& choice) { return choice.facts.empty(); });
  return choices;
}

TEST(Choices, HaveUniqueIds) {
  std::set<std::string_view> ids;
  for (const Choice& choice : Explaining()) EXPECT_TRUE(ids.insert(choice.id).second) << choice.id;
  EXPECT_LT(ids.size(), kMostChoices);
}

TEST(Choices, ExplainADifferenceOrAskAQuestion) {
  for (const Choice& choice : Choices()) {
    EXPECT_EQ(choice.id.empty(), choice.facts.empty()) << choice.id;
    EXPECT_EQ(choice.what.empty(), choice.facts.empty()) << choice.id;
    EXPECT_TRUE(!choice.facts.empty() || !choice.more.question.number.empty());
  }
}

TEST(Choices, NameTheRuleThatLeavesThemOpen) {
  for (const Choice& choice : Choices()) {
    ASSERT_GT(choice.rule.size(), 3u) << choice.id;
    EXPECT_TRUE(std::isdigit(static_cast<unsigned char>(choice.rule.back()))) << choice.id;
  }
}

TEST(Choices, AreObservedIfTheyExplainADifference) {
  for (const Choice& choice : Explaining()) EXPECT_TRUE(static_cast<bool>(choice.observe)) << choice.id;
}

TEST(Choices, ThatProbesLookForComeFirst) {
  const auto remembered = [](const Choice& choice) { return choice.IsRemembered(); };
  EXPECT_TRUE(std::is_partitioned(Choices().begin(), Choices().end(), remembered));
  EXPECT_LE(std::count_if(Choices().begin(), Choices().end(), remembered), 64);
}

TEST(Choices, HabitsHaveFactsAndAttributionsOfTheirRule) {
  int habits = 0;
  for (const Choice& choice : Choices()) {
    const Habit& habit = choice.more.habit;
    EXPECT_EQ(habit.fact.empty(), !habit.plain) << choice.id;
    if (habit.fact.empty()) continue;
    ++habits;
    for (int slot = 0; slot < kSlots; ++slot) {
      ASSERT_GE(RowOf(habit, slot), 0) << choice.id;
      EXPECT_EQ(FactRowAt(RowOf(habit, slot)).pattern, habit.fact);
    }
    const Side side = habit.fact.starts_with("import") ? Side::kImport : Side::kExport;
    const AttributionRow& row = AttributionOf({side, Family::kChoice, habit.fact, "", {}});
    EXPECT_EQ(row.rule, choice.rule) << choice.id;
    EXPECT_FALSE(Claims(row)) << "no rule is broken";
  }
  EXPECT_EQ(habits, 7);
}

TEST(Choices, AreNotObservedInAnEmptyExchange) {
  const Ledger nothing;
  const Profile profile{};
  for (const RecipeKind kind : {RecipeKind::kImport, RecipeKind::kExport}) {
    Recipe recipe = MakeRecipe(kind);
    SetPlainLife(recipe);
    const Exchange exchange{recipe, nothing, nothing, profile};
    for (const Choice& choice : Choices()) EXPECT_FALSE(choice.Leaves(exchange, 0)) << choice.id;
    ChoicesSeen seen{};
    Learn(exchange, seen);
    EXPECT_EQ(seen.used, 0u);
    EXPECT_EQ(seen.left, 0u);
  }
}

TEST(Choices, DoNotExplainFactsThatEveryExchangeRequires) {
  for (const char* key :
       {"import0.deleter.wrong_self", "import0.changed", "import0.changed_bytes", "import0.outcome",
        "export0.metadata_readable", "export0.changed", "export0.same_struct", "export0.has_deleter", "faults"}) {
    ASSERT_GE(FactIndex(key), 0) << key;
    EXPECT_TRUE(ChoicesOf(FactIndex(key)).empty()) << key;
  }
}

TEST(Choices, ExplainAnotherDeviceOnlyForALibraryOnCudaOrWhereTheArraysAre) {
  const std::span<const uint8_t> free = ChoicesOf(FactIndex("export0.device"));
  ASSERT_EQ(free.size(), 2u);
  EXPECT_EQ(Choices()[free[0]].id, "makes-arrays-on-cuda");
  EXPECT_EQ(Choices()[free[1]].id, "exports-on-its-device");
}

TEST(Choices, ExplainAnotherExportedTypeOnlyIfItIsNarrowedOrAPair) {
  const std::span<const uint8_t> free = ChoicesOf(FactIndex("export0.dtype"));
  ASSERT_EQ(free.size(), 2u);
  EXPECT_EQ(Choices()[free[0]].id, "exports-pairs");
  EXPECT_EQ(Choices()[free[1]].id, "reexports-what-it-narrowed");
}

}  // namespace
}  // namespace dlpack_cts
