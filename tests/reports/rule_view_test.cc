// tests/reports/rule_view_test.cc: what a rule is said to be, from the cases that name it.
#include "reports/rule_view.h"

#include <gtest/gtest.h>

#include "tests/reports/sample_run.h"

namespace dlpack_cts {
namespace {

RuleView Find(const Run& run, const std::string& id) {
  for (const RuleChapter& chapter : RulesOf(OutlineOf(run)[0], SampleContext())) {
    for (const RuleView& rule : chapter.rules) {
      if (rule.text.id == id) return rule;
    }
  }
  return {};
}

TEST(RuleView, CountsADeviationAgainstTheBreachedRuleOnly) {
  const auto run = SampleRun();
  EXPECT_EQ(Find(run, "C-STRIDES-06").verdict, Verdict::kFail);
  EXPECT_EQ(Find(run, "C-DATA-01").verdict, Verdict::kPass);
}

TEST(RuleView, CountsADeviationAgainstAllRulesWhenItNamesNone) {
  EXPECT_EQ(Find(SampleRun(), "C-DATA-04").verdict, Verdict::kCrash);
}

TEST(RuleView, LeavesOutRulesWithoutACase) { EXPECT_EQ(Find(SampleRun(), "C-DATA-99").text.id, ""); }

TEST(RuleView, IgnoresCasesWithInvalidInput) {
  auto run = SampleRun();
  EXPECT_TRUE(Find(run, "C-SHAPE-02").hostile_only);
  EXPECT_EQ(Find(run, "C-SHAPE-02").verdict, Verdict::kUnsafe);
  Result legal = run.results[0];
  legal.seen.case_id = "c-abi/shape/legal";
  legal.rules = {"C-SHAPE-02"};
  run.results.push_back(legal);
  EXPECT_FALSE(Find(run, "C-SHAPE-02").hostile_only);
  EXPECT_EQ(Find(run, "C-SHAPE-02").verdict, Verdict::kPass);
  run.results.push_back(SampleRun().results.back());
  EXPECT_EQ(Find(run, "C-SHAPE-02").verdict, Verdict::kPass);
}

TEST(RuleView, PrefersACaseThatRan) {
  auto run = SampleRun();
  Result ran = run.results[0];
  ran.rules = {"CUDA-STREAM-01"};
  run.results.push_back(ran);
  EXPECT_EQ(Find(run, "CUDA-STREAM-01").verdict, Verdict::kPass);
}

}  // namespace
}  // namespace dlpack_cts
