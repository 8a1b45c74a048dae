// tests/runner/verdict_test.cc: how an observation becomes a verdict.
#include "runner/verdict/verdict.h"

#include <gtest/gtest.h>

#include "base/failure.h"

namespace dlpack_cts::runner {
namespace {

Rules SomeRules() {
  Rules rules;
  const auto add = [&](const std::string& id, Verdict breach, const std::string& source, Level strength,
                       Stake stake = Stake::kInteroperability) {
    Rule rule;
    rule.id = id;
    rule.breach = breach;
    rule.source = source;
    rule.strength = strength;
    rule.stake = stake;
    rules.emplace(id, rule);
  };
  add("FAILS", Verdict::kFail, "H1.3:1", Level::kMust);
  add("WARNS", Verdict::kWarn, "H1.3:1", Level::kShould);
  add("NOTES", Verdict::kNote, "H1.3:1", Level::kMay);
  add("ARRAY-API", Verdict::kFail, "AO:__dlpack__", Level::kMust);
  add("ARRAY-API-SHOULD", Verdict::kWarn, "CF:from_dlpack", Level::kShould);
  add("ARRAY-API-IMPLIED", Verdict::kFail, "AO:__dlpack__", Level::kImplied);
  add("ARRAY-API-VALUES", Verdict::kFail, "AO:__dlpack__", Level::kMust, Stake::kValues);
  add("ARRAY-API-MEMORY", Verdict::kFail, "AO:__dlpack__", Level::kMust, Stake::kMemory);
  add("BOTH", Verdict::kFail, "PS:12, AO:__dlpack__", Level::kMust);
  return rules;
}

Observation Observe(Observed observed, const std::string& rule = "", std::optional<Degree> degree = Degree::kRule) {
  Observation observation;
  observation.case_id = "c-abi/own/a-case";
  observation.observed = observed;
  observation.rule = rule;
  observation.degree = degree;
  return observation;
}

Verdict Of(const Observation& observation, bool claims_array_api = true) {
  return VerdictOf(observation, SomeRules(), claims_array_api);
}

TEST(Verdict, OfABreachIsThatOfTheRule) {
  EXPECT_EQ(Of(Observe(Observed::kBreach, "FAILS")), Verdict::kFail);
  EXPECT_EQ(Of(Observe(Observed::kBreach, "WARNS")), Verdict::kWarn);
  EXPECT_EQ(Of(Observe(Observed::kBreach, "NOTES")), Verdict::kNote);
}

TEST(Verdict, IsLoweredByTheDegreeAndNeverRaised) {
  EXPECT_EQ(Of(Observe(Observed::kBreach, "FAILS", Degree::kWarn)), Verdict::kWarn);
  EXPECT_EQ(Of(Observe(Observed::kBreach, "FAILS", Degree::kNote)), Verdict::kNote);
  EXPECT_EQ(Of(Observe(Observed::kBreach, "WARNS", Degree::kNote)), Verdict::kNote);
  EXPECT_EQ(Of(Observe(Observed::kBreach, "NOTES", Degree::kWarn)), Verdict::kNote);
  EXPECT_EQ(Of(Observe(Observed::kBreach, "WARNS", Degree::kWarn)), Verdict::kWarn);
}

TEST(Verdict, OfARuleOfTheArrayApiIsLowerWithoutTheClaim) {
  EXPECT_EQ(Of(Observe(Observed::kBreach, "ARRAY-API"), true), Verdict::kFail);
  EXPECT_EQ(Of(Observe(Observed::kBreach, "ARRAY-API"), false), Verdict::kWarn);
  EXPECT_EQ(Of(Observe(Observed::kBreach, "ARRAY-API-SHOULD"), false), Verdict::kNote);
  EXPECT_EQ(Of(Observe(Observed::kBreach, "ARRAY-API", Degree::kWarn), false), Verdict::kNote);
  EXPECT_EQ(Of(Observe(Observed::kBreach, "ARRAY-API", Degree::kNote), false), Verdict::kNote);
}

TEST(Verdict, OfARuleOfTheArrayApiIsNotLowerIfValuesOrMemoryAreAtStake) {
  EXPECT_EQ(Of(Observe(Observed::kBreach, "ARRAY-API-VALUES"), false), Verdict::kFail);
  EXPECT_EQ(Of(Observe(Observed::kBreach, "ARRAY-API-MEMORY"), false), Verdict::kFail);
  EXPECT_EQ(Of(Observe(Observed::kBreach, "ARRAY-API-VALUES", Degree::kWarn), false), Verdict::kNote);
}

TEST(Verdict, OfAnImpliedRuleOrOneOfTheHeaderNeedsNoClaim) {
  EXPECT_EQ(Of(Observe(Observed::kBreach, "ARRAY-API-IMPLIED"), false), Verdict::kFail);
  EXPECT_EQ(Of(Observe(Observed::kBreach, "BOTH"), false), Verdict::kFail);
  EXPECT_EQ(Of(Observe(Observed::kBreach, "FAILS"), false), Verdict::kFail);
}

TEST(Verdict, OfCrashTimeoutLeakAndUnsafeNeedsNoRule) {
  const std::pair<Observed, Verdict> own[] = {
      {Observed::kHeld, Verdict::kPass},     {Observed::kLeak, Verdict::kLeak},
      {Observed::kUnsafe, Verdict::kUnsafe}, {Observed::kCrash, Verdict::kCrash},
      {Observed::kMemory, Verdict::kCrash},  {Observed::kTimeout, Verdict::kTimeout},
      {Observed::kSkip, Verdict::kSkip},     {Observed::kBlocked, Verdict::kBlocked}};
  for (const auto& [observed, verdict] : own) {
    for (const std::optional<Degree> degree : {std::optional(Degree::kRule), std::optional(Degree::kWarn),
                                               std::optional(Degree::kNote), std::optional<Degree>()}) {
      EXPECT_EQ(Of(Observe(observed, "NOTES", degree), false), verdict) << ToText(observed);
      EXPECT_EQ(Of(Observe(observed, "NO-SUCH-RULE", degree), false), verdict) << ToText(observed);
    }
  }
}

TEST(Verdict, OfAnUnjudgedCaseIsAnErrorOfTheHarness) {
  for (const Observed observed : {Observation().observed, Observed::kUnjudged, Observed::kOwn}) {
    try {
      Of(Observe(observed));
      ADD_FAILURE() << ToText(observed) << " gave a verdict";
    } catch (const Failure& failure) {
      EXPECT_EQ(failure.status(), kHarness);
      EXPECT_STREQ(failure.what(), "the case c-abi/own/a-case gave no judgement");
    }
  }
}

TEST(Verdict, OfAnUnknownRuleIsAnErrorOfTheHarness) {
  try {
    Of(Observe(Observed::kBreach, "NO-SUCH-RULE"));
    ADD_FAILURE() << "an unknown rule gave a verdict";
  } catch (const Failure& failure) {
    EXPECT_EQ(failure.status(), kHarness);
    EXPECT_NE(std::string(failure.what()).find("NO-SUCH-RULE"), std::string::npos);
  }
}

Finding FindingOf(Observed observed, const std::string& rule, Degree degree = Degree::kRule,
                  const std::string& judged = "") {
  Finding finding;
  finding.observed = observed;
  finding.degree = degree;
  finding.rule = rule;
  finding.judged = judged;
  return finding;
}

TEST(Verdict, OfAFinding) {
  struct Row {
    const char* why;
    Finding finding;
    bool checked;
    Verdict verdict;
  };
  const Row rows[] = {
      {"the rule decides", FindingOf(Observed::kBreach, "FAILS"), false, Verdict::kFail},
      {"the rule of the check is an upper bound", FindingOf(Observed::kBreach, "FAILS", Degree::kRule, "WARNS"), false,
       Verdict::kWarn},
      {"it does not raise the verdict", FindingOf(Observed::kBreach, "NOTES", Degree::kRule, "FAILS"), false,
       Verdict::kNote},
      {"a difference from the reference is a note", FindingOf(Observed::kBreach, "FAILS", Degree::kNote), false,
       Verdict::kNote},
      {"unless the check of the case says the same", FindingOf(Observed::kBreach, "FAILS", Degree::kNote), true,
       Verdict::kFail},
      {"a crash stands for itself", FindingOf(Observed::kCrash, "NOTES", Degree::kNote), false, Verdict::kCrash},
      {"so does a timeout", FindingOf(Observed::kTimeout, "NOTES", Degree::kNote), false, Verdict::kTimeout},
      {"a leak does not, if only a sweep saw it", FindingOf(Observed::kLeak, "FAILS", Degree::kNote), false,
       Verdict::kNote},
      {"without any exchange nothing is violated", FindingOf(Observed::kOwn, "FAILS"), true, Verdict::kNote},
  };
  for (const Row& row : rows) EXPECT_EQ(VerdictOf(row.finding, row.checked, SomeRules(), true), row.verdict) << row.why;
}

TEST(Verdict, OfACaseDependsOnItsGround) {
  struct Row {
    Ground ground;
    bool sweep;
    Verdict verdict;
  };
  const Row rows[] = {
      {Ground::kObservation, false, Verdict::kCrash}, {Ground::kObservation, true, Verdict::kCrash},
      {Ground::kSameEnd, true, Verdict::kNote},       {Ground::kCause, false, Verdict::kWarn},
      {Ground::kCause, true, Verdict::kWarn},         {Ground::kBlocked, false, Verdict::kBlocked},
      {Ground::kBlocked, true, Verdict::kBlocked},    {Ground::kNoExchange, false, Verdict::kBlocked},
      {Ground::kNoExchange, true, Verdict::kNote},
  };
  for (const Row& row : rows) {
    EXPECT_EQ(VerdictOf(row.ground, row.sweep, Verdict::kCrash, Verdict::kWarn), row.verdict)
        << static_cast<int>(row.ground) << (row.sweep ? ", of a sweep" : "");
  }
}

}  // namespace
}  // namespace dlpack_cts::runner
