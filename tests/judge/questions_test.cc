// tests/judge/questions_test.cc: the table has every question of the specification, and exchanges answer them.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "harness/choices/choice.h"
#include "harness/choices/choice_views.h"
#include "harness/recipe/generator.h"

namespace dlpack_cts {
namespace {

TEST(Questions, AreCompleteByNumber) {
  constexpr int kKnown = 51;
  std::set<std::string_view> numbers;
  for (const Choice& choice : Questions()) numbers.insert(choice.more.question.number);
  ASSERT_EQ(numbers.size(), kKnown);
  for (int number = 1; number <= kKnown; ++number) {
    const std::string id = std::string(number < 10 ? "A-0" : "A-") + std::to_string(number);
    EXPECT_TRUE(numbers.contains(id)) << id;
  }
  EXPECT_TRUE(std::is_sorted(Questions().begin(), Questions().end(), [](const Choice& a, const Choice& b) {
    return a.more.question.number < b.more.question.number;
  }));
}

TEST(Questions, HaveReadingsOrAReasonForNone) {
  for (const Choice& choice : Questions()) {
    const Question& question = choice.more.question;
    const auto readings = std::count_if(question.readings.begin(), question.readings.end(),
                                        [](std::string_view reading) { return !reading.empty(); });
    EXPECT_EQ(!choice.observe, !question.unseen.empty()) << question.number;
    EXPECT_EQ(readings >= 2, static_cast<bool>(choice.observe)) << question.number;
    EXPECT_LT(question.weak, readings == 0 ? 1 : readings) << question.number;
    EXPECT_FALSE(question.text.empty()) << question.number;
  }
}

int ReadingOf(const Choice& choice, const Recipe& recipe, const Ledger& ledger) {
  const Profile profile{};
  const Step* const step = ExchangeStep(recipe);
  return choice.ReadingIn({recipe, ledger, ledger, profile}, step == nullptr ? 0 : step->slot);
}

TEST(Questions, AreNotAnsweredByAnEmptyExchange) {
  for (const RecipeKind kind : {RecipeKind::kImport, RecipeKind::kExport}) {
    Recipe recipe = MakeRecipe(kind);
    SetPlainLife(recipe);
    for (const Choice& choice : Questions()) {
      EXPECT_EQ(ReadingOf(choice, recipe, Ledger{}), kNoReading) << choice.more.question.number;
    }
  }
}

int Reading(std::string_view number, const Recipe& recipe, const Ledger& ledger) {
  const auto found = std::find_if(Questions().begin(), Questions().end(),
                                  [&](const Choice& one) { return one.more.question.number == number; });
  return ReadingOf(*found, recipe, ledger);
}

Recipe PlainImport() {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  SetPlainLife(recipe);
  return recipe;
}

TEST(Questions, ObserveWhetherADestructorIsCleared) {
  const Recipe recipe = PlainImport();
  Ledger ledger;
  ledger.imports[0].import.outcome = Outcome::kAccepted;
  ledger.imports[0].name_after = NameSeen::kUsedVersioned;
  EXPECT_EQ(Reading("A-23", recipe, ledger), 0);
  ledger.imports[0].capsule_destructor_changed = 1;
  EXPECT_EQ(Reading("A-23", recipe, ledger), 1);
  ledger.imports[0].name_after = NameSeen::kVersioned;  // it was not consumed
  EXPECT_EQ(Reading("A-23", recipe, ledger), -1);
}

TEST(Questions, AreNotAnsweredByAnUnrelatedRefusal) {
  Recipe recipe = PlainImport();
  recipe.offer().device = {2, 0};
  recipe.offer().reported_device = {2, 0};
  Ledger ledger;
  ledger.imports[0].import.outcome = Outcome::kRefused;
  ledger.imports[0].import.type_error = 1;
  EXPECT_EQ(Reading("A-07", recipe, ledger), 1);
  ledger.imports[0].producer_calls = 1;
  ledger.imports[0].calls[0].raised = 1;
  EXPECT_EQ(Reading("A-07", recipe, ledger), -1) << "the producer's own exception";
  ledger.imports[0].calls[0].raised = 0;
  recipe.offer().dtype.bits = 3;
  EXPECT_EQ(Reading("A-07", recipe, ledger), -1) << "an undefined dtype";
}

TEST(Questions, ObserveWhetherAShapeCountsPairsThatShareAByte) {
  Recipe recipe = PlainImport();
  recipe.offer().dtype = {abi::kDLFloat4_e2m1fn, 4, 1};
  recipe.offer().dims = 1;
  recipe.offer().ndim = 1;
  recipe.offer().shape[0] = 5;
  Ledger ledger;
  ledger.imports[0].import.outcome = Outcome::kAccepted;
  Description& result = ledger.imports[0].result;
  result.valid = result.has_shape = 1;
  result.ndim = 1;
  result.shape[0] = 5;
  EXPECT_EQ(Reading("A-21", recipe, ledger), 0);
  result.shape[0] = 3;
  EXPECT_EQ(Reading("A-21", recipe, ledger), 1);
  recipe.offer().flags = abi::kFlagSubbytePadded;
  EXPECT_EQ(Reading("A-21", recipe, ledger), -1) << "they do not share one";
}

TEST(Questions, ObserveHowSixBitElementsArePacked) {
  Recipe recipe = PlainImport();
  recipe.offer().dtype = {abi::kDLFloat6_e2m3fn, 6, 1};
  recipe.offer().dims = 1;
  recipe.offer().ndim = 1;
  recipe.offer().shape[0] = 4;
  Ledger ledger;
  ledger.imports[0].import.outcome = Outcome::kAccepted;
  ledger.imports[0].library.reading = Reading::kMatches;
  EXPECT_EQ(Reading("A-20", recipe, ledger), 0);
  ledger.imports[0].library.reading = Reading::kDiffers;
  EXPECT_EQ(Reading("A-20", recipe, ledger), 1);
  recipe.offer().shape[0] = 1;
  EXPECT_EQ(Reading("A-20", recipe, ledger), -1) << "one element shows no order";
}

}  // namespace
}  // namespace dlpack_cts
