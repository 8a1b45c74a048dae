// tests/runner/attribution_test.cc: one death is told once, by the case that it belongs to.
#include "runner/attribution.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "results/tally.h"

namespace dlpack_cts::runner {
namespace {

constexpr const char* kDeath = "killed by SIGSEGV during delete";

Result Of(const std::string& id, Verdict verdict, const std::string& message) {
  Result result;
  result.seen.case_id = id;
  result.seen.message = message;
  result.verdict = verdict;
  result.as_expected = !IsDeviation(verdict);
  return result;
}

std::vector<CaseInfo> Cases() {
  std::vector<CaseInfo> cases(2);
  cases[0].id = "c-abi/own/deleter-runs-on-any-thread";
  cases[1].id = "whole/export/sweep";
  cases[1].whole = true;
  return cases;
}

TEST(Attribution, LeavesADeathOfTheSweepToTheCaseThatTellsIt) {
  std::vector<Result> results = {Of("c-abi/own/deleter-runs-on-any-thread", Verdict::kCrash, kDeath),
                                 Of("whole/export/sweep", Verdict::kCrash, kDeath)};
  LeaveDeathsToTheirCases(Cases(), results);
  EXPECT_EQ(results[0].verdict, Verdict::kCrash);
  EXPECT_FALSE(results[0].as_expected);
  EXPECT_EQ(results[1].verdict, Verdict::kNote);
  EXPECT_TRUE(results[1].as_expected);
  EXPECT_EQ(results[1].seen.message, std::string(kDeath) + ", as in c-abi/own/deleter-runs-on-any-thread");
}

TEST(Attribution, KeepsADeathThatNoCaseTells) {
  for (const Result& other :
       {Of("c-abi/own/deleter-runs-on-any-thread", Verdict::kCrash, "killed by SIGSEGV during import"),
        Of("c-abi/own/deleter-runs-on-any-thread", Verdict::kTimeout, kDeath),
        Of("whole/export/sweep", Verdict::kCrash, kDeath)}) {
    std::vector<Result> results = {other, Of("whole/export/sweep", Verdict::kCrash, kDeath)};
    LeaveDeathsToTheirCases(Cases(), results);
    EXPECT_EQ(results[1].verdict, Verdict::kCrash);
    EXPECT_FALSE(results[1].as_expected);
  }
}

}  // namespace
}  // namespace dlpack_cts::runner
