// tests/worker/judged_values_test.cc: examples are counted by the values of properties that they have.
#include "worker/run/judged_values.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>
#include <string>

#include "harness/attribute/properties.h"
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

class JudgedValuesTest : public ::testing::Test {
 protected:
  void SetUp() override { values_.Clear(); }

  void Count(int dims, int times, bool conclusive) {
    ledger_.imports[0].import.outcome = conclusive ? Outcome::kAccepted : Outcome::kRefused;
    for (int i = 0; i < times; ++i) values_.Count(OfRank(dims), ledger_, conclusive, everywhere_);
  }

  JudgedValues values_;
  Ledger ledger_{};
  bool everywhere_ = false;
};

TEST_F(JudgedValuesTest, ListAValueWithoutAConclusiveExample) {
  Count(1, 1, true);
  Count(0, kEnough, false);
  const std::vector<LostValue> list = values_.Lost();
  ASSERT_EQ(list.size(), 1u);
  EXPECT_EQ(list[0].value, kScalar);
  EXPECT_EQ(list[0].drawn, kEnough);
  EXPECT_EQ(list[0].refused, kEnough);
}

TEST_F(JudgedValuesTest, ListNothingAfterFewExamplesOrOneThatIsConclusive) {
  Count(1, 1, true);
  Count(0, kEnough - 1, false);
  EXPECT_TRUE(values_.Lost().empty());
  Count(0, 1, true);
  Count(0, kEnough, false);
  EXPECT_TRUE(values_.Lost().empty());
}

TEST_F(JudgedValuesTest, ListNothingWhereNoExampleAtAllIsConclusive) {
  Count(0, kEnough, false);
  EXPECT_TRUE(values_.Lost().empty());
  Count(1, 1, true);
  EXPECT_EQ(values_.Lost().size(), 1u);
  values_.Clear();
  EXPECT_TRUE(values_.Lost().empty());
}

/// The share of that value as "conclusive of drawn"; empty if it is not listed.
std::string ShareOf(const std::string& value, const std::vector<ValueShare>& shares) {
  for (const ValueShare& share : shares) {
    if (share.value == value) return std::to_string(share.conclusive) + " of " + std::to_string(share.drawn);
  }
  return "";
}

TEST_F(JudgedValuesTest, HaveSharesBelowThatOfAllExamples) {
  Count(0, 2, true);
  Count(0, kEnough, false);
  Count(1, kEnough, true);
  EXPECT_EQ(ShareOf(kScalar, values_.Shares()), "2 of 22");
  EXPECT_EQ(ShareOf("rank-1", values_.Shares()), "");
  EXPECT_EQ(ShareOf("rank-1", values_.All()), "20 of 20");
  EXPECT_EQ(ShareOf("import/rank-1", values_.All()), "");
}

TEST_F(JudgedValuesTest, HaveNoSharesOfFewExamples) {
  Count(0, kEnough - 1, false);
  Count(1, 1, true);
  EXPECT_TRUE(values_.Shares().empty());
}

TEST_F(JudgedValuesTest, AreCountedAtEachEntryPointWhereThatIsAsked) {
  everywhere_ = true;
  Count(1, 4, true);
  Count(1, 1, false);
  EXPECT_EQ(ShareOf("import/rank-1", values_.All()), "4 of 5");
  EXPECT_EQ(ShareOf("import-capsule/rank-1", values_.All()), "");
}

TEST(CountedValues, HaveIdsOfTheirOwn) {
  std::set<std::string> ids;
  for (const CountedValue& value : AllValues()) EXPECT_TRUE(ids.insert(value.id).second) << value.id;
}

TEST(CountedValues, HoldKindsOfDtypes) {
  Recipe recipe = OfRank(1);
  recipe.offer().dtype = {abi::kDLInt, 4, 1};
  EXPECT_THAT(PlainIdsOf(recipe), ::testing::Contains("dtype-kind-sub-byte"));
  EXPECT_THAT(PlainIdsOf(recipe), ::testing::Not(::testing::Contains("dtype-kind-int")));
  recipe.offer().dtype = {abi::kDLInt, 4, 2};
  EXPECT_THAT(PlainIdsOf(recipe), ::testing::Not(::testing::Contains("dtype-kind-int")));
  recipe.offer().dtype = {abi::kDLInt, 16, 2};
  EXPECT_THAT(PlainIdsOf(recipe), ::testing::Contains("dtype-kind-int"));
}

}  // namespace
}  // namespace dlpack_cts::worker
