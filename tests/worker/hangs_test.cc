// tests/worker/hangs_test.cc: how long an exchange may take after other exchanges have hung.
#include "worker/process/hangs.h"

#include <gtest/gtest.h>

namespace dlpack_cts::worker {
namespace {

constexpr double kUsual = 10;
constexpr double kUnknown = -1;  // what a library may write instead of the longest exchange

struct HangsTest : testing::Test {
  /// Four exchanges hang for a whole limit, in steps other than kRead.
  void PayFourLimits() {
    for (const Op op : {Op::kImport, Op::kExport, Op::kDelete, Op::kCompute}) hangs.Add(op, true);
  }

  HangTable table{};
  Hangs hangs{&table};
};

TEST_F(HangsTest, ALibraryThatNeverHungHasTheUsualLimit) {
  for (const double longest : {kUnknown, 0.0, 1.0, 100.0}) {
    EXPECT_EQ(hangs.LimitIn(Op::kImport, kUsual, longest), kUsual);
    EXPECT_EQ(hangs.LimitIn(Op::kEnd, kUsual, longest), kUsual);
  }
}

TEST_F(HangsTest, AStepThatHungGetsAFewTimesTheLongestExchange) {
  hangs.Add(Op::kImport, true);
  EXPECT_TRUE(hangs.Knows(Op::kImport));
  EXPECT_FALSE(hangs.Knows(Op::kExport));
  EXPECT_DOUBLE_EQ(hangs.LimitIn(Op::kImport, kUsual, 1), 3);
  EXPECT_DOUBLE_EQ(hangs.LimitIn(Op::kImport, kUsual, 0.001), 0.2);
  EXPECT_DOUBLE_EQ(hangs.LimitIn(Op::kImport, kUsual, 4), 5);
  EXPECT_DOUBLE_EQ(hangs.LimitIn(Op::kImport, kUsual, kUnknown), kUsual);
  EXPECT_DOUBLE_EQ(hangs.LimitIn(Op::kImport, 0.1, 1), 0.1);
  EXPECT_EQ(hangs.LimitIn(Op::kExport, kUsual, 0.001), kUsual);
}

TEST_F(HangsTest, OtherStepsGetLessAfterFourWholeLimits) {
  for (const Op op : {Op::kImport, Op::kExport, Op::kDelete}) hangs.Add(op, true);
  EXPECT_EQ(hangs.LimitIn(Op::kRead, kUsual, 0), kUsual);
  hangs.Add(Op::kCompute, true);
  EXPECT_DOUBLE_EQ(hangs.LimitIn(Op::kRead, kUsual, 0), 2);
  EXPECT_DOUBLE_EQ(hangs.LimitIn(Op::kRead, kUsual, 1), 3);
  EXPECT_DOUBLE_EQ(hangs.LimitIn(Op::kRead, 1, 0), 0.5);
  EXPECT_DOUBLE_EQ(hangs.LimitIn(Op::kRead, 0.3, 0), 0.3);
  EXPECT_DOUBLE_EQ(hangs.LimitIn(Op::kImport, kUsual, 0), 0.2);
}

TEST_F(HangsTest, OneHangIsPaidForOnce) {
  for (int i = 0; i < 9; ++i) hangs.Add(Op::kImport, true);
  EXPECT_EQ(table.limits, 1);
  hangs.Add(Op::kExport, false);
  EXPECT_EQ(table.limits, 1);
  EXPECT_TRUE(hangs.Knows(Op::kExport));
  hangs.Add(Op::kCount, true);
  EXPECT_EQ(table.limits, 1);
  EXPECT_FALSE(hangs.Knows(Op::kCount));
}

TEST_F(HangsTest, WorkersThatShareATableLearnFromEachOther) {
  Hangs other(&table);
  other.Add(Op::kImport, true);
  EXPECT_TRUE(hangs.Knows(Op::kImport));
}

TEST_F(HangsTest, ShortLimitsGrowFivefoldIfOneWasTooShort) {
  hangs.Add(Op::kImport, true);
  EXPECT_DOUBLE_EQ(hangs.LimitIn(Op::kImport, kUsual, 0, true), 1);
  hangs.AddTooShort();
  EXPECT_DOUBLE_EQ(hangs.LimitIn(Op::kImport, kUsual, 0), 1);
  EXPECT_DOUBLE_EQ(hangs.LimitIn(Op::kImport, kUsual, 0, true), 5);
  hangs.AddTooShort();
  hangs.AddTooShort();
  EXPECT_EQ(hangs.LimitIn(Op::kImport, kUsual, 0), kUsual);
  EXPECT_EQ(hangs.LimitIn(Op::kRead, kUsual, 0), kUsual);
}

TEST_F(HangsTest, AreForgotten) {
  PayFourLimits();
  hangs.AddTooShort();
  hangs.Forget();
  EXPECT_FALSE(hangs.Knows(Op::kImport));
  EXPECT_EQ(table.limits, 0);
  EXPECT_EQ(table.too_short, 0);
  EXPECT_EQ(hangs.LimitIn(Op::kImport, kUsual, 0), kUsual);
  EXPECT_EQ(hangs.LimitIn(Op::kRead, kUsual, 0), kUsual);
}

TEST_F(HangsTest, AreNotKnownWithoutATable) {
  hangs = Hangs(nullptr);
  PayFourLimits();
  hangs.Forget();
  EXPECT_FALSE(hangs.Knows(Op::kImport));
  EXPECT_EQ(hangs.LimitIn(Op::kImport, kUsual, 0), kUsual);
}

}  // namespace
}  // namespace dlpack_cts::worker
