// tests/worker/lost_examples_test.cc: values of properties that are drawn often, and never conclusive, are listed.
#include "worker/run/lost_examples.h"

#include <gtest/gtest.h>

#include "harness/recipe/generator.h"

namespace dlpack_cts::worker {
namespace {

constexpr int kEnough = 20;

Recipe OfRank(int dims) {
  Recipe recipe = PlainImport(StructKind::kVersioned);
  SetPlainShape(dims, recipe.offer().shape);
  recipe.offer().dims = static_cast<uint8_t>(dims);
  recipe.offer().ndim = dims;
  return recipe;
}

class LostExamplesTest : public ::testing::Test {
 protected:
  void Count(int dims, int times, bool conclusive) {
    ledger_.imports[0].import.outcome = conclusive ? Outcome::kAccepted : Outcome::kRefused;
    for (int i = 0; i < times; ++i) lost_.Count(OfRank(dims), ledger_, conclusive);
  }

  LostExamples lost_;
  Ledger ledger_{};
};

TEST_F(LostExamplesTest, ListAValueWithoutAConclusiveExample) {
  Count(1, 1, true);
  Count(0, kEnough, false);
  const std::vector<LostValue> list = lost_.List();
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].value, kScalar);
  EXPECT_EQ(list[0].drawn, kEnough);
  EXPECT_EQ(list[0].refused, kEnough);
}

TEST_F(LostExamplesTest, ListNothingAfterFewExamplesOrOneThatIsConclusive) {
  Count(1, 1, true);
  Count(0, kEnough - 1, false);
  EXPECT_TRUE(lost_.List().empty());
  Count(0, 1, true);
  Count(0, kEnough, false);
  EXPECT_TRUE(lost_.List().empty());
}

TEST_F(LostExamplesTest, ListNothingWhereNoExampleAtAllIsConclusive) {
  Count(0, kEnough, false);
  EXPECT_TRUE(lost_.List().empty());
  Count(1, 1, true);
  EXPECT_EQ(lost_.List().size(), 1u);
  lost_.Clear();
  EXPECT_TRUE(lost_.List().empty());
}

}  // namespace
}  // namespace dlpack_cts::worker
