// tests/runner/rounds_test.cc: results and findings of several rounds become one result for each case.
#include "runner/verdict/rounds.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

namespace dlpack_cts::runner {
namespace {

constexpr const char* kOwn = "c-abi/data/byte-offset-is-added";
constexpr const char* kTouched = "c-abi/strides/any-layout-is-honoured";

Catalogue TheCatalogue() {
  Catalogue catalogue;
  for (const char* id : {"C-DATA-01", "C-STRIDES-08"}) {
    Rule rule;
    rule.id = id;
    catalogue.rules.emplace(id, rule);
  }
  catalogue.cases.resize(2);
  catalogue.cases[0].id = kOwn;
  catalogue.cases[0].rules = {"C-DATA-01"};
  catalogue.cases[1].id = kTouched;
  catalogue.cases[1].rules = {"C-STRIDES-08"};
  return catalogue;
}

Observation Seen(const std::string& id, const std::string& rule, Observed observed, const std::string& message = "") {
  Observation observation;
  observation.case_id = id;
  observation.rule = rule;
  observation.observed = observed;
  observation.degree = Degree::kRule;
  observation.message = message;
  return observation;
}

Finding Found(const std::string& id, const std::vector<std::string>& triggers) {
  Finding finding;
  finding.case_id = id;
  finding.side = Side::kImport;
  finding.family = Family::kPlace;
  finding.triggers = triggers;
  finding.fact = "importS.memory";
  finding.rule = finding.attributed = "C-DATA-01";
  finding.observed = Observed::kBreach;
  finding.recipe = nlohmann::json::object();
  return finding;
}

class RoundsTest : public testing::Test {
 protected:
  /// Both cases fail because of the byte_offset, and one of them tests the violated rule.
  void RunFirst() {
    rounds_.See(Seen(kTouched, "C-STRIDES-08", Observed::kBreach, "wrong elements"));
    rounds_.See(Seen(kOwn, "C-DATA-01", Observed::kBreach, "wrong elements"));
    rounds_.Find(Found(kTouched, {"byte-offset"}));
    rounds_.Find(Found(kOwn, {"byte-offset"}));
  }

  const Catalogue catalogue_ = TheCatalogue();
  const Library library_ = {};
  Rounds rounds_{catalogue_, library_};
};

TEST_F(RoundsTest, ReturnsABlockedCaseAndTakesItsNewVerdict) {
  RunFirst();
  const Avoid avoid = rounds_.Next();
  ASSERT_EQ(avoid.size(), 1u);
  EXPECT_TRUE(avoid.contains(kTouched));
  EXPECT_EQ(rounds_.attributed().results[1].verdict, Verdict::kBlocked);
  rounds_.See(Seen(kTouched, "C-STRIDES-08", Observed::kHeld));
  EXPECT_TRUE(rounds_.Next().empty());
  const Attributed& attributed = rounds_.attributed();
  EXPECT_EQ(attributed.results[0].verdict, Verdict::kFail);
  EXPECT_EQ(attributed.results[1].verdict, Verdict::kPass);
  EXPECT_EQ(attributed.causes[0].cases, std::vector<std::string>{kOwn}) << "the earlier finding is superseded";
  EXPECT_EQ(rounds_.FirstResults()[1].verdict, Verdict::kFail);
  ASSERT_EQ(rounds_.superseded().size(), 1u);
}

TEST_F(RoundsTest, LeavesACauseItsOnlyCaseThoughThatRanAgainWithoutIt) {
  RunFirst();
  rounds_.Find(Found(kTouched, {"strided"}));
  ASSERT_EQ(rounds_.Next().size(), 1u);
  rounds_.See(Seen(kTouched, "C-STRIDES-08", Observed::kHeld));
  rounds_.Next();
  const std::vector<Cause>& causes = rounds_.attributed().causes;
  ASSERT_EQ(causes.size(), 2u);
  for (const Cause& cause : causes) EXPECT_EQ(cause.cases.size(), 1u) << cause.id;
}

TEST_F(RoundsTest, KeepsTheResultOfACaseThatHasNoExampleLeft) {
  RunFirst();
  ASSERT_EQ(rounds_.Next().size(), 1u);
  rounds_.See(Seen(kTouched, "C-STRIDES-08", Observed::kSkip));
  rounds_.Find(Found(kTouched, {"strided"}));
  rounds_.Next();
  EXPECT_EQ(rounds_.attributed().results[1].verdict, Verdict::kBlocked);
  ASSERT_EQ(rounds_.attributed().causes.size(), 1u) << "a finding of a case without a verdict does not count";
  EXPECT_EQ(rounds_.attributed().causes[0].cases.size(), 2u);
}

TEST_F(RoundsTest, EndsAfterTheLastRound) {
  RunFirst();
  int again = 0;
  for (; !rounds_.Next().empty() && again < 10; ++again) {
    rounds_.See(Seen(kTouched, "C-STRIDES-08", Observed::kBreach, "wrong elements"));
    rounds_.Find(Found(kTouched, {"byte-offset"}));
  }
  EXPECT_EQ(again, kRoundsAgain);
}

TEST_F(RoundsTest, GivesResultsInTheOrderOfTheCatalogue) {
  RunFirst();
  const Attributed attributed = rounds_.Conclude([](Attributed& seen) {
    ASSERT_EQ(seen.results.size(), 2u);
    EXPECT_EQ(seen.results[0].seen.case_id, kOwn);
    EXPECT_EQ(seen.results[1].verdict, Verdict::kFail) << "not attributed yet";
    for (Result& result : seen.results) result.as_expected = false;
    seen.causes[0].expectation = "known";
  });
  EXPECT_EQ(attributed.results[0].expectation, "known");
  EXPECT_EQ(attributed.results[1].verdict, Verdict::kBlocked);
}

TEST_F(RoundsTest, KeepsTheFirstDeviationOfACaseThatRunsInTwoRoles) {
  rounds_.See(Seen(kOwn, "C-DATA-01", Observed::kHeld));
  rounds_.See(Seen(kOwn, "C-DATA-01", Observed::kBreach, "as producer"));
  rounds_.See(Seen(kOwn, "C-DATA-01", Observed::kCrash, "as consumer"));
  EXPECT_EQ(rounds_.Observed(kOwn).seen.message, "as producer");
}

TEST_F(RoundsTest, BugOfTheHarnessLosesOnlyItsCase) {
  rounds_.See(Seen(kOwn, "NO-SUCH-RULE", Observed::kBreach));
  rounds_.See(Seen(kTouched, "C-STRIDES-08", Observed::kHeld));
  ASSERT_TRUE(rounds_.trouble());
  EXPECT_EQ(rounds_.trouble()->status(), kHarness);
  EXPECT_EQ(rounds_.Observed(kOwn).verdict, Verdict::kCrash);
  EXPECT_EQ(rounds_.Observed(kTouched).verdict, Verdict::kPass);
}

TEST_F(RoundsTest, DropsAFindingThatCannotBeJudged) {
  rounds_.See(Seen(kOwn, "C-DATA-01", Observed::kHeld));
  Finding finding = Found(kOwn, {});
  finding.observed = Observed::kUnjudged;
  rounds_.Find(finding);
  rounds_.Next();
  EXPECT_TRUE(rounds_.attributed().causes.empty());
  EXPECT_TRUE(rounds_.trouble());
}

}  // namespace
}  // namespace dlpack_cts::runner
