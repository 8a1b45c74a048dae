// tests/runner/last_failed_test.cc: which cases of a stored run --last-failed selects.
#include "runner/run/last_failed.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/failure.h"

namespace dlpack_cts::runner {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

/// A result of that case and verdict, with its cause. Both are expected or not.
void Add(dlpack_cts::Run& run, const std::string& id, bool as_expected) {
  Result& result = run.results.emplace_back();
  result.seen.case_id = id;
  result.verdict = Verdict::kFail;
  result.as_expected = as_expected;
}

TEST(LastFailed, SelectsCasesWithUnexpectedResults) {
  dlpack_cts::Run run;
  Add(run, "b", false);
  Add(run, "known", true);
  Add(run, "a", false);
  EXPECT_THAT(FailedCases(run), ElementsAre("a", "b"));
}

TEST(LastFailed, SelectsCasesOfACauseThatNoResultReports) {
  dlpack_cts::Run run;
  Add(run, "passes", true);
  Cause& cause = run.causes.emplace_back();
  cause.id = "import/place";
  cause.as_expected = false;
  cause.cases = {"passes"};
  EXPECT_THAT(FailedCases(run), ElementsAre("passes"));
  run.causes.front().as_expected = true;
  EXPECT_THAT(FailedCases(run), IsEmpty());
}

TEST(LastFailed, OfAPathWithoutARunSaysSo) { EXPECT_THROW(LastFailed("/nowhere", {"a"}), Failure); }

}  // namespace
}  // namespace dlpack_cts::runner
