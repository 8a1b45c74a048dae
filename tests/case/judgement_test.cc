// tests/case/judgement_test.cc: what a judge may say of one example, and what is kept of it.
#include "harness/case/judgement.h"

#include <gtest/gtest.h>

#include <memory>

#include "harness/case/judges.h"

namespace dlpack_cts {
namespace {

Breach Of(const char* rule, Degree degree) { return {rule, degree, std::string("message of ") + rule, "", "", ""}; }

TEST(Judgement, OfNobodyIsNotJudged) {
  const Judgement judgement;
  EXPECT_FALSE(judgement.judged());
  EXPECT_FALSE(judgement.breach().has_value());
  EXPECT_EQ(judgement.why_nothing(), "");
}

TEST(Judgement, IsJudgedByAnythingThatIsSaid) {
  Judgement holds, nothing, breaks, equal, differs, expects;
  holds.Holds();
  nothing.SaysNothing("no reading");
  breaks.Breaks(Of("R-1", Degree::kNote));
  EXPECT_TRUE(equal.Equal("R-1", "fact", 1, 1u, "differs"));
  EXPECT_FALSE(differs.Equal("R-1", "fact", 1, 2, "differs"));
  EXPECT_TRUE(expects.Expect(true, "R-1", "fact", "this", "this", "differs"));
  for (const Judgement* judgement : {&holds, &nothing, &breaks, &equal, &differs, &expects}) {
    EXPECT_TRUE(judgement->judged());
  }
  EXPECT_EQ(nothing.why_nothing(), "no reading");
  EXPECT_FALSE(nothing.breach().has_value());
}

TEST(Judgement, KeepsTheGravestBreachAndOfEqualOnesTheFirst) {
  Judgement judgement;
  judgement.Breaks(Of("R-1", Degree::kNote));
  judgement.Breaks(Of("R-2", Degree::kWarn));
  judgement.Breaks(Of("R-3", Degree::kWarn));
  EXPECT_EQ(judgement.breach()->rule, "R-2");
  judgement.Breaks(Of("R-4", Degree::kRule));
  judgement.Breaks(Of("R-5", Degree::kRule));
  judgement.Breaks(Of("R-6", Degree::kNote));
  EXPECT_EQ(judgement.breach()->rule, "R-4");
}

TEST(Judgement, IsNotMendedByWhatHoldsLater) {
  Judgement judgement;
  EXPECT_FALSE(judgement.Expect(false, "R-1", "import[0].shape", "(2,)", "(3,)", "another shape", Degree::kWarn));
  judgement.Holds();
  judgement.SaysNothing("nothing more");
  ASSERT_TRUE(judgement.breach().has_value());
  EXPECT_EQ(judgement.breach()->degree, Degree::kWarn);
  EXPECT_EQ(judgement.breach()->fact, "import[0].shape");
  EXPECT_EQ(judgement.breach()->wanted, "(2,)");
  EXPECT_EQ(judgement.breach()->got, "(3,)");
}

TEST(Judgement, ComparesNumbersOfDifferentSigns) {
  Judgement judgement;
  EXPECT_FALSE(judgement.Equal("R-1", "fact", int64_t{-1}, UINT64_MAX, "differs"));
  EXPECT_EQ(judgement.breach()->wanted, "-1");
  EXPECT_EQ(judgement.breach()->got, "18446744073709551615");
}

TEST(Breach, NamesWhatDecidedWhereTheFactIsAsSeenAndNotAsWanted) {
  const auto ledger = std::make_unique<Ledger>();
  ledger->imports[0].deleter.calls = 2;
  const auto named = [&](const char* fact, const char* wanted, const char* got) {
    return NamesWhatDecided({"R-1", Degree::kRule, "message", fact, wanted, got}, *ledger);
  };
  EXPECT_TRUE(named("import0.deleter.calls", "1", "2"));
  EXPECT_TRUE(named("import0.deleter.calls", "0 | 1", "2 of 1"));
  EXPECT_TRUE(named("", "equal", "different"));
  EXPECT_FALSE(named("import0.deleter.calls", "1", "3"));
  EXPECT_FALSE(named("import0.deleter.calls", "1 | 2", "2"));
  EXPECT_FALSE(named("import0.deleters", "1", "?"));
}

TEST(Values, AreWrittenAsFactsShowThem) {
  const int64_t shape[] = {2, 3};
  EXPECT_EQ(AsText(shape), "(2, 3)");
  EXPECT_EQ(AsText({shape, 1}), "(2,)");
  EXPECT_EQ(AsText({shape, size_t{0}}), "()");
  EXPECT_EQ(AsText(abi::DLDataType{2, 32, 1}), "(2, 32, 1)");
  EXPECT_EQ(AsText(abi::DLDevice{1, 0}), "(1, 0)");
}

}  // namespace
}  // namespace dlpack_cts
