// tests/reports/limitations_test.cc: observed limitations are grouped by property, and stand apart from causes to fix.
#include "reports/limitations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "reports/html.h"
#include "reports/junit.h"
#include "reports/markdown.h"
#include "reports/outline.h"
#include "reports/reports.h"
#include "tests/reports/sample_run.h"

namespace dlpack_cts {
namespace {

using ::testing::HasSubstr;

Cause Limitation(const std::string& id, const std::string& message, bool as_expected = true) {
  Cause cause;
  cause.id = id;
  cause.limitation = true;
  cause.verdict = Verdict::kNote;
  cause.as_expected = as_expected;
  cause.message = message;
  cause.wanted = "accepted, as is the same exchange without that";
  cause.got = "refused: BufferError: no";
  cause.recipe = nlohmann::json::object();
  return cause;
}

dlpack_cts::Run Limited() {
  auto run = SampleRun();
  run.causes.push_back(Limitation("limit/import-object/dtype=int8", "from_dlpack refuses tensors of dtype int8"));
  run.causes.push_back(Limitation("limit/import-object/dtype=bool", "from_dlpack refuses tensors of dtype bool"));
  run.causes.push_back(
      Limitation("limit/export/dims=0", "__dlpack__ raises an exception for arrays with ndim 0", false));
  return run;
}

TEST(ObservedLimitations, OfOnePropertyAreOneLineAndUnexpectedOnesComeFirst) {
  const std::vector<LimitationGroup> groups = LimitationsOf(Limited());
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].id, "limit/export/dims=0");
  EXPECT_FALSE(groups[0].as_expected);
  EXPECT_EQ(groups[1].id, "limit/import-object/dtype=*");
  EXPECT_EQ(groups[1].text, "from_dlpack refuses tensors of dtype int8, bool");
  EXPECT_EQ(groups[1].count, 2);
}

TEST(ObservedLimitations, OfManyValuesAreCut) {
  dlpack_cts::Run run;
  for (int i = 0; i < 20; ++i) {
    const std::string value = std::to_string(i);
    run.causes.push_back(
        Limitation("limit/import-object/dims=" + value, "from_dlpack refuses tensors with ndim " + value));
  }
  EXPECT_EQ(LimitationsOf(run).at(0).text, "from_dlpack refuses tensors with ndim 0, 1, 2, 3, 4, 5, 6, 7, and 12 more");
}

TEST(ObservedLimitations, AreNoCausesToFix) { EXPECT_EQ(CausesToFix(Limited()).size(), SampleRun().causes.size()); }

TEST(LostValues, AreNamedWithTheNumberOfExamples) {
  Observation seen;
  seen.examples = 100;
  seen.held = 71;
  seen.nothing = 29;
  seen.lost = {{"scalar", "ndim is 0", 29, 29}};
  EXPECT_EQ(ExamplesText(seen),
            "100 examples: 71 held, 29 were inconclusive; not one of the 29 in which ndim is 0 was conclusive");
}

TEST(ValueShares, AreNamedWhereLessThanHalfIsConclusive) {
  Observation seen;
  seen.examples = 100;
  seen.held = 80;
  seen.nothing = 20;
  seen.shares = {{"scalar", 29, 9}, {"legacy", 50, 40}, {"empty", 20, 0}};
  EXPECT_EQ(ExamplesText(seen),
            "100 examples: 80 held, 20 were inconclusive; values of which less than half of the examples were "
            "conclusive: scalar (9 of 29)");
}

TEST(ObservedLimitations, AreInEveryReport) {
  const auto run = Limited();
  std::ostringstream text;
  PrintTree(run, {}, text, {}, "");
  EXPECT_THAT(text.str(), HasSubstr("Observed limitations:"));
  EXPECT_THAT(text.str(), HasSubstr("from_dlpack refuses tensors of dtype int8, bool"));
  std::ostringstream page;
  PrintHtml(run, {}, "", page);
  EXPECT_THAT(page.str(), HasSubstr("limit/import-object/dtype=*"));
  std::ostringstream markdown;
  PrintMarkdown(run, {}, markdown);
  EXPECT_THAT(markdown.str(), HasSubstr("## Observed limitations"));
  std::ostringstream junit;
  PrintJunit(run, SampleContext(), junit);
  EXPECT_THAT(junit.str(), HasSubstr("limit/import-object/dtype=*"));
  EXPECT_THAT(junit.str(), HasSubstr("limit/export/dims=0"));
}

TEST(CausesToFix, PutsInvalidInputLastAndTagsIt) {
  auto run = SampleRun();
  Cause invalid = run.causes.front();
  invalid.id = "import/memory-in-a-call/null-shape";
  invalid.verdict = Verdict::kCrash;
  invalid.cases = {"robustness/import/huge-ndim"};
  run.causes.insert(run.causes.begin(), invalid);
  const std::vector<const Cause*> causes = CausesToFix(run);
  ASSERT_EQ(causes.size(), 3u);
  EXPECT_EQ(causes.back()->id, invalid.id);
  std::ostringstream page;
  PrintHtml(run, SampleContext(), "", page);
  EXPECT_THAT(
      page.str(),
      HasSubstr("<span class=\"tag\">unexpected</span> <span class=\"tag\">invalid input</span><br>rule C-STRIDES-06"));
  std::ostringstream markdown;
  PrintMarkdown(run, SampleContext(), markdown);
  EXPECT_THAT(markdown.str(), HasSubstr(" (unexpected) (invalid input)\n"));
}

}  // namespace
}  // namespace dlpack_cts
