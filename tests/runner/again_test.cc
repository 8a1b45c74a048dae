// tests/runner/again_test.cc: which cases run again, without what, and what becomes of what they said before.
#include "runner/again.h"

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
  cause.peculiarities = {"byte-offset"};
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
  finding.peculiarities = {"byte-offset"};
  finding.recipe = {{"example", "of the case"}};
  return finding;
}

class Again : public testing::Test {
 protected:
  Again() : cases_(2), causes_({OffsetCause()}) {
    cases_[0].id = kOwn;
    cases_[1].id = kTouched;
    results_ = {Of(kOwn, Verdict::kFail, causes_[0].id), Of(kTouched, Verdict::kBlocked, causes_[0].id)};
  }

  Avoid Ask(const Avoid& before = {}) const { return ToRunAgain(cases_, {findings_, causes_, results_}, before); }

  std::vector<CaseInfo> cases_;
  std::vector<Finding> findings_;
  std::vector<Cause> causes_;
  std::vector<Result> results_;
};

TEST_F(Again, RunsABlockedCaseWithoutWhatItsCauseNeeds) {
  findings_ = {FindingOf(kTouched)};
  const Avoid avoid = Ask();
  ASSERT_EQ(avoid.size(), 1u);
  EXPECT_EQ(avoid.at(kTouched), nlohmann::json::parse(R"([{"side": "import", "peculiarities": ["byte-offset"],
                                                          "recipe": {"example": "of the case"}, "widely": false}])"));
}

TEST_F(Again, AvoidsMoreWidelyWhatStillShows) {
  const Avoid avoid = Ask(Ask());
  ASSERT_EQ(avoid.at(kTouched).size(), 2u);
  EXPECT_EQ(avoid.at(kTouched)[1].at("widely"), true);
}

TEST_F(Again, TriesAHangOnce) {
  causes_[0].verdict = Verdict::kTimeout;
  const Avoid once = Ask();
  EXPECT_EQ(once.size(), 1u);
  EXPECT_TRUE(Ask(once).empty());
}

TEST_F(Again, LeavesWhatPlainExchangesShow) {
  causes_[0].peculiarities.clear();
  EXPECT_TRUE(Ask().empty());
}

TEST_F(Again, LeavesACauseThatNoOtherCaseTells) {
  results_[0].verdict = Verdict::kBlocked;
  EXPECT_TRUE(Ask().empty());
}

TEST_F(Again, LeavesHostileCasesSweepsAndWhatTheProfileBlocks) {
  cases_[1].hostile = true;
  EXPECT_TRUE(Ask().empty());
  cases_[1].hostile = false;
  cases_[1].whole = true;
  EXPECT_TRUE(Ask().empty());
  cases_[1].whole = false;
  results_[1].cause.clear();
  EXPECT_TRUE(Ask().empty());
}

TEST(Join, SupersedesWhatAnsweredCasesFoundBefore) {
  std::vector<Finding> findings = {FindingOf(kOwn), FindingOf(kTouched)};
  Join({FindingOf(kTouched), FindingOf(kOwn)}, {kTouched}, findings);
  ASSERT_EQ(findings.size(), 3u);
  EXPECT_FALSE(findings[0].superseded);
  EXPECT_TRUE(findings[1].superseded);
  EXPECT_EQ(findings[2].case_id, kTouched);
  EXPECT_FALSE(findings[2].superseded);
}

}  // namespace
}  // namespace dlpack_cts::runner
