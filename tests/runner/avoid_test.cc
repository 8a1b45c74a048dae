// tests/runner/avoid_test.cc: which blocked cases run again, and what they avoid.
#include "runner/verdict/rounds.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace dlpack_cts::runner {
namespace {

constexpr const char* kOwn = "c-abi/data/byte-offset-is-added";
constexpr const char* kTouched = "c-abi/strides/any-layout-is-honoured";

Cause OffsetCause() {
  Cause cause;
  cause.id = "import/place/byte-offset";
  cause.side = Side::kImport;
  cause.triggers = {"byte-offset"};
  cause.cases = {kOwn, kTouched};
  cause.recipe = {{"example", "of the cause"}};
  return cause;
}

Result Of(const std::string& id, Verdict verdict, const std::string& cause) {
  Result result;
  result.seen.case_id = id;
  result.verdict = verdict;
  result.cause = cause;
  return result;
}

Finding FindingOf(const std::string& id) {
  Finding finding;
  finding.case_id = id;
  finding.side = Side::kImport;
  finding.triggers = {"byte-offset"};
  finding.recipe = {{"example", "of the case"}};
  return finding;
}

class Again : public testing::Test {
 protected:
  Again() : catalogue_{.cases = std::vector<CaseInfo>(2)}, cases_(catalogue_.cases) {
    cases_[0].id = kOwn;
    cases_[1].id = kTouched;
    causes_ = {OffsetCause()};
    results_ = {Of(kOwn, Verdict::kFail, causes_[0].id), Of(kTouched, Verdict::kBlocked, causes_[0].id)};
  }

  Avoid Ask(const Avoid& before = {}) const { return ToRunAgain(catalogue_, attributed_, findings_, before); }

  Catalogue catalogue_;
  std::vector<CaseInfo>& cases_;
  std::vector<Finding> findings_;
  Attributed attributed_;
  std::vector<Cause>& causes_ = attributed_.causes;
  std::vector<Result>& results_ = attributed_.results;
};

TEST_F(Again, BlockedCaseAvoidsTheTriggersOfItsCause) {
  findings_ = {FindingOf(kTouched)};
  const Avoid avoid = Ask();
  ASSERT_EQ(avoid.size(), 1u);
  EXPECT_EQ(ToJson(avoid.at(kTouched)), nlohmann::json::parse(R"([{"side": "import", "peculiarities": ["byte-offset"],
                                                          "recipe": {"example": "of the case"}, "widely": false}])"));
}

TEST_F(Again, CauseThatStillOccursIsAvoidedMoreWidely) {
  const Avoid avoid = Ask(Ask());
  ASSERT_EQ(avoid.at(kTouched).size(), 2u);
  EXPECT_EQ(avoid.at(kTouched)[1].widely, true);
}

TEST_F(Again, HangIsAvoidedOnce) {
  causes_[0].verdict = Verdict::kTimeout;
  const Avoid once = Ask();
  EXPECT_EQ(once.size(), 1u);
  EXPECT_TRUE(Ask(once).empty());
}

TEST_F(Again, CauseWithoutTriggersIsNotAvoided) {
  causes_[0].triggers.clear();
  EXPECT_TRUE(Ask().empty());
}

TEST_F(Again, CauseThatNoOtherCaseReportsIsNotAvoided) {
  results_[0].verdict = Verdict::kBlocked;
  EXPECT_TRUE(Ask().empty());
}

TEST_F(Again, InvalidInputSweepsAndCasesBlockedByTheProfileDoNotRunAgain) {
  cases_[1].hostile = true;
  EXPECT_TRUE(Ask().empty());
  cases_[1].hostile = false;
  cases_[1].whole = true;
  EXPECT_TRUE(Ask().empty());
  cases_[1].whole = false;
  results_[1].cause.clear();
  EXPECT_TRUE(Ask().empty());
}

}  // namespace
}  // namespace dlpack_cts::runner
