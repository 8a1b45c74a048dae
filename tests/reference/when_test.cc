// tests/reference/when_test.cc: conditions hold where they say.
#include "reference/when.h"

#include <gtest/gtest.h>

namespace dlpack_cts {
namespace {

using Trait = When::Trait;

TEST(WhenTest, TheDefaultNeverHolds) { EXPECT_FALSE(Holds(When{}, Occasion{})); }

TEST(WhenTest, ConditionDependsOnlyOnItsTrait) {
  const Occasion complex{.dtype = {abi::kDLComplex, 64, 1}, .ndim = 2, .versioned = true};
  EXPECT_TRUE(Holds(When::Of(Trait::kCode, abi::kDLComplex), complex));
  EXPECT_FALSE(Holds(When::Of(Trait::kCode, abi::kDLFloat), complex));
  EXPECT_TRUE(Holds(When::Of(Trait::kItemSize, 8), complex));
  EXPECT_TRUE(Holds(When::Of(Trait::kRank, 2), complex));
  EXPECT_FALSE(Holds(When::Of(Trait::kRankAtLeast, 3), complex));
  EXPECT_FALSE(Holds(When{{Trait::kVersioned, true}}, complex));
}

TEST(WhenTest, BothTermsMustHold) {
  const When both = When{{Trait::kCode, false, abi::kDLComplex}, {Trait::kOffset}};
  EXPECT_FALSE(Holds(both, Occasion{.dtype = {abi::kDLComplex, 64, 1}}));
  EXPECT_FALSE(Holds(both, Occasion{.byte_offset = 8}));
  EXPECT_TRUE(Holds(both, Occasion{.dtype = {abi::kDLComplex, 64, 1}, .byte_offset = 8}));
}

TEST(WhenTest, NotIsTheOpposite) {
  EXPECT_TRUE(Holds(When{{Trait::kStrided, true}}, Occasion{}));
  EXPECT_FALSE(Holds(When{{Trait::kStrided, true}}, Occasion{.strided = true}));
  EXPECT_TRUE(Holds(When{{Trait::kNever, true}}, Occasion{}));
}

TEST(WhenTest, EveryThirdHoldsInOneOfThreeExchanges) {
  int holds = 0;
  for (uint32_t number = 0; number < 30; ++number)
    holds += Holds(When::Of(Trait::kEvery, 3), Occasion{.number = number}) ? 1 : 0;
  EXPECT_EQ(holds, 10);
}

}  // namespace
}  // namespace dlpack_cts
