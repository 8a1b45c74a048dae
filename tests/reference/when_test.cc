// tests/reference/when_test.cc: conditions hold where they say.
#include "reference/when.h"

#include <gtest/gtest.h>

namespace dlpack_cts {
namespace {

TEST(WhenTest, TheDefaultNeverHolds) { EXPECT_FALSE(Holds(When{}, Occasion{})); }

TEST(WhenTest, ConditionDependsOnlyOnItsTrait) {
  const Occasion complex{.dtype = {abi::kDLComplex, 64, 1}, .ndim = 2, .versioned = true};
  EXPECT_TRUE(Holds(When::Code(abi::kDLComplex), complex));
  EXPECT_FALSE(Holds(When::Code(abi::kDLFloat), complex));
  EXPECT_TRUE(Holds(When::ItemSize(8), complex));
  EXPECT_TRUE(Holds(When::Rank(2), complex));
  EXPECT_FALSE(Holds(When::RankAtLeast(3), complex));
  EXPECT_FALSE(Holds(When::Legacy(), complex));
}

TEST(WhenTest, BothTermsMustHold) {
  const When both = When::Code(abi::kDLComplex).And(When::Offset());
  EXPECT_FALSE(Holds(both, Occasion{.dtype = {abi::kDLComplex, 64, 1}}));
  EXPECT_FALSE(Holds(both, Occasion{.byte_offset = 8}));
  EXPECT_TRUE(Holds(both, Occasion{.dtype = {abi::kDLComplex, 64, 1}, .byte_offset = 8}));
}

TEST(WhenTest, NotIsTheOpposite) {
  EXPECT_TRUE(Holds(When::Strided().Not(), Occasion{}));
  EXPECT_FALSE(Holds(When::Strided().Not(), Occasion{.strided = true}));
  EXPECT_TRUE(Holds(When::Never().Not(), Occasion{}));
}

TEST(WhenTest, EveryThirdHoldsInOneOfThreeExchanges) {
  int holds = 0;
  for (uint32_t number = 0; number < 30; ++number) holds += Holds(When::Every(3), Occasion{.number = number}) ? 1 : 0;
  EXPECT_EQ(holds, 10);
}

}  // namespace
}  // namespace dlpack_cts
