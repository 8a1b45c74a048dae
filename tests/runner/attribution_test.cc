// tests/runner/attribution_test.cc: each cause is reported by the cases that test its rule, and a crash only once.
#include "runner/verdict/attribution.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "results/tally.h"

namespace dlpack_cts::runner {
namespace {

constexpr const char* kDeath = "terminated by SIGSEGV during delete";

Result Of(const std::string& id, Verdict verdict, const std::string& message) {
  Result result;
  result.seen.case_id = id;
  result.seen.message = message;
  result.verdict = verdict;
  result.as_expected = !IsDeviation(verdict);
  return result;
}

Catalogue TheCatalogue() {
  std::vector<CaseInfo> cases(2);
  cases[0].id = "c-abi/own/deleter-runs-on-any-thread";
  cases[1].id = "whole/export/sweep";
  cases[1].whole = true;
  return {.cases = cases};
}

TEST(Attribution, CrashOfTheSweepIsANoteIfACaseReportsIt) {
  std::vector<Cause> no_causes;
  std::vector<Result> results = {Of("c-abi/own/deleter-runs-on-any-thread", Verdict::kCrash, kDeath),
                                 Of("whole/export/sweep", Verdict::kCrash, kDeath)};
  Attribute(TheCatalogue(), no_causes, results);
  EXPECT_EQ(results[0].verdict, Verdict::kCrash);
  EXPECT_FALSE(results[0].as_expected);
  EXPECT_EQ(results[1].verdict, Verdict::kNote);
  EXPECT_TRUE(results[1].as_expected);
  EXPECT_EQ(results[1].seen.message, std::string(kDeath) + ", as in c-abi/own/deleter-runs-on-any-thread");
}

TEST(Attribution, CrashThatOnlyTheSweepReportsStays) {
  std::vector<Cause> no_causes;
  for (const Result& other :
       {Of("c-abi/own/deleter-runs-on-any-thread", Verdict::kCrash, "terminated by SIGSEGV during import"),
        Of("c-abi/own/deleter-runs-on-any-thread", Verdict::kTimeout, kDeath),
        Of("whole/export/sweep", Verdict::kCrash, kDeath)}) {
    std::vector<Result> results = {other, Of("whole/export/sweep", Verdict::kCrash, kDeath)};
    Attribute(TheCatalogue(), no_causes, results);
    EXPECT_EQ(results[1].verdict, Verdict::kCrash);
    EXPECT_FALSE(results[1].as_expected);
  }
}

Cause CauseOf(const std::string& id, const std::string& rule, Verdict verdict, std::vector<std::string> cases) {
  Cause cause;
  cause.id = id;
  cause.rule = rule;
  cause.verdict = verdict;
  cause.cases = std::move(cases);
  return cause;
}

Result Looking(const std::string& id, const std::string& rule, Verdict verdict) {
  Result result = Of(id, verdict, "seen");
  result.rules = {rule};
  return result;
}

/// A grave cause that two cases meet, and one lighter cause that the second of them looks at.
struct Met {
  std::vector<Cause> causes;
  std::vector<Result> results = {Looking("own", "C-SHAPE-06", Verdict::kUnsafe),
                                 Looking("other", "PY-DEVICE-05", Verdict::kUnsafe)};
  explicit Met(Verdict lighter)
      : causes({CauseOf("import/writes/null-strides", "C-SHAPE-06", Verdict::kUnsafe, {"own", "other"}),
                CauseOf("import/asks/method", "PY-DEVICE-05", lighter, {"other"})}) {}
};

TEST(Attribution, CaseReportsTheCauseOfItsOwnRule) {
  for (const Verdict lighter : {Verdict::kWarn, Verdict::kNote}) {
    Met met(lighter);
    met.causes[0].expectation = "strides are filled in";
    Attribute({}, met.causes, met.results);
    EXPECT_EQ(met.results[0].verdict, Verdict::kUnsafe);
    EXPECT_EQ(met.results[1].verdict, lighter);
    EXPECT_EQ(met.results[1].cause, "import/asks/method");
    EXPECT_EQ(met.results[1].expectation, "");
    EXPECT_EQ(met.results[1].as_expected, lighter == Verdict::kNote);
  }
}

TEST(Attribution, CaseReportsAMoreSevereCauseThatNoOtherCaseReports) {
  Met met(Verdict::kNote);
  met.causes[0].cases = {"other"};
  Attribute({}, met.causes, met.results);
  EXPECT_EQ(met.results[1].verdict, Verdict::kUnsafe);
  EXPECT_EQ(met.results[1].cause, "import/writes/null-strides");
  EXPECT_EQ(met.results[1].breached, std::vector<std::string>{"C-SHAPE-06"});
}

TEST(Attribution, CrashIsNamedByTheCauseThatCrashes) {
  std::vector<Cause> causes = {
      CauseOf("import/place/copy-true", "PY-COPY-06", Verdict::kFail, {"whole/export/sweep"}),
      CauseOf("import/release/null-deleter", "C-OWN-05", Verdict::kCrash, {"whole/export/sweep"})};
  std::vector<Result> results = {Of("whole/export/sweep", Verdict::kCrash, kDeath)};
  Attribute(TheCatalogue(), causes, results);
  EXPECT_EQ(results[0].verdict, Verdict::kCrash);
  EXPECT_EQ(results[0].cause, "import/release/null-deleter");
  EXPECT_EQ(results[0].breached, std::vector<std::string>{"C-OWN-05"});
}

TEST(Attribution, CauseIsNotExpectedBecauseAnotherCauseOfItsCaseIs) {
  Met met(Verdict::kFail);
  met.causes[0].expectation = "strides are filled in";
  Attribute({}, met.causes, met.results);
  EXPECT_TRUE(met.causes[0].as_expected);
  EXPECT_TRUE(met.results[0].as_expected);
  EXPECT_EQ(met.results[0].expectation, "strides are filled in");
  EXPECT_FALSE(met.causes[1].as_expected);
  EXPECT_FALSE(met.results[1].as_expected);
}

TEST(Attribution, ReasonIsThatOfTheReportedCause) {
  Met met(Verdict::kFail);
  met.causes[0].expectation = "strides are filled in";
  met.causes[1].expectation = "the device is not asked for";
  Attribute({}, met.causes, met.results);
  EXPECT_EQ(met.results[1].cause, "import/asks/method");
  EXPECT_EQ(met.results[1].expectation, "the device is not asked for");
}

TEST(Attribution, CaseListsTheGeneralRuleThatItTestsToo) {
  Catalogue catalogue;
  catalogue.rules["C-OWN-20"].restates = {"C-OWN-06"};
  std::vector<Cause> causes = {CauseOf("export/release", "C-OWN-06", Verdict::kFail, {"both"})};
  std::vector<Result> results = {Looking("both", "C-VERSION-11", Verdict::kFail)};
  results[0].rules = {"C-VERSION-11", "C-OWN-20", "C-OWN-06"};
  Attribute(catalogue, causes, results);
  EXPECT_EQ(results[0].breached, (std::vector<std::string>{"C-OWN-06", "C-OWN-20"}));
}

TEST(Attribution, NoteThatMetABugIsBlockedIfAnotherCaseReportsIt) {
  const auto verdict_of_note = [](std::string_view fact, bool reported) {
    std::vector<Cause> causes = {
        CauseOf("export/exception/scalar", "PY-DLPACK-13", Verdict::kWarn, {"about", "of the Array API"})};
    causes[0].fact = fact;
    std::vector<Result> results = {Looking("about", "PY-DLPACK-13", Verdict::kWarn),
                                   Looking("of the Array API", "PY-COPY-01", Verdict::kNote)};
    if (!reported) {
      causes[0].cases = {"of the Array API"};
      results.erase(results.begin());
    }
    Attribute({}, causes, results);
    EXPECT_EQ(results.back().cause, "export/exception/scalar");
    return results.back().verdict;
  };
  EXPECT_EQ(verdict_of_note("stumbled", true), Verdict::kBlocked);
  EXPECT_EQ(verdict_of_note("stumbled", false), Verdict::kNote);
  // Of another fact the note says what the case saw.
  EXPECT_EQ(verdict_of_note("exportS.has_destructor", true), Verdict::kNote);
}

}  // namespace
}  // namespace dlpack_cts::runner
