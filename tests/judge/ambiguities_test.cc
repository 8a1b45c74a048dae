// tests/judge/ambiguities_test.cc: the list of choices that the specification leaves is whole, and each row can be
// read.
#include "harness/judge/ambiguities.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "harness/recipe/generator.h"

namespace dlpack_cts {
namespace {

TEST(Ambiguities, AreAllThereByTheirNumbers) {
  constexpr int kKnown = 51;
  std::set<std::string_view> ids;
  for (const Ambiguity& ambiguity : Ambiguities()) ids.insert(ambiguity.id);
  ASSERT_EQ(ids.size(), kKnown);
  for (int number = 1; number <= kKnown; ++number) {
    const std::string id = std::string(number < 10 ? "A-0" : "A-") + std::to_string(number);
    EXPECT_TRUE(ids.contains(id)) << id;
  }
  EXPECT_TRUE(std::is_sorted(Ambiguities().begin(), Ambiguities().end(),
                             [](const Ambiguity& a, const Ambiguity& b) { return a.id < b.id; }));
}

TEST(Ambiguities, HaveReadingsOrSayWhyNothingShowsThem) {
  for (const Ambiguity& ambiguity : Ambiguities()) {
    const auto readings = std::count_if(ambiguity.readings.begin(), ambiguity.readings.end(),
                                        [](std::string_view reading) { return !reading.empty(); });
    EXPECT_EQ(ambiguity.shown == nullptr, !ambiguity.unseen.empty()) << ambiguity.id;
    EXPECT_EQ(readings >= 2, ambiguity.shown != nullptr) << ambiguity.id;
    EXPECT_LT(ambiguity.weak, readings == 0 ? 1 : readings) << ambiguity.id;
    EXPECT_FALSE(ambiguity.question.empty()) << ambiguity.id;
  }
}

TEST(Ambiguities, AreNotReadIntoAnExchangeThatShowedNothing) {
  for (const RecipeKind kind : {RecipeKind::kImport, RecipeKind::kExport}) {
    Recipe recipe = MakeRecipe(kind);
    SetPlainLife(recipe);
    const Ledger nothing;
    for (const Ambiguity& ambiguity : Ambiguities()) {
      if (ambiguity.shown == nullptr) continue;
      EXPECT_EQ(ambiguity.shown(recipe, nothing), -1) << ambiguity.id;
    }
  }
}

const Ambiguity& Called(std::string_view id) {
  return *std::find_if(Ambiguities().begin(), Ambiguities().end(), [&](const Ambiguity& one) { return one.id == id; });
}

Recipe PlainImport() {
  Recipe recipe = MakeRecipe(RecipeKind::kImport);
  SetPlainLife(recipe);
  return recipe;
}

TEST(Ambiguities, TellWhatBecameOfADestructor) {
  const Recipe recipe = PlainImport();
  Ledger ledger;
  ledger.imports[0].import.outcome = Outcome::kAccepted;
  ledger.imports[0].name_after = NameSeen::kUsedVersioned;
  EXPECT_EQ(Called("A-23").shown(recipe, ledger), 0);
  ledger.imports[0].capsule_destructor_changed = 1;
  EXPECT_EQ(Called("A-23").shown(recipe, ledger), 1);
  ledger.imports[0].name_after = NameSeen::kVersioned;  // it was not consumed
  EXPECT_EQ(Called("A-23").shown(recipe, ledger), -1);
}

TEST(Ambiguities, TakeARefusalOfSomethingElseForNoAnswer) {
  Recipe recipe = PlainImport();
  recipe.offer().device = {2, 0};
  recipe.offer().reported_device = {2, 0};
  Ledger ledger;
  ledger.imports[0].import.outcome = Outcome::kRefused;
  ledger.imports[0].import.type_error = 1;
  EXPECT_EQ(Called("A-07").shown(recipe, ledger), 1);
  ledger.imports[0].producer_calls = 1;
  ledger.imports[0].calls[0].raised = 1;
  EXPECT_EQ(Called("A-07").shown(recipe, ledger), -1) << "the producer's own exception";
  ledger.imports[0].calls[0].raised = 0;
  recipe.offer().dtype.bits = 3;
  EXPECT_EQ(Called("A-07").shown(recipe, ledger), -1) << "an undefined dtype";
}

TEST(Ambiguities, TellWhatAShapeCountsWhereTwoElementsShareAByte) {
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
  EXPECT_EQ(Called("A-21").shown(recipe, ledger), 0);
  result.shape[0] = 3;
  EXPECT_EQ(Called("A-21").shown(recipe, ledger), 1);
  recipe.offer().flags = abi::kFlagSubbytePadded;
  EXPECT_EQ(Called("A-21").shown(recipe, ledger), -1) << "they do not share one";
}

TEST(Ambiguities, TellWhereElementsOfSixBitsLie) {
  Recipe recipe = PlainImport();
  recipe.offer().dtype = {abi::kDLFloat6_e2m3fn, 6, 1};
  recipe.offer().dims = 1;
  recipe.offer().ndim = 1;
  recipe.offer().shape[0] = 4;
  Ledger ledger;
  ledger.imports[0].import.outcome = Outcome::kAccepted;
  ledger.imports[0].library.reading = Reading::kMatches;
  EXPECT_EQ(Called("A-20").shown(recipe, ledger), 0);
  ledger.imports[0].library.reading = Reading::kDiffers;
  EXPECT_EQ(Called("A-20").shown(recipe, ledger), 1);
  recipe.offer().shape[0] = 1;
  EXPECT_EQ(Called("A-20").shown(recipe, ledger), -1) << "one element shows no order";
}

}  // namespace
}  // namespace dlpack_cts
