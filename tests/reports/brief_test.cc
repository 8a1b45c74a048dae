// tests/reports/brief_test.cc: what is unexpected, in one line each.
#include "reports/brief.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <sstream>

#include "base/text.h"
#include "results/tally.h"
#include "tests/reports/sample_run.h"

namespace dlpack_cts {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;
using ::testing::StartsWith;

std::string Text(void (*print)(const dlpack_cts::Run&, std::ostream&), const dlpack_cts::Run& run) {
  std::ostringstream text;
  print(run, text);
  return text.str();
}

TEST(ABrief, NamesACauseOnceAndNotEachOfItsCases) {
  dlpack_cts::Run run;
  run.results.resize(2);
  for (Result& result : run.results) {
    result.seen.case_id = "a/b";
    result.verdict = Verdict::kFail;
    result.as_expected = false;
    result.rules = {"C-OWN-01"};
  }
  run.results[1].seen.case_id = "a/c";
  run.results[1].seen.message = "something else";
  Cause cause;
  cause.id = "import/release";
  cause.rule = "C-OWN-02";
  cause.message = "what happens";
  cause.as_expected = false;
  cause.cases = {"a/b"};
  run.causes = {cause};
  run.header.library = "toy";
  EXPECT_EQ(Text(PrintBrief, run),
            "toy: FAIL C-OWN-02 import/release: what happens\ntoy: FAIL C-OWN-01 a/c: something else\n");
}

TEST(ABrief, IsEmptyIfEverythingIsAsExpected) {
  dlpack_cts::Run run;
  run.results.resize(1);
  run.results[0].verdict = Verdict::kFail;
  run.results[0].as_expected = true;
  EXPECT_THAT(Text(PrintBrief, run), IsEmpty());
  EXPECT_THAT(Text(PrintAnnotations, run), IsEmpty());
}

TEST(ABrief, HasALineForEachUnexpectedResultOfTheSample) {
  const std::string text = Text(PrintBrief, SampleRun());
  EXPECT_THAT(UnexpectedOf(SampleRun()), Not(IsEmpty()));
  EXPECT_THAT(Split(text, "\n"), SizeIs(UnexpectedOf(SampleRun()).size() + 1));
}

TEST(Annotations, AreWorkflowCommandsInWhichNoTextOfALibraryEndsTheLine) {
  dlpack_cts::Run run;
  run.header.library = "a,b:c";
  run.results.resize(1);
  run.results[0].verdict = Verdict::kWarn;
  run.results[0].as_expected = false;
  run.results[0].rules = {"C-OWN-01"};
  run.results[0].seen.case_id = "a/b";
  run.results[0].seen.message = "100%\n::error::forged";
  run.footer.stale = {"gone"};
  const std::string text = Text(PrintAnnotations, run);
  EXPECT_THAT(Split(text, "\n"), SizeIs(3)) << text;
  EXPECT_THAT(text, StartsWith("::warning title=a%2Cb%3Ac%3A WARN C-OWN-01::100%25"));
  EXPECT_THAT(text, HasSubstr("::error title=a%2Cb%3Ac%3A stale expectation::gone\n"));
}

}  // namespace
}  // namespace dlpack_cts
