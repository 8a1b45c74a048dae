// tests/results/tally_test.cc: verdicts are counted, those of hostile recipes apart.
#include "results/tally.h"

#include <gtest/gtest.h>

namespace dlpack_cts {
namespace {

Result Of(Verdict verdict, bool as_expected, bool hostile = false) {
  Result result;
  result.verdict = verdict;
  result.as_expected = as_expected;
  result.hostile = hostile;
  return result;
}

TEST(Tally, CountsInvalidInputSeparately) {
  const std::vector<Result> results = {Of(Verdict::kPass, true), Of(Verdict::kFail, false), Of(Verdict::kWarn, true),
                                       Of(Verdict::kCrash, false, true), Of(Verdict::kPass, false)};
  const Tally legal = Count(results, Scope::kConformance);
  EXPECT_EQ(legal.total, 4);
  EXPECT_EQ(legal.of(Verdict::kPass), 2);
  EXPECT_EQ(legal.unexpected, 2);
  EXPECT_EQ(legal.listed, 1);
  EXPECT_EQ(Count(results, Scope::kHostile).of(Verdict::kCrash), 1);
  EXPECT_EQ(Count(results, Scope::kAll).total, 5);
  EXPECT_EQ(CountsOf(results), (nlohmann::json{{"CRASH", 1}, {"FAIL", 1}, {"PASS", 2}, {"WARN", 1}}));
}

TEST(Tally, KnowsWhichVerdictsAreDeviations) {
  for (const Verdict verdict :
       {Verdict::kFail, Verdict::kWarn, Verdict::kCrash, Verdict::kTimeout, Verdict::kLeak, Verdict::kUnsafe}) {
    EXPECT_TRUE(IsDeviation(verdict)) << ToText(verdict);
  }
  for (const Verdict verdict : {Verdict::kPass, Verdict::kNote, Verdict::kSkip, Verdict::kBlocked}) {
    EXPECT_FALSE(IsDeviation(verdict)) << ToText(verdict);
  }
}

}  // namespace
}  // namespace dlpack_cts
