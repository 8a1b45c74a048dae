// tests/case/judgement_test.cc: what a judge may say of one example, and what is kept of it.
#include "harness/case/judgement.h"

#include <gtest/gtest.h>

#include <memory>
#include <string>
#include <vector>

#include "harness/case/judges.h"

namespace dlpack_cts {
namespace {

Breach Of(const char* rule, Degree degree) { return {rule, degree, std::string("message of ") + rule, "", "", ""}; }

class JudgementTest : public ::testing::Test {
 protected:
  Judgement Make() const { return Judgement(*ledger_, "R-1"); }

  const std::unique_ptr<Ledger> ledger_ = std::make_unique<Ledger>();
};

TEST_F(JudgementTest, StartsUnjudged) {
  const Judgement judgement = Make();
  EXPECT_FALSE(judgement.judged());
  EXPECT_FALSE(judgement.breach().has_value());
  EXPECT_EQ(judgement.why_nothing(), "");
}

TEST_F(JudgementTest, AnyCallMakesItJudged) {
  Judgement holds = Make(), nothing = Make(), breaks = Make(), equal = Make(), differs = Make(), idle = Make();
  holds.Holds();
  nothing.SaysNothing("no reading");
  breaks.Breaks(Of("R-1", Degree::kNote));
  EXPECT_TRUE(equal.Expect("import0.deleter.calls", Is(0), "differs"));
  EXPECT_FALSE(differs.Expect("import0.deleter.calls", Is(2), "differs"));
  EXPECT_TRUE(idle.Expect("import0.deleter.calls", Is(2), "differs", {.when = false}));
  for (const Judgement* judgement : {&holds, &nothing, &breaks, &equal, &differs, &idle}) {
    EXPECT_TRUE(judgement->judged());
  }
  EXPECT_EQ(nothing.why_nothing(), "no reading");
  EXPECT_FALSE(nothing.breach().has_value());
}

TEST_F(JudgementTest, KeepsTheFirstOfTheMostSevereBreaches) {
  Judgement judgement = Make();
  judgement.Breaks(Of("R-1", Degree::kNote));
  judgement.Breaks(Of("R-2", Degree::kWarn));
  judgement.Breaks(Of("R-3", Degree::kWarn));
  EXPECT_EQ(judgement.breach()->rule, "R-2");
  judgement.Breaks(Of("R-4", Degree::kRule));
  judgement.Breaks(Of("R-5", Degree::kRule));
  judgement.Breaks(Of("R-6", Degree::kNote));
  EXPECT_EQ(judgement.breach()->rule, "R-4");
}

TEST_F(JudgementTest, LaterSuccessDoesNotRemoveABreach) {
  Judgement judgement = Make();
  EXPECT_FALSE(judgement.ExpectThat(false, "(2,)", "(3,)", "another shape", {.degree = Degree::kWarn}));
  judgement.Holds();
  judgement.SaysNothing("nothing more");
  ASSERT_TRUE(judgement.breach().has_value());
  EXPECT_EQ(judgement.breach()->degree, Degree::kWarn);
  EXPECT_EQ(judgement.breach()->fact, "");
  EXPECT_EQ(judgement.breach()->wanted, "(2,)");
  EXPECT_EQ(judgement.breach()->got, "(3,)");
}

TEST_F(JudgementTest, BreachNamesFactWantedAndSeenValue) {
  ledger_->imports[2].write_array = WriteShown::kNotShown;
  Judgement judgement = Make();
  EXPECT_FALSE(judgement.Expect("importS.write_array", AnyOf(WriteShown::kShown, WriteShown::kRefused), "message",
                                {.rule = "R-2", .slot = 2, .degree = Degree::kNote, .detail = " at all"}));
  const Breach& breach = *judgement.breach();
  EXPECT_EQ(breach.rule, "R-2");
  EXPECT_EQ(breach.degree, Degree::kNote);
  EXPECT_EQ(breach.message, "message");
  EXPECT_EQ(breach.fact, "import2.write_array");
  EXPECT_EQ(breach.wanted, "shown | refused");
  EXPECT_EQ(breach.got, "not-shown at all");
}

TEST_F(JudgementTest, ViolatesTheFirstRuleUnlessAnotherIsNamed) {
  Judgement judgement = Make();
  EXPECT_FALSE(judgement.Expect("table0.T.called", Is(true), "message", {.index = 3}));
  EXPECT_EQ(judgement.breach()->rule, "R-1");
  EXPECT_EQ(judgement.breach()->fact, "table0.view.called");
  EXPECT_EQ(judgement.breach()->wanted, "1");
  EXPECT_EQ(judgement.breach()->got, "0");
}

TEST_F(JudgementTest, FactOfAStructThatNobodySawIsUnknown) {
  Judgement judgement = Make();
  EXPECT_FALSE(judgement.Expect("export0.device", Is(abi::DLDevice{1, 0}), "message"));
  EXPECT_FALSE(judgement.breach().has_value());
  EXPECT_EQ(judgement.why_nothing(), "the export returned no struct");
}

TEST_F(JudgementTest, WritesSetsFlagsAndNothing) {
  ledger_->exports[0].struct_address = 64;
  ledger_->exports[0].versioned = 1;
  ledger_->exports[0].flags = abi::kFlagReadOnly;
  ledger_->imports[0].changed_parts = kPartFlags | kPartShape;
  const auto wanted = [&](auto judge) {
    Judgement judgement = Make();
    judge(judgement);
    return judgement.breach() ? judgement.breach()->wanted + " got " + judgement.breach()->got : "holds";
  };
  EXPECT_EQ(wanted([](Judgement& j) { j.Expect("export0.flags", HasFlag(abi::kFlagIsCopied), "m"); }),
            "2 | 3 | 6 | 7 got 1");
  EXPECT_EQ(wanted([](Judgement& j) { j.Expect("export0.flags", LacksFlag(abi::kFlagReadOnly), "m"); }),
            "0 | 2 | 4 | 6 got 1");
  EXPECT_EQ(wanted([](Judgement& j) { j.Expect("export0.flags", LacksFlag(abi::kFlagIsCopied), "m"); }), "holds");
  EXPECT_EQ(wanted([](Judgement& j) { j.Expect("import0.changed", Lacks(PartSet{kPartShape}), "m"); }),
            "none got flags shape");
  EXPECT_EQ(wanted([](Judgement& j) { j.Expect("import0.changed", Lacks(PartSet{kPartData}), "m"); }), "holds");
  EXPECT_EQ(wanted([](Judgement& j) { j.Expect("import0.dtype", Is(abi::DLDataType{2, 32, 1}), "m"); }),
            "(2, 32, 1) got none");
  EXPECT_EQ(wanted([](Judgement& j) { j.Expect("import0.dtype", AnyOf(kNothing, abi::DLDataType{2, 32, 1}), "m"); }),
            "holds");
  EXPECT_EQ(wanted([](Judgement& j) { j.Expect("import0.exception", Is("BufferError"), "m"); }),
            "BufferError got none");
  EXPECT_EQ(
      wanted([](Judgement& j) { j.Expect("import0.outcome", IsNot(Outcome::kAccepted, Outcome::kRefused), "m"); }),
      "holds");
  EXPECT_EQ(wanted([](Judgement& j) { j.Expect("import0.outcome", IsNot(Outcome::kNotRun, Outcome::kRefused), "m"); }),
            "refused got not-run");
}

/// A matcher never writes a value as wanted that it does not accept.
template <typename T, typename Value>
void ExpectNoContradiction(const DeclaredFact& fact, const Matcher<T>& matcher, const std::vector<Value>& values) {
  for (const Value& value : values) {
    const FactValue seen = FactTraits<T>::Value(value);
    const std::string written = " | " + matcher.Wanted(fact) + " | ";
    if (written.find(" | " + fact.reader.text(seen) + " | ") != std::string::npos) {
      EXPECT_TRUE(matcher.Matches(seen)) << fact.reader.text(seen) << " of " << matcher.Wanted(fact);
    }
  }
}

TEST_F(JudgementTest, WantedValuesNeverIncludeTheViolatingOne) {
  const auto fact_of = [](auto name) { return name.In(0, 0).fact; };
  std::vector<uint64_t> flags;
  for (uint64_t value = 0; value < 16; ++value) flags.push_back(value);
  const DeclaredFact& of_flags = *fact_of(FactName<uint64_t>("export0.flags"));
  for (uint64_t bits = 1; bits <= abi::kPublishedFlags; ++bits) {
    ExpectNoContradiction(of_flags, HasFlag(bits), flags);
    ExpectNoContradiction(of_flags, LacksFlag(bits), flags);
  }
  const std::vector<Reading> readings = {Reading::kNotRead,    Reading::kMatches,    Reading::kDiffers,
                                         Reading::kWrongCount, Reading::kUnreadable, Reading::kUnsupported};
  for (const Reading wrong : readings) {
    ExpectNoContradiction(*fact_of(FactName<Reading>("import0.library")),
                          IsNot(wrong, wrong == Reading::kMatches ? Reading::kDiffers : Reading::kMatches), readings);
  }
  ExpectNoContradiction(*fact_of(FactName<int64_t>("import0.deleter.calls")), AtMost(2),
                        std::vector<int64_t>{-1, 0, 1, 2, 3});
  ExpectNoContradiction(*fact_of(FactName<abi::DLDevice>("export0.device")), OfType({2, 0}),
                        std::vector<abi::DLDevice>{{1, 0}, {2, 0}, {2, 1}});
  ExpectNoContradiction(*fact_of(FactName<abi::DLPackVersion>("export0.version")), OfMajorOne(),
                        std::vector<abi::DLPackVersion>{{0, 0}, {1, 0}, {1, 3}, {1, 9}, {2, 0}});
}

}  // namespace
}  // namespace dlpack_cts
