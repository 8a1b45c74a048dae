// tests/reports/evidence_test.cc: words lead where there are any, and the bare values stay where there are none.
#include "reports/evidence.h"

#include <gtest/gtest.h>

namespace dlpack_cts {
namespace {

std::string TextOf(const std::vector<ReportRow>& rows) {
  std::string text;
  for (const ReportRow& row : rows) text += std::string(row.name) + " " + row.text + "\n";
  return text;
}

TEST(Evidence, OfAResultIsText) {
  Observation seen;
  seen.fact = "import0.memory";
  seen.wanted = "matches";
  seen.got = "differs at element 1";
  seen.words = {"float32, shape (2,3)", "elements as the library converts them", "element [0,1] = 1.5",
                "element [0,1] = 0.0"};
  EXPECT_EQ(TextOf(EvidenceOf(seen, Verdict::kFail).Rows()),
            "example float32, shape (2,3)\nwrong elements as the library converts them (import0.memory)\n"
            "expected element [0,1] = 1.5\ngot element [0,1] = 0.0\n");
}

TEST(Evidence, WithoutTextsHasTheBareValues) {
  Observation seen;
  seen.fact = "import0.memory";
  seen.wanted = "matches";
  seen.recipe = {{"kind", "import"}};
  EXPECT_EQ(TextOf(EvidenceOf(seen, Verdict::kFail).Rows()), "wrong import0.memory\nexpected matches\n");
  EXPECT_TRUE(EvidenceOf(Observation(), Verdict::kFail).Rows().empty());
}

TEST(Evidence, OfANoteSaysWhatWasObservedAndWhatIsAllowedToo) {
  Observation seen;
  seen.fact = "import0.outcome";
  seen.wanted = "refused";
  seen.got = "accepted";
  EXPECT_EQ(TextOf(EvidenceOf(seen, Verdict::kNote).Rows()),
            "fact import0.outcome\nobserved accepted\nalso fine refused\n");
}

TEST(Evidence, OfACauseNamesTheFact) {
  Cause cause;
  cause.fact = "exportS.flags";
  cause.words.meaning = "flags of the struct";
  EXPECT_EQ(TextOf(EvidenceOf(cause).Rows()), "wrong flags of the struct (exportS.flags)\n");
  cause.fact = cause.words.meaning = "";
  cause.message = "a copy is not flagged";
  EXPECT_EQ(TextOf(EvidenceOf(cause).Rows()), "");
}

Result Ended(Verdict verdict, const char* message) {
  Result result;
  result.verdict = verdict;
  result.cause = "import/release";
  result.seen.message = message;
  return result;
}

TEST(Evidence, OfACauseSaysHowCasesEndThatItLeadsTo) {
  Cause cause;
  cause.id = "import/release";
  cause.verdict = Verdict::kFail;
  dlpack_cts::Run run;
  run.results = {Ended(Verdict::kFail, "the deleter is called too early"), Ended(Verdict::kUnsafe, "read freed memory"),
                 Ended(Verdict::kUnsafe, "read freed memory"), Ended(Verdict::kBlocked, "")};
  EXPECT_EQ(TextOf(EvidenceOf(run, cause).Rows()), "leads to UNSAFE in 2 cases: read freed memory\n");
  EXPECT_EQ(GraverEnd(run, cause), "UNSAFE in 2 cases");
  cause.verdict = Verdict::kUnsafe;
  EXPECT_EQ(GraverEnd(run, cause), "") << "the cause is as grave itself";
  cause.verdict = Verdict::kFail;
  cause.id = "import/place";
  EXPECT_EQ(GraverEnd(run, cause), "") << "another cause ended them";
}

TEST(Evidence, OfASweepNamesEachDeviation) {
  Observation seen;
  seen.examples = 2000;
  SweptFact swept;
  swept.fact = "export0.flags";
  swept.wanted = "2";
  swept.got = "0";
  swept.count = 68;
  seen.deviations = {swept};
  EXPECT_EQ(DeviationTexts(seen),
            std::vector<std::string>{"export0.flags: expected 2, got 0, in 68 of 2000 exchanges"});
  seen.deviations[0].words = {"int8, shape (), copy=True", "flags of the struct", "IS_COPIED", "none"};
  EXPECT_EQ(DeviationTexts(seen),
            std::vector<std::string>{"flags of the struct (export0.flags): expected IS_COPIED, got none, in 68 of 2000 "
                                     "exchanges, for example int8, shape (), copy=True"});
}

}  // namespace
}  // namespace dlpack_cts
