// tests/runner/fail_on_test.cc: which verdicts --fail-on counts.
#include "runner/run/fail_on.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dlpack_cts::runner {
namespace {

using ::testing::ElementsAre;

/// Unexpected FAIL and WARN, a WARN that is listed, and a NOTE.
dlpack_cts::Run Judged() {
  dlpack_cts::Run run;
  for (const Verdict verdict : {Verdict::kFail, Verdict::kWarn, Verdict::kWarn, Verdict::kNote}) {
    Result& result = run.results.emplace_back();
    result.verdict = verdict;
    result.as_expected = verdict == Verdict::kNote;
    result.seen.case_id = std::string(ToText(verdict));
    Cause& cause = run.causes.emplace_back();
    cause.cases = {result.seen.case_id};
    cause.verdict = verdict;
    cause.as_expected = result.as_expected;
  }
  run.results[2].as_expected = run.causes[2].as_expected = true;
  run.results[2].expectation = run.causes[2].expectation = "known";
  return run;
}

/// What is as expected, of the results and equally of the causes.
std::vector<bool> Expected(const std::string& least) {
  dlpack_cts::Run run = Judged();
  ApplyFailOn(least, false, run);
  std::vector<bool> expected;
  for (size_t i = 0; i < run.results.size(); ++i) {
    expected.push_back(run.results[i].as_expected);
    EXPECT_EQ(run.causes[i].as_expected, run.results[i].as_expected) << i;
  }
  EXPECT_EQ(run.results[2].expectation, "known");
  return expected;
}

TEST(FailOn, WarnIsTheDefaultAndChangesNothing) {
  EXPECT_THAT(Expected("warn"), ElementsAre(false, false, true, true));
}

TEST(FailOn, FailDoesNotCountWarnings) { EXPECT_THAT(Expected("fail"), ElementsAre(false, true, true, true)); }

TEST(FailOn, NoteCountsNotesThatAreNotListed) { EXPECT_THAT(Expected("note"), ElementsAre(false, false, true, false)); }

TEST(FailOn, NeverCountsNothing) { EXPECT_THAT(Expected("never"), ElementsAre(true, true, true, true)); }

TEST(FailOn, SaysWhyAResultDoesNotCount) {
  dlpack_cts::Run run = Judged();
  ApplyFailOn("fail", false, run);
  EXPECT_EQ(run.results[1].expectation, "does not count with --fail-on fail");
}

/// One result of a case with invalid input, and its cause.
dlpack_cts::Run OnInvalidInput(bool strict) {
  dlpack_cts::Run run = Judged();
  run.results[0].hostile = true;
  ApplyFailOn("warn", strict, run);
  return run;
}

TEST(FailOn, InvalidInputCountsOnlyIfTheRunIsStrict) {
  for (const bool strict : {false, true}) {
    const dlpack_cts::Run run = OnInvalidInput(strict);
    EXPECT_EQ(run.results[0].as_expected, !strict);
    EXPECT_EQ(run.causes[0].as_expected, !strict);
    EXPECT_FALSE(run.results[1].as_expected);
  }
  EXPECT_EQ(OnInvalidInput(false).results[0].expectation, "invalid input does not count without --strict");
}

TEST(FailOn, CauseThatValidInputShowsTooCounts) {
  dlpack_cts::Run run = Judged();
  run.results[0].hostile = true;
  run.causes[0].cases.push_back(run.results[1].seen.case_id);
  ApplyFailOn("warn", false, run);
  EXPECT_FALSE(run.causes[0].as_expected);
}

}  // namespace
}  // namespace dlpack_cts::runner
