// tests/reports/conclusion_test.cc: the first lines of a report answer whether the library conforms and what to do
// next.
#include "reports/conclusion.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "reports/html.h"
#include "reports/markdown.h"
#include "results/tally.h"
#include "results/uncounted.h"
#include "tests/reports/sample_run.h"

namespace dlpack_cts {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string Row(const Conclusion& conclusion, std::string_view name) {
  for (const ReportRow& row : conclusion.rows) {
    if (row.name == name) return row.text;
  }
  return "";
}

bool IsPass(const Result& result) { return result.verdict == Verdict::kPass && result.as_expected; }

/// A case that passes and the results of the sample run that `keeps` accepts; no causes and stale entries.
dlpack_cts::Run Only(bool (*keeps)(const Result&)) {
  auto run = SampleRun();
  std::erase_if(run.results, [&](const Result& result) { return !keeps(result) && !IsPass(result); });
  run.causes.clear();
  run.footer.stale.clear();
  run.footer.interrupted = false;
  return run;
}

std::string FirstLines(const std::string& text, int number) {
  size_t end = 0;
  for (int i = 0; i < number && end != std::string::npos; ++i) end = text.find('\n', end + (i > 0 ? 1 : 0));
  return text.substr(0, end);
}

TEST(Conclusion, OfPassesSaysThatTheLibraryConforms) {
  auto run = Only(IsPass);
  run.results.push_back(run.results.front());
  const Conclusion conclusion = ConclusionOf(run, SampleContext(), "");
  EXPECT_EQ(
      conclusion.verdict,
      "numpy 2.4.6 conforms to DLPack: no unsafe behaviour; no deviations; 1 of 6 rules judged here (not selected).");
  EXPECT_EQ(conclusion.details, "0 deviations are known, 0 are unexpected. 2 of 2 cases were judged.");
  EXPECT_EQ(Row(conclusion, "worst"), "");
  EXPECT_EQ(Row(conclusion, "next"), "no action");
}

TEST(Conclusion, OfAWarningSaysThatTheLibraryConformsWithIt) {
  const auto run = Only([](const Result& result) { return result.verdict == Verdict::kWarn; });
  const Conclusion conclusion = ConclusionOf(run, SampleContext(), "");
  EXPECT_EQ(
      conclusion.verdict,
      "numpy 2.4.6 conforms to DLPack: no unsafe behaviour; 1 known deviation (WARN: 1 MUST); 2 of 6 rules judged "
      "here (not selected).");
  EXPECT_EQ(conclusion.details, "1 deviation is known, 0 are unexpected. 2 of 2 cases were judged.");
  EXPECT_EQ(Row(conclusion, "rule"), "C-STRIDES-10: Zero strides are expressible.");
  EXPECT_EQ(Row(conclusion, "next"), "no action: every deviation is known");
}

TEST(Conclusion, OfAKnownFailureSaysThatTheLibraryDoesNotConform) {
  auto run = Only([](const Result& result) { return result.verdict == Verdict::kFail; });
  run.results.back().as_expected = true;
  const Conclusion conclusion = ConclusionOf(run, SampleContext(), "");
  EXPECT_EQ(
      conclusion.verdict,
      "numpy 2.4.6 does not conform to DLPack: no unsafe behaviour; 1 known deviation (FAIL: 1 MUST); 3 of 6 rules "
      "judged here (not selected).");
  EXPECT_EQ(Row(conclusion, "next"), "no action: every deviation is known");
}

TEST(Conclusion, OfAnUnexpectedFailureNamesItsRuleAndItsScript) {
  const auto run = Only([](const Result& result) { return result.verdict == Verdict::kFail; });
  const Conclusion conclusion = ConclusionOf(run, SampleContext(), "out/");
  EXPECT_EQ(Row(conclusion, "worst"), "FAIL: an element has other bits than the offer");
  EXPECT_THAT(Row(conclusion, "rule"), HasSubstr("C-STRIDES-06: Strides may be negative"));
  EXPECT_EQ(Row(conclusion, "run next"), "python3 out/findings/negative-strides.py");
}

TEST(Conclusion, PutsValidInputBeforeInvalidInput) {
  const auto run =
      Only([](const Result& result) { return result.verdict == Verdict::kFail || result.verdict == Verdict::kUnsafe; });
  const Conclusion conclusion = ConclusionOf(run, SampleContext(), "");
  EXPECT_THAT(Row(conclusion, "worst"), HasSubstr("FAIL"));
  EXPECT_THAT(conclusion.verdict, HasSubstr("no unsafe behaviour; 1 unexpected deviation (FAIL: 1 MUST); "
                                            "1 memory fault on invalid input; "));
}

TEST(Conclusion, OfUnexpectedInvalidInputAloneSaysThatTheLibraryConforms) {
  auto run = Only([](const Result& result) { return result.hostile; });
  run.results.push_back(run.results.front());
  const Conclusion conclusion = ConclusionOf(run, SampleContext(), "");
  EXPECT_THAT(conclusion.verdict, HasSubstr("conforms to DLPack: no unsafe behaviour; no deviations; "
                                            "1 memory fault on invalid input; "));
  EXPECT_THAT(Row(conclusion, "worst"), HasSubstr("UNSAFE"));
}

TEST(Conclusion, DoesNotCallADeviationKnownThatOnlyDoesNotCount) {
  auto run = Only([](const Result& result) { return result.hostile; });
  for (Result& result : run.results) {
    if (result.hostile) result.as_expected = true;
    if (result.hostile) result.expectation = kOnInvalidInput;
  }
  const Conclusion conclusion = ConclusionOf(run, SampleContext(), "");
  EXPECT_THAT(conclusion.details, HasSubstr("0 deviations are known, 0 are unexpected, 1 does not count."));
  EXPECT_EQ(Row(conclusion, "next"), "no action: no deviation counts");
  EXPECT_EQ(CountUncounted(run), 1);
  std::ostringstream terminal;
  PrintTree(run, SampleContext(), terminal, {});
  EXPECT_THAT(terminal.str(), HasSubstr("\n  Deviations that do not count:\n    UNSAFE "));
  EXPECT_THAT(terminal.str(), Not(HasSubstr("Known")));
  EXPECT_THAT(terminal.str(), HasSubstr("  [C-SHAPE-02]  invalid input does not count without --strict\n"));
  EXPECT_THAT(terminal.str(), HasSubstr("Deviations  0 unexpected, 0 known, 1 does not count"));
  std::ostringstream markdown;
  PrintMarkdown(run, SampleContext(), markdown);
  EXPECT_THAT(markdown.str(), HasSubstr("### Deviations that do not count\n"));
  EXPECT_THAT(markdown.str(), Not(HasSubstr("known because")));
  std::ostringstream page;
  PrintHtml(run, SampleContext(), "", page);
  EXPECT_THAT(page.str(), HasSubstr("does not count</span>"));
  EXPECT_THAT(page.str(), Not(HasSubstr("known deviation</span>")));
}

TEST(Conclusion, OfAnOutdatedListNamesUpdate) {
  auto run = Only(IsPass);
  run.footer.stale = {"expectations.toml:3: no longer"};
  const Conclusion conclusion = ConclusionOf(run, SampleContext(), "");
  EXPECT_THAT(conclusion.details, HasSubstr("1 listed deviation no longer occurs."));
  EXPECT_THAT(Row(conclusion, "next"), HasSubstr("--update"));
}

TEST(Conclusion, OfSkippedCasesAloneClaimsNothing) {
  auto run = Only([](const Result& result) { return result.verdict == Verdict::kSkip; });
  std::erase_if(run.results, IsPass);
  run.results.push_back(run.results.front());
  EXPECT_EQ(ConclusionOf(run, SampleContext(), "").verdict, "numpy 2.4.6: no case could be judged (not selected).");
}

TEST(Conclusion, OfASingleCaseNamesItsVerdict) {
  auto run = SampleRun();
  std::erase_if(run.results, [](const Result& result) { return result.verdict != Verdict::kTimeout; });
  run.causes.clear();
  const Conclusion conclusion = ConclusionOf(run, SampleContext(), "");
  EXPECT_EQ(conclusion.verdict, "numpy 2.4.6: the case python/capsule/used-name-is-refused is TIMEOUT.");
  EXPECT_EQ(Row(conclusion, "next"), "fix the library, then run the same command again");
}

TEST(Conclusion, CountsACauseThatIsMoreSevereThanItsCases) {
  auto run = Only([](const Result& result) { return result.verdict == Verdict::kWarn; });
  Cause cause;
  cause.verdict = Verdict::kFail;
  cause.rule = "C-STRIDES-10";
  cause.cases = {run.results.back().seen.case_id};
  run.causes = {cause};
  EXPECT_EQ(
      ConclusionOf(run, SampleContext(), "").verdict,
      "numpy 2.4.6 does not conform to DLPack: 1 known deviation (WARN: 1 MUST); 1 cause is FAIL or worse; 2 of 6 "
      "rules judged here (not selected).");
}

TEST(Conclusion, IsInTheFirstTwentyLinesOfTerminalAndMarkdown) {
  const auto run = SampleRun();
  std::ostringstream tree;
  std::ostringstream markdown;
  PrintTree(run, SampleContext(), tree, {.width = 80});
  PrintMarkdown(run, SampleContext(), markdown);
  for (const std::string& text : {FirstLines(tree.str(), 20), FirstLines(markdown.str(), 20)}) {
    EXPECT_THAT(text, HasSubstr("numpy 2.4.6 does not conform to DLPack"));
    EXPECT_THAT(text, HasSubstr("1 crash, 1 leak and 1"));
    EXPECT_THAT(text, HasSubstr("1 deviation is known"));
    EXPECT_THAT(text, HasSubstr("CRASH: SIGSEGV"));
    EXPECT_THAT(text, HasSubstr("C-DATA-04"));
    EXPECT_THAT(text, HasSubstr("dlpack-cts run numpy --select"));
  }
}

TEST(Conclusion, LeadsThePage) {
  std::ostringstream page;
  PrintHtml(SampleRun(), SampleContext(), "", page);
  const std::string text = page.str();
  EXPECT_LT(text.find("does not conform to DLPack"), text.find("class=\"cards\""));
}

TEST(Headline, IsASentenceOrTheFactWithBothValues) {
  dlpack_cts::Run run;
  Cause cause;
  cause.fact = "exportS.flags";
  cause.wanted = "2";
  EXPECT_EQ(Headline(run, cause), "exportS.flags: expected 2, got nothing");
  cause.words = {"", "flags of the struct", "IS_COPIED", "none"};
  cause.verdict = Verdict::kNote;
  EXPECT_EQ(Headline(run, cause), "flags of the struct: none; IS_COPIED is allowed too");
  cause.verdict = Verdict::kFail;
  EXPECT_EQ(Headline(run, cause), "flags of the struct: expected IS_COPIED, got none");
  cause.id = "export/flags/copy";
  cause.case_id = "c-abi/flags/copy-is-flagged";
  Result result;
  result.seen.case_id = cause.case_id;
  result.seen.message = "a copy does not set IS_COPIED";
  result.verdict = Verdict::kFail;
  run.results = {result};
  EXPECT_EQ(Headline(run, cause), "flags of the struct: expected IS_COPIED, got none") << "it failed for another cause";
  run.results.front().cause = cause.id;
  EXPECT_EQ(Headline(run, cause), "a copy does not set IS_COPIED");
  run.results.front().verdict = Verdict::kUnsafe;
  EXPECT_EQ(Headline(run, cause), "flags of the struct: expected IS_COPIED, got none") << "the case ended otherwise";
  cause.message = "a copy is not flagged";
  EXPECT_EQ(Headline(run, cause), "a copy is not flagged");
}

}  // namespace
}  // namespace dlpack_cts
