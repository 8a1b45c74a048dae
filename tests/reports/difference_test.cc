// tests/reports/difference_test.cc: what is worse, better and otherwise different between two runs.
#include "reports/difference.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dlpack_cts {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::Not;
using ::testing::SizeIs;

using Stored = dlpack_cts::Run;

Result Of(const std::string& case_id, Verdict verdict) {
  Result result;
  result.library = "toy";
  result.seen.case_id = case_id;
  result.rules = {"C-OWN-01"};
  result.verdict = verdict;
  return result;
}

Cause CauseIn(const std::string& id, Verdict verdict, std::vector<std::string> cases) {
  Cause cause;
  cause.id = id;
  cause.rule = "C-OWN-01";
  cause.verdict = verdict;
  cause.message = "what happens";
  cause.cases = std::move(cases);
  return cause;
}

Stored With(std::vector<Result> results, std::vector<Cause> causes = {}) {
  Stored run;
  run.header.library = "toy";
  run.header.library_version = "1.0";
  run.results = std::move(results);
  run.causes = std::move(causes);
  return run;
}

TEST(ADifference, OfARunWithItselfIsEmpty) {
  const Stored run =
      With({Of("a/b", Verdict::kPass), Of("a/c", Verdict::kFail)}, {CauseIn("x", Verdict::kFail, {"a/c"})});
  const Difference same = DifferenceOf(run, run);
  EXPECT_THAT(same.worse, IsEmpty());
  EXPECT_THAT(same.better, IsEmpty());
  EXPECT_THAT(same.other, IsEmpty());
  EXPECT_THAT(same.remarks, IsEmpty());
  EXPECT_EQ(same.same_cases, 2);
  EXPECT_EQ(same.same_causes, 1);
}

TEST(ADifference, NamesANewCauseOnceAndNotAgainForEachCase) {
  const Stored before = With({Of("a/b", Verdict::kPass), Of("a/c", Verdict::kPass)});
  const Stored now =
      With({Of("a/b", Verdict::kFail), Of("a/c", Verdict::kCrash)}, {CauseIn("x", Verdict::kCrash, {"a/b", "a/c"})});
  const Difference worse = DifferenceOf(before, now);
  ASSERT_THAT(worse.worse, SizeIs(1));
  EXPECT_EQ(worse.worse[0].id, "x");
  EXPECT_EQ(worse.worse[0].sentence, "what happens");
  EXPECT_THAT(worse.other, IsEmpty());
  const Difference better = DifferenceOf(now, before);
  EXPECT_THAT(better.worse, IsEmpty());
  ASSERT_THAT(better.better, SizeIs(1));
  EXPECT_EQ(better.better[0].id, "x");
}

TEST(ADifference, CountsGraverVerdictsAsWorse) {
  const Stored before =
      With({Of("a/b", Verdict::kWarn), Of("a/c", Verdict::kUnsafe)}, {CauseIn("x", Verdict::kWarn, {"a/b"})});
  const Stored now =
      With({Of("a/b", Verdict::kFail), Of("a/c", Verdict::kFail)}, {CauseIn("x", Verdict::kFail, {"a/b"})});
  const Difference difference = DifferenceOf(before, now);
  ASSERT_THAT(difference.worse, SizeIs(1));
  EXPECT_EQ(difference.worse[0].id, "x");
  EXPECT_EQ(difference.worse[0].before, Verdict::kWarn);
  ASSERT_THAT(difference.better, SizeIs(1));
  EXPECT_EQ(difference.better[0].id, "a/c");
}

TEST(ADifference, CountsACaseThatPassedAndIsNotJudgedAnyMore) {
  for (const Verdict now : {Verdict::kSkip, Verdict::kBlocked}) {
    const Difference lost = DifferenceOf(With({Of("a/b", Verdict::kPass)}), With({Of("a/b", now)}));
    ASSERT_THAT(lost.worse, SizeIs(1)) << ToText(now);
    EXPECT_THAT(DifferenceOf(With({Of("a/b", now)}), With({Of("a/b", Verdict::kPass)})).better, SizeIs(1));
  }
}

TEST(ADifference, ListsADefectWhoseCaseIsNotJudgedAnyMoreAsDifferentNotAsBetter) {
  const Stored before = With({Of("a/b", Verdict::kFail)}, {CauseIn("x", Verdict::kFail, {"a/b"})});
  const Difference difference = DifferenceOf(before, With({Of("a/b", Verdict::kSkip)}));
  EXPECT_THAT(difference.worse, IsEmpty());
  EXPECT_THAT(difference.better, IsEmpty());
  EXPECT_THAT(difference.other, SizeIs(2));
}

TEST(ADifference, DoesNotCountNotes) {
  const Difference difference = DifferenceOf(
      With({Of("a/b", Verdict::kPass)}), With({Of("a/b", Verdict::kNote)}, {CauseIn("x", Verdict::kNote, {"a/b"})}));
  EXPECT_THAT(difference.worse, IsEmpty());
  ASSERT_THAT(difference.other, SizeIs(1));
  EXPECT_EQ(difference.other[0].id, "x");
}

TEST(ADifference, OfAnotherSelectionIsARemark) {
  const Stored before = With({Of("a/b", Verdict::kPass)});
  const Stored now =
      With({Of("a/b", Verdict::kPass), Of("a/c", Verdict::kFail)}, {CauseIn("x", Verdict::kFail, {"a/c"})});
  const Difference difference = DifferenceOf(before, now);
  EXPECT_THAT(difference.worse, IsEmpty());
  EXPECT_THAT(difference.other, SizeIs(1));
  ASSERT_THAT(difference.remarks, SizeIs(1));
  EXPECT_THAT(difference.remarks[0], HasSubstr("only the new run has 1 case: a/c"));
}

TEST(ADifference, ComparesThePairsOfCases) {
  Result one = Of("a/b", Verdict::kPass);
  one.producer = "x";
  one.consumer = "y";
  Result other = one;
  other.consumer = "z";
  Stored now = With({one, other});
  now.results[1].verdict = Verdict::kFail;
  const Difference difference = DifferenceOf(With({one, other}), now);
  ASSERT_THAT(difference.worse, SizeIs(1));
  EXPECT_THAT(difference.worse[0].id, HasSubstr("z"));
}

TEST(ADifference, SaysWhatElseWasDifferent) {
  const Stored before = With({Of("a/b", Verdict::kPass)});
  Stored now = before;
  now.header.seed = 7;
  now.footer.complete = false;
  const Difference difference = DifferenceOf(before, now);
  ASSERT_THAT(difference.remarks, SizeIs(2));
  EXPECT_THAT(difference.remarks[0], HasSubstr("seed: 0 in the old run, 7 in the new one"));
  EXPECT_THAT(difference.remarks[1], HasSubstr("ended early"));
}

TEST(ADifference, IsPrintedWithTheWorstAtTheEndOnATerminalAndAtTheTopInMarkdown) {
  const Stored before = With({Of("a/b", Verdict::kFail), Of("a/c", Verdict::kPass)});
  Stored now = With({Of("a/b", Verdict::kPass), Of("a/c", Verdict::kFail)});
  now.results[1].seen.message = "a | b";
  const Difference difference = DifferenceOf(before, now);
  const std::string text = DifferenceText(before, now, difference, {});
  EXPECT_THAT(text, HasSubstr("1 worse, 1 better"));
  EXPECT_LT(text.find("Better:"), text.find("Worse:"));
  EXPECT_THAT(text, HasSubstr("FAIL      a/c (was PASS)  [C-OWN-01]\n            a | b"));
  const std::string markdown = DifferenceMarkdown(before, now, difference);
  EXPECT_LT(markdown.find("### Worse"), markdown.find("### Better"));
  EXPECT_THAT(markdown, AllOf(HasSubstr("| FAIL | was PASS | `a/c` |"), Not(HasSubstr("a | b"))));
}

}  // namespace
}  // namespace dlpack_cts
